"""Orders of regiments: options, what is not among them and why, the default, and the judge (C-24 to C-27)."""

from collections.abc import Iterator
from typing import Any

from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.regiments import flight, morale, rounds
from diskwars_engine.rulesets.regiments.resolution import Resolution, because
from diskwars_engine.work_budget import WorkBudget
from diskwars_protocol.match.decisions import Options
from diskwars_protocol.rulesets.regiments import actions, events, formation, position
from diskwars_protocol.rulesets.regiments.actions import OrderAction, OrderKind, OrderQuestion
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard, Unit
from diskwars_protocol.rulesets.regiments.options import (
    MarchEnd,
    OrderLimits,
    RegimentsOptions,
    RegimentsUnavailable,
)
from diskwars_protocol.search_steps import CountSteps, count_nothing

MIN_FILES, MAX_FILES = 4, 10
MAX_SEARCH_STEPS = 40_000
"""Poses and cells from which one question looks further, about half a second; in random play the most is 360."""

# ---------------------------------------------------------------- options


def options(board: RegimentsBoard, question: OrderQuestion) -> RegimentsOptions:
    """Return the orders that a unit can be given; marches are one option with all the places where they can end.

    Raises `WorkExceeded`.
    """
    unit, work = board.units[question.unit], WorkBudget(MAX_SEARCH_STEPS)
    listed, ends = tuple(whole_orders(board, unit, work.spend)), march_ends(board, unit, work.spend)
    if not ends:
        return Options(listed)
    limits = OrderLimits(actions.March(ends[0].path), unit.id, position.march_points(board, unit), ends)
    return Options(listed, (limits,))


def whole_orders(board: RegimentsBoard, unit: Unit, count: CountSteps = count_nothing) -> list[OrderAction]:
    """List the orders that a unit can be given, without marches; the first is the default."""
    if position.is_in_melee(board, unit):
        return [actions.Fight(), actions.Retreat()]
    listed: list[OrderAction] = [actions.Hold()]
    enemies = position.enemies(board, unit)
    listed += [actions.Charge(enemy.id) for enemy in enemies if not charge_refusal(board, unit, enemy.id, count)]
    return listed + [actions.Reform(files) for files in file_counts(unit) if files != unit.files]


def march_ends(board: RegimentsBoard, unit: Unit, count: CountSteps = count_nothing) -> tuple[MarchEnd, ...]:
    """Return where a unit can march to; nowhere if it is in melee."""
    if position.is_in_melee(board, unit):
        return ()
    return tuple(MarchEnd(*pose, path) for pose, path in position.marches(board, unit, count).items())


def file_counts(unit: Unit) -> list[int]:
    """List the numbers of files that a unit can take: 4 to 10, or all its models if they are fewer (C-25)."""
    return [unit.size] if unit.size < MIN_FILES else list(range(MIN_FILES, MAX_FILES + 1))


def unavailable(board: RegimentsBoard, question: OrderQuestion) -> tuple[RegimentsUnavailable, ...]:
    """Explain what a unit cannot do: orders as such, charges by enemy, and the numbers of files.

    Raises `WorkExceeded`.
    """
    return tuple(refused_orders(board, board.units[question.unit], WorkBudget(MAX_SEARCH_STEPS).spend))


def refused_orders(board: RegimentsBoard, unit: Unit, count: CountSteps) -> Iterator[RegimentsUnavailable]:
    in_melee = position.is_in_melee(board, unit)
    kinds: tuple[OrderKind, ...] = ("hold", "march", "reform", "charge") if in_melee else ("fight", "retreat")
    for kind in kinds:
        yield _explained(state_refusal(board, unit, kind), kind)
    if in_melee:
        return
    for refusal in _march_refusals(board, unit):
        yield _explained(refusal, "march")
    if (illegal := reform_refusal(unit, unit.files)) is not None:
        yield RegimentsUnavailable(illegal.code, illegal.text, illegal.rule, "reform", files=unit.files)
    for enemy in position.enemies(board, unit):
        if (illegal := charge_refusal(board, unit, enemy.id, count)) is not None:
            yield RegimentsUnavailable(illegal.code, illegal.text, illegal.rule, "charge", enemy.id)


def _explained(refusal: Illegal, order: OrderKind) -> RegimentsUnavailable:
    return RegimentsUnavailable(refusal.code, refusal.text, refusal.rule, order)


