"""Close quarters in arrays: units, models and the combat; where the models of a unit go is chosen freely."""

from collections.abc import Mapping, Sequence
from typing import Any

from diskwars_engine.ruleset import AnyRuleset, RandomSource
from diskwars_protocol.match.decisions import Options
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.close_quarters import actions, plans
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard, Model, Unit
from diskwars_protocol.rulesets.close_quarters.options import CloseQuartersLimits
from diskwars_rl.arrays import DIRECTIONS, REACHES, Arrays, Axes, Row, one_hot, prefixed, question_tag, unit_vector
from diskwars_rl.deeds import NO_PIECE, Deed, DeedRow, DeedTable, nothing, offered_deeds
from diskwars_text.rulesets.close_quarters.picture import draw_board
from diskwars_text.rulesets.close_quarters.text_map import draw_text_map

MAX_UNITS = 24
MAX_MODELS = 96
QUESTIONS = (
    *("activation", "unit_action", "defensive_fire", "consolidation", "next_unit", "shooting", "weapon"),
    *("hit_split", "allocation", "casualties"),
)
PHASES = ("action", "defensive_fire", "initial_consolidation", "cycle", "winner_consolidation")

UNITS = Axes(
    "pieces",
    (
        *("present", "own", "ally", "standing", "x", "y", "markers", "hit_counter", "is_doubled", "has_fallen_back"),
        *("has_acted", "is_active", "in_combat", "is_waiting", "movement", "evasion", "armour", "toughness"),
        *("leadership", "nerve", "ballistic_skill", "weapon_skill", "strength", "has_ranged_weapon"),
    ),
    MAX_UNITS,
)
MODELS = Axes("models", ("present", "own", "unit", "is_standing", "is_leader", "x", "y"), MAX_MODELS)
TURN = Axes(
    "match",
    (
        *("is_asked", *prefixed("question", QUESTIONS), "asked_piece", "round", "turns", "own_turn"),
        *(*prefixed("phase", PHASES), "cycle", "own_models", "enemy_models"),
    ),
)
STATE = tuple(map(UNITS.columns.index, ("own", "ally", "standing", "x", "y", "is_active", "in_combat", "is_waiting")))


class CloseQuartersEncoder:
    """Fills the arrays of a match of close quarters."""

    def __init__(self, board: CloseQuartersBoard) -> None:
        if len(board.units) > MAX_UNITS or len(board.models) > MAX_MODELS:
            raise ValueError(f"an observation holds {MAX_UNITS} units and {MAX_MODELS} models")
        self._units, self._unit_rows = [*map(_never, board.units)], UNITS.zeros()
        self._models, self._model_rows = [*map(_never, board.models)], MODELS.zeros()

    def encode(self, view: CloseQuartersBoard, seat: Seat, question: Any) -> Arrays:
        """Return the arrays for a seat."""
        for number, unit in enumerate(view.units):
            if self._units[number] is not unit:
                self._units[number] = unit
                self._unit_rows[number] = _unit_row(view, unit)
        for number, model in enumerate(view.models):
            if self._models[number] is not model:
                self._models[number] = model
                self._model_rows[number] = _model_row(view, model)
        pieces, models = self._unit_rows.copy(), self._model_rows.copy()
        pieces[: len(view.units), STATE] = _state_rows(view, seat)
        models[: len(view.models), 1] = [float(view.units[model.unit].seat == seat) for model in view.models]
        match = TURN.zeros()
        match[:] = _turn_row(view, seat, question)
        return {"match": match, "pieces": pieces, "models": models}


def _never(piece: Any) -> Any:
    """Return what no piece is, so that every row is written first."""
    return None


def _side_of(board: CloseQuartersBoard, seat: Seat) -> int:
    return next(number for number, seats in enumerate(board.sides) if seat in seats)


def _unit_row(board: CloseQuartersBoard, unit: Unit) -> Row:
    profile = board.profile(unit)
    return (
        *(1.0, 0.0, 0.0, 0.0, 0.0, 0.0, unit.markers, unit.hit_counter, unit.is_doubled, unit.has_fallen_back),
        *(unit.has_acted, 0.0, 0.0, 0.0, profile.movement_inches, profile.evasion, profile.armour, profile.toughness),
        *(profile.leadership, profile.nerve, profile.ballistic_skill, profile.weapon_skill, profile.strength),
        float(profile.ranged_weapon is not None),
    )


def _model_row(board: CloseQuartersBoard, model: Model) -> Row:
    x, y = model.x / board.width, model.y / board.height
    return (1.0, 0.0, model.unit, float(model.is_standing), model.is_leader, x, y)


def _state_rows(board: CloseQuartersBoard, seat: Seat) -> list[Row]:
    """Return for each unit what follows from its models, the combat and the seat that looks."""
    side, combat = _side_of(board, seat), board.combat
    standing: list[list[Model]] = [[] for _ in board.units]
    for model in board.models:
        if model.is_standing:
            standing[model.unit].append(model)
    fighting, waiting = (combat.units, combat.waiting) if combat else ((), ())
    active = combat.unit if combat else board.active_unit
    return [
        (
            *(float(unit.seat == seat), float(unit.side == side), len(models), *_middle(board, models)),
            *(float(unit.id == active), float(unit.id in fighting), float(unit.id in waiting)),
        )
        for unit, models in zip(board.units, standing, strict=True)
    ]


def _middle(board: CloseQuartersBoard, models: Sequence[Model]) -> tuple[float, float]:
    """Return the mean place of models, as fractions of the table."""
    count = len(models) or 1
    x, y = sum(model.x for model in models), sum(model.y for model in models)
    return x / (count * board.width), y / (count * board.height)


