"""Regiments in arrays: units and rounds; every end of a march that is offered is a deed of its own."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from diskwars_engine.ruleset import AnyRuleset, RandomSource
from diskwars_protocol.match.decisions import Options
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.regiments import actions, position
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard, Unit
from diskwars_protocol.rulesets.regiments.options import MarchEnd, OrderLimits
from diskwars_rl.arrays import REACHES, Arrays, Axes, Row, one_hot, prefixed, question_tag, unit_vector
from diskwars_rl.deeds import NO_PIECE, Deed, DeedRow, DeedTable, distinct, offered_deeds
from diskwars_text.rulesets.regiments.picture import draw_board
from diskwars_text.rulesets.regiments.text_map import draw_text_map

MAX_UNITS = 24
QUESTIONS = ("order", "secret_orders")
PHASES = ("orders", "melee", "score", "break", "morale", "redress")
FACINGS = ("north", "east", "south", "west")

UNITS = Axes(
    "pieces",
    (
        *("present", "own", "ally", "is_steady", "is_fleeing", "x", "y", *prefixed("facing", FACINGS), "files"),
        *("models", "models_at_start", "has_charged", "was_hit", "movement", "weapon_skill", "strength", "toughness"),
        *("wounds", "initiative", "attacks", "leadership", "armour", "is_waiting", "contacts"),
    ),
    MAX_UNITS,
)
ROUND = Axes(
    "match",
    (
        *("is_asked", *prefixed("question", QUESTIONS), "asked_piece", "round", "rounds", *prefixed("phase", PHASES)),
        *("own_has_locked", "others_locked", "own_models", "enemy_models"),
    ),
)
OWN, ALLY, WAITING, CONTACTS = (UNITS.columns.index(name) for name in ("own", "ally", "is_waiting", "contacts"))


class RegimentsEncoder:
    """Fills the arrays of a match of regiments."""

    def __init__(self, board: RegimentsBoard) -> None:
        if len(board.units) > MAX_UNITS:
            raise ValueError(f"{len(board.units)} units; an observation holds {MAX_UNITS}")
        self._pieces = UNITS.zeros()
        self._units: list[Unit | None] = [None] * len(board.units)
        self._sides = [(unit.seat, board.side(unit)) for unit in board.units]

    def encode(self, view: RegimentsBoard, seat: Seat, question: Any) -> Arrays:
        """Return the arrays for a seat."""
        for number, unit in enumerate(view.units):
            if self._units[number] is not unit:
                self._units[number] = unit
                self._pieces[number] = _unit_row(view, unit)
        pieces, side = self._pieces.copy(), view.side_of(seat)
        pieces[: len(self._sides), OWN] = [float(owner == seat) for owner, _ in self._sides]
        pieces[: len(self._sides), ALLY] = [float(own_side == side) for _, own_side in self._sides]
        for waiting in view.waiting:
            pieces[waiting, WAITING] = 1.0
        for contact in view.contacts:
            for unit_id in (contact.charger, contact.target):
                pieces[unit_id, CONTACTS] += 1.0
        match = ROUND.zeros()
        match[:] = _round_row(view, seat, question)
        return {"match": match, "pieces": pieces}


def _unit_row(board: RegimentsBoard, unit: Unit) -> Row:
    profile = board.profile(unit)
    return (
        *(1.0, 0.0, 0.0, float(unit.status == "steady"), float(unit.status == "fleeing"), unit.x / board.width),
        *(unit.y / board.height, *one_hot(unit.facing, FACINGS), unit.files, unit.size, unit.started),
        *(unit.has_charged, unit.hit, profile.movement, profile.weapon_skill, profile.strength, profile.toughness),
        *(profile.wounds, profile.initiative, profile.attacks, profile.leadership, profile.armour, 0.0, 0.0),
    )


def _round_row(board: RegimentsBoard, seat: Seat, question: Any) -> Row:
    side, locked = board.side_of(seat), [lock.seat for lock in board.locks]
    models = [0, 0]
    for unit in board.units:
        if unit.is_fielded:
            models[board.side(unit) != side] += unit.size
    return (
        *(float(question is not None), *one_hot(question_tag(question), QUESTIONS)),
        *(getattr(question, "unit", NO_PIECE), board.round, board.rounds, *one_hot(board.phase, PHASES)),
        *(float(seat in locked), len(locked) - (seat in locked), *models),
    )


# ---------------------------------------------------------------- deeds


def _target(board: RegimentsBoard, action: actions.Charge) -> DeedRow:
    target = board.units[action.target]
    return _acting(board), action.target, target.x / board.width, target.y / board.height, 0.0


def _acting(board: RegimentsBoard) -> float:
    return board.waiting[0] if board.waiting else NO_PIECE


def _march(board: RegimentsBoard, action: actions.March) -> DeedRow:
    unit = board.units[board.waiting[0]]
    pose: position.Pose = (unit.x, unit.y, unit.facing)
    for step in action.path:
        pose = position.after_step(pose, step)
    x, y, facing = pose
    return unit.id, NO_PIECE, x / board.width, y / board.height, FACINGS.index(facing)


def _lock(board: RegimentsBoard, action: actions.LockOrders) -> DeedRow:
    """Describe secret orders by how many of them are charges."""
    orders = action.orders if isinstance(action.orders, tuple) else ()
    return NO_PIECE, NO_PIECE, 0.0, 0.0, sum(isinstance(own.order, actions.Charge) for own in orders)


def _simple(board: RegimentsBoard, action: Any) -> DeedRow:
    return _acting(board), NO_PIECE, 0.0, 0.0, 0.0


DEEDS = DeedTable(
    {
        actions.Hold: _simple,
        actions.March: _march,
        actions.Reform: lambda board, action: (_acting(board), NO_PIECE, 0.0, 0.0, action.files),
        actions.Charge: _target,
        actions.Fight: _simple,
        actions.Retreat: _simple,
        actions.LockOrders: _lock,
    }
)


def _variants(limits: OrderLimits) -> Iterator[Deed]:
    """Yield a deed for each end of a march; of secret orders, one for each order of each unit beside the example."""
    example = limits.example
    if not isinstance(example, actions.LockOrders):
        yield from (Deed(actions.March(end.path)) for end in limits.ends)
        return
    yield Deed(example)
    for order in (*limits.orders, *(actions.March(end.path) for end in limits.ends)):
        yield Deed(_with_order(example, limits.unit, order))


def _with_order(lock: actions.LockOrders, unit: actions.UnitId, order: actions.OrderAction) -> actions.LockOrders:
    orders = lock.orders if isinstance(lock.orders, tuple) else ()
    return replace(lock, orders=tuple(actions.UnitOrder(unit, order) if own.unit == unit else own for own in orders))


class RegimentsResearch:
    """Implements `arrays.ResearchRuleset`."""

    axes = (ROUND, UNITS)
    table = DEEDS
    on_field = ("is_steady", "is_fleeing")
    max_deeds = 512

    def settings(self, kind: Any, given: Mapping[str, Any]) -> Any:
        return kind(**given)

    def loadouts(
        self, rules: AnyRuleset, settings: Any, given: Sequence[str], seats: int, rng: RandomSource
    ) -> list[Any]:
        return [actions.RegimentsLoadout()] * seats

    def new_encoder(self, board: RegimentsBoard) -> RegimentsEncoder:
        return RegimentsEncoder(board)

    def deeds(self, board: RegimentsBoard, options: Options[Any, Any, Any], is_factored: bool) -> list[Deed]:
        if is_factored:
            return distinct(offered_deeds(options))
        offered = [*map(Deed, options.actions), *(deed for limits in options.parametric for deed in _variants(limits))]
        return distinct(offered)

    def shaped(self, board: RegimentsBoard, deed: Deed, direction: int, reach: int) -> Any:
        """Return the march whose end is nearest to a way from the unit; of secret orders, that of one unit."""
        limits: OrderLimits = deed.option
        if not limits.ends:
            return deed.action
        march = actions.March(_nearest_end(board.units[limits.unit], limits, direction, reach).path)
        return _with_order(deed.action, limits.unit, march) if isinstance(deed.action, actions.LockOrders) else march

    def draw_text(self, board: RegimentsBoard) -> str:
        return draw_text_map(board)

    def draw_picture(self, board: RegimentsBoard) -> str:
        return draw_board(board)


def _nearest_end(unit: Unit, limits: OrderLimits, direction: int, reach: int) -> MarchEnd:
    dx, dy = unit_vector(direction)
    length = limits.points * (reach + 1) / REACHES
    x, y = unit.x + dx * length, unit.y + dy * length
    return min(limits.ends, key=lambda end: ((end.x - x) ** 2 + (end.y - y) ** 2, len(end.path)))
