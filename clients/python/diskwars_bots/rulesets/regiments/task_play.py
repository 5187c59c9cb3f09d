"""What the greedy bot of regiments does about the task of a scenario: where units go, and what they charge (C-32)."""

from diskwars_protocol.match.tasks import BattleTask
from diskwars_protocol.rulesets.regiments import position
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard, Unit

EAGER = 1 / 10
"""The loss that a charge may bring, for each round, to a side that loses by waiting."""
PATIENT = 1 / 5
"""What a charge has to bring to a side that wins by waiting, or by getting past the enemy."""
STEP_WORTH = 3
"""How many steps nearer to an enemy a step nearer to the place of the task is worth."""
STAY_WORTH = 2
"""How many steps nearer to an enemy it is worth to a last stand not to leave its place."""


def least_gain(board: RegimentsBoard, task: BattleTask, unit: Unit) -> float:
    """Return what a charge has to bring a unit to be ordered."""
    is_own = board.side(unit) == task.side
    match task.kind:
        case "hold":
            return -EAGER * max(0, board.round - board.rounds // 2)
        case "last_stand" | "break_through":
            return PATIENT if is_own else -EAGER * board.round
        case "rescue":
            return PATIENT if is_own and unit.id == _piece(board, task).id else -EAGER * board.round


def place_value(board: RegimentsBoard, task: BattleTask, unit: Unit, there: Unit) -> float:
    """Return what a place is worth by the task, in steps."""
    if task.kind == "last_stand":
        is_own = board.side(unit) == task.side
        return -STAY_WORTH * position.distance(unit.cell, there.cell) if is_own else 0.0
    if task.zone is None:
        return 0.0
    if task.kind == "hold" or board.side(unit) == task.side:
        if task.kind == "rescue" and unit.id != _piece(board, task).id:
            return -_distance_to(there, _piece(board, task))
        return -STEP_WORTH * sum(task.zone.distance(*there.cell))
    runners = [_piece(board, task)] if task.kind == "rescue" else position.enemies(board, unit)
    first = min(runners, key=lambda one: (sum(task.zone.distance(*one.cell)), one.id), default=None)  # type: ignore[union-attr]
    return 0.0 if first is None else -_distance_to(there, first)


def _distance_to(one: Unit, other: Unit) -> int:
    return position.distance(one.cell, other.cell)


def _piece(board: RegimentsBoard, task: BattleTask) -> Unit:
    return [unit for unit in board.units if board.side(unit) == task.side][task.piece or 0]