def state_refusal(board: RegimentsBoard, unit: Unit, order: OrderKind) -> Illegal:
    """Return why an order cannot be given to any unit in this state (C-24, C-27)."""
    if position.is_in_melee(board, unit):
        return _refused("a unit in melee fights or retreats", "C-27", unit)
    return _refused("the unit is not in melee", "C-27", unit)


def _refused(text: str, rule: str, unit: Unit, place: str = "$.action") -> Illegal:
    return Illegal("not_legal", text, rule, place, {"unit": unit.id})


# ---------------------------------------------------------------- marching and reforming


def _march_refusals(board: RegimentsBoard, unit: Unit) -> Iterator[Illegal]:
    """Yield why a unit cannot march at all, or not ahead."""
    if not position.march_points(board, unit):
        yield _refused("half its movement is less than one step", "C-24", unit)
        return
    blocked = step_refusal(board, unit, position.after_step((unit.x, unit.y, unit.facing), "forward"), 0)
    if blocked is not None:
        yield blocked


def step_refusal(board: RegimentsBoard, unit: Unit, pose: position.Pose, place: int) -> Illegal | None:
    """Return why a unit cannot take this pose on its march; `place` is the number of the step (C-24)."""
    cell, where = pose[:2], f"$.action.path[{place}]"
    numbers = {"unit": unit.id, "x": cell[0], "y": cell[1]}
    if not position.is_on_field(board, cell):
        return Illegal("not_legal", "the march leaves the field", "C-24", where, numbers)
    if cell != unit.cell and cell in position.occupied(board):
        return Illegal("not_legal", "another unit is in the way", "C-24", where, numbers)
    if position.is_obstacle(board, cell):
        return Illegal("not_legal", "an obstacle is in the way", "C-31", where, numbers)
    return None


def march_end(board: RegimentsBoard, unit: Unit, action: actions.March) -> position.Pose:
    """Return where a march ends. Raises `Illegal`."""
    points = position.march_points(board, unit)
    if len(action.path) > points:
        numbers = {"unit": unit.id, "steps": len(action.path), "points": points}
        raise Illegal("not_legal", f"it can march {points} steps", "C-24", "$.action.path", numbers)
    pose: position.Pose = (unit.x, unit.y, unit.facing)
    for place, step in enumerate(action.path):
        pose = position.after_step(pose, step)
        if (refusal := step_refusal(board, unit, pose, place)) is not None:
            raise refusal
    return pose


def reform_refusal(unit: Unit, files: int) -> Illegal | None:
    """Return why a unit cannot take this number of files (C-25)."""
    numbers = {"unit": unit.id, "files": files}
    able = file_counts(unit)
    if files not in able:
        text = f"it can have {able[0]} files" if len(able) == 1 else f"it can have {able[0]} to {able[-1]} files"
        return Illegal("not_legal", text, "C-25", "$.action.files", numbers)
    if files == unit.files:
        return Illegal("not_legal", "it has as many files already", "C-25", "$.action.files", numbers)
    return None


# ---------------------------------------------------------------- charging


def charge_refusal(board: RegimentsBoard, unit: Unit, target: int, count: CountSteps = count_nothing) -> Illegal | None:
    """Return why a unit cannot charge an enemy; None if it can."""
    numbers = {"unit": unit.id, "target": target}
    if not 0 <= target < len(board.units) or not board.units[target].is_fielded:
        return Illegal("not_legal", "there is no such unit on the field", "C-26", "$.action.target", numbers)
    count(1)
    enemy = board.units[target]
    problem = _target_problem(board, unit, enemy) or _way_problem(board, unit, enemy, count)
    return problem and Illegal("not_legal", problem[0], problem[1], "$.action.target", numbers)


def _target_problem(board: RegimentsBoard, unit: Unit, target: Unit) -> tuple[str, str] | None:
    """Return why a unit is no target of a charge, and the rule."""
    if board.side(target) == board.side(unit):
        return "the target is no enemy", "C-26"
    if target.status == "fleeing":
        return "the target flees", "C-26"
    if position.arc_of(unit, target.cell) != "front":
        return "the target is not in the front arc", "C-19"
    if not position.is_in_sight(board, unit.cell, target.cell):
        return "a unit or an obstacle hides the target", "C-20"
    return None