def _turn_row(board: CloseQuartersBoard, seat: Seat, question: Any) -> Row:
    side, counts = _side_of(board, seat), [0, 0]
    for model in board.models:
        if model.is_standing:
            counts[board.units[model.unit].side != side] += 1
    return (
        *(float(question is not None), *one_hot(question_tag(question), QUESTIONS), _asked_unit(board, question)),
        *(board.round, board.turns, float(bool(board.order) and board.side == side)),
        *(*one_hot(board.phase, PHASES), board.combat.cycle if board.combat else 0, *counts),
    )


def _asked_unit(board: CloseQuartersBoard, question: Any) -> float:
    if isinstance(question, actions.WeaponQuestion):
        return board.models[question.model].unit
    return getattr(question, "unit", NO_PIECE)


# ---------------------------------------------------------------- deeds


def _acting(board: CloseQuartersBoard) -> float:
    active = board.combat.unit if board.combat else board.active_unit
    return NO_PIECE if active is None else active


def _moves(board: CloseQuartersBoard, action: actions.Advance | actions.Double | actions.Consolidate) -> DeedRow:
    """Describe a move by the mean of its ends."""
    count = len(action.moves)
    if not count:
        return _acting(board), NO_PIECE, 0.0, 0.0, 0.0
    x, y = sum(move.x for move in action.moves), sum(move.y for move in action.moves)
    unit = board.models[action.moves[0].model].unit
    return unit, NO_PIECE, x / (count * board.width), y / (count * board.height), count


def _simple(board: CloseQuartersBoard, action: Any) -> DeedRow:
    return _acting(board), NO_PIECE, 0.0, 0.0, 0.0


def _picks(board: CloseQuartersBoard, action: actions.SplitHits | actions.PickCasualties) -> DeedRow:
    target = board.models[action.models[0]].unit if action.models else NO_PIECE
    return NO_PIECE, target, 0.0, 0.0, len(action.models)


MANOEUVRES: tuple[actions.Manoeuvre, ...] = ("engage", "hold", "break_off")
DEEDS = DeedTable(
    {
        actions.ChooseUnit: lambda board, action: (action.unit, NO_PIECE, 0.0, 0.0, 0.0),
        actions.Hold: _simple,
        actions.Advance: _moves,
        actions.Double: _moves,
        actions.FireAt: lambda board, action: (_acting(board), action.target, 0.0, 0.0, 0.0),
        actions.HoldFire: nothing,
        actions.Consolidate: _moves,
        actions.ConsolidateBy: lambda board, action: (
            *(_acting(board), NO_PIECE, 0.0, 0.0),
            MANOEUVRES.index(action.manoeuvre),
        ),
        actions.Shoot: lambda board, action: (
            *(_acting(board), action.shots[0].target if action.shots else NO_PIECE, 0.0, 0.0),
            len(action.shots),
        ),
        actions.ChooseWeapon: lambda board, action: (
            *(_acting(board), NO_PIECE, 0.0, 0.0),
            [weapon.id for weapon in board.melee_weapons].index(action.weapon),
        ),
        actions.SplitHits: _picks,
        actions.PickCasualties: _picks,
    }
)


class CloseQuartersResearch:
    """Implements `arrays.ResearchRuleset`."""

    axes = (TURN, UNITS, MODELS)
    table = DEEDS
    on_field = ("standing",)
    max_deeds = 64

    def settings(self, kind: Any, given: Mapping[str, Any]) -> Any:
        return kind(**given)

    def loadouts(
        self, rules: AnyRuleset, settings: Any, given: Sequence[str], seats: int, rng: RandomSource
    ) -> list[Any]:
        return [actions.CloseQuartersLoadout()] * seats

    def new_encoder(self, board: CloseQuartersBoard) -> CloseQuartersEncoder:
        return CloseQuartersEncoder(board)

    def deeds(self, board: CloseQuartersBoard, options: Options[Any, Any, Any], is_factored: bool) -> list[Deed]:
        """Return the listed actions and the examples: moves and picks are too free to be listed."""
        return offered_deeds(options)

    def shaped(self, board: CloseQuartersBoard, deed: Deed, direction: int, reach: int) -> Any:
        """Return the move that shifts all models of the unit; of picks, those that begin at a place in the list."""
        limits: CloseQuartersLimits = deed.option
        match deed.action:
            case actions.Advance() | actions.Double() | actions.Consolidate():
                return type(deed.action)(_shift(board, limits, direction, reach))
            case actions.SplitHits() | actions.PickCasualties():
                return type(deed.action)(_picked(limits, direction))
            case actions.Shoot():
                return actions.Shoot(tuple(_shots(limits, direction)))
            case _:
                return deed.action

    def draw_text(self, board: CloseQuartersBoard) -> str:
        return draw_text_map(board)

    def draw_picture(self, board: CloseQuartersBoard) -> str:
        return draw_board(board)


def _shift(
    board: CloseQuartersBoard, limits: CloseQuartersLimits, direction: int, reach: int
) -> tuple[actions.ModelMove, ...]:
    dx, dy = unit_vector(direction)
    length = (limits.distance or 0) * (reach + 1) / REACHES
    return plans.shift(board, limits.unit, int(dx * length), int(dy * length))


def _picked(limits: CloseQuartersLimits, direction: int) -> tuple[actions.ModelId, ...]:
    """Return as many models as have to fall, in order from the one that the direction picks."""
    models, first = limits.models, direction * len(limits.models) // DIRECTIONS
    return tuple((*models[first:], *models[:first])[: limits.least or 0])


def _shots(limits: CloseQuartersLimits, direction: int) -> list[actions.ModelShot]:
    """Return the fire of all models at the target that the direction picks among those of each."""
    return [
        actions.ModelShot(shooter.model, shooter.targets[direction * len(shooter.targets) // DIRECTIONS])
        for shooter in limits.shooters
    ]