def _way_problem(board: RegimentsBoard, unit: Unit, target: Unit, count: CountSteps) -> tuple[str, str] | None:
    """Return why there is no way to the side of the target that the charge has to hit, and the rule."""
    arc = position.charge_arc(unit, target)
    cell = position.beside(target, arc)  # on the field, because the charger starts farther off in the same arc
    if cell != unit.cell and cell in position.occupied(board):
        return f"the cell at its {arc} side is taken", "C-26"
    if position.is_obstacle(board, cell):
        return f"an obstacle is at its {arc} side", "C-31"
    if position.charge_path(board, unit, cell, count) is None:
        return f"no way of {board.profile(unit).movement} steps leads to its {arc} side", "C-26"
    return None


# ---------------------------------------------------------------- default and judge


def default(board: RegimentsBoard, question: OrderQuestion) -> OrderAction:
    """Return the answer after a time-out."""
    return default_order(board, board.units[question.unit])


def default_order(board: RegimentsBoard, unit: Unit) -> OrderAction:
    """Return what a unit does without an order: in melee it fights on, otherwise it holds (C-24, C-27)."""
    return actions.Fight() if position.is_in_melee(board, unit) else actions.Hold()


ORDER_KINDS: dict[type[Any], OrderKind] = {
    actions.Hold: "hold",
    actions.March: "march",
    actions.Reform: "reform",
    actions.Charge: "charge",
    actions.Fight: "fight",
    actions.Retreat: "retreat",
}
IN_MELEE: frozenset[OrderKind] = frozenset({"fight", "retreat"})


def answer(resolution: Resolution, question: OrderQuestion, action: Any) -> None:
    """Carry out an order. Raises `Illegal`."""
    unit = resolution.unit(question.unit)
    check_order(resolution.board, unit, action)
    carry_out(resolution, unit, action)
    rounds.play_on(resolution)


def check_order(board: RegimentsBoard, unit: Unit, order: Any) -> None:
    """Refuse an order that the unit cannot carry out as things are. Raises `Illegal`."""
    kind = ORDER_KINDS.get(type(order))
    if kind is None:
        raise Illegal("wrong_action", f"{type(order).__name__} does not answer this question", place="$.action")
    if (kind in IN_MELEE) != position.is_in_melee(board, unit):
        raise state_refusal(board, unit, kind)
    refusal = None
    match order:
        case actions.March():
            march_end(board, unit, order)
        case actions.Reform(files=files):
            refusal = reform_refusal(unit, files)
        case actions.Charge(target=target):
            refusal = charge_refusal(board, unit, target)
        case _:
            pass  # C-24, C-27: to hold, to fight on and to retreat are always possible
    if refusal is not None:
        raise refusal


def carry_out(resolution: Resolution, unit: Unit, order: OrderAction) -> None:
    """Carry out an order that `check_order` has accepted; the unit has acted in this round then."""
    match order:
        case actions.March():
            _march(resolution, unit, order)
        case actions.Reform(files=files):
            resolution.emit(events.UnitReformed(unit.id, files, because("C-25", files=files)))
        case actions.Charge(target=target):
            _charge(resolution, unit, target)
        case actions.Retreat():
            _retreat(resolution, unit)
        case _:
            pass  # C-24, C-27: to hold and to fight on change nothing now
    resolution.emit(events.UnitActed(unit.id))


def _march(resolution: Resolution, unit: Unit, action: actions.March) -> None:
    x, y, facing = march_end(resolution.board, unit, action)
    reasons = because("C-24", steps=len(action.path), points=position.march_points(resolution.board, unit))
    resolution.emit(events.UnitMarched(unit.id, action.path, x, y, facing, reasons))


def _charge(resolution: Resolution, unit: Unit, target: int) -> None:
    """Run into the target; C-2: one that is charged in the flank or rear may flee."""
    board = resolution.board
    enemy = resolution.unit(target)
    arc = position.charge_arc(unit, enemy)
    cell = position.beside(enemy, arc)
    path = position.charge_path(board, unit, cell) or ()
    facing = position.facing_towards(cell, enemy.cell)
    reasons = because("C-26", steps=len(path))
    cells = tuple(events.Cell(*step) for step in path)
    resolution.emit(events.UnitCharged(unit.id, target, arc, cells, *cell, facing, reasons))
    if arc != "front" and board.settings.flank_test:
        morale.check_flank(resolution, target, unit.id)


def _retreat(resolution: Resolution, unit: Unit) -> None:
    """C-27: the unit flees at once, and every enemy in contact hacks at it."""
    touches = formation.all_touches(resolution.board)
    hackers = [enemy.id for enemy in position.opponents(resolution.board, unit)]
    flight.flee(resolution, unit.id, "retreated", hackers, touches)
