"""What the greedy bot of close quarters does about the task of a scenario: where its units go (B-29)."""

from diskwars_protocol.match.tasks import BattleTask, ScenarioArea
from diskwars_protocol.rulesets.close_quarters import plans, position
from diskwars_protocol.rulesets.close_quarters.actions import SideId, UnitId
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard, Model

IN_ZONE = 1.0
"""What a model in the place of the task is worth, in models."""
NEARER = 1 / 1000
"""What a hundredth of an inch towards it is worth for each model."""


def way_to_zone(board: CloseQuartersBoard, unit: UnitId) -> plans.Point | None:
    """Return in which direction the place of the task is from a unit that has to get there; None for others."""
    task = board.task
    if task is None or task.zone is None or not _goes(board, task, unit):
        return None
    leader = position.reference(board, unit)
    middle = _nearest_point(task.zone, leader)
    return middle[0] - leader.x, middle[1] - leader.y


def task_worth(board: CloseQuartersBoard, side: SideId) -> float:
    """Return how far the task has come for a side, in models."""
    task = board.task
    if task is None or task.zone is None:
        return 0.0
    if task.kind == "hold":
        return _worth(board, task.zone, side) - _worth(board, task.zone, 1 - side)
    sign = 1 if side == task.side else -1
    return sign * _worth(board, task.zone, task.side)


def _worth(board: CloseQuartersBoard, zone: ScenarioArea, side: SideId) -> float:
    task = board.task
    assert task is not None  # it has the zone
    runners = [model for model in position.standing(board) if _goes(board, task, model.unit, side)]
    inside = sum(zone.contains(model.x, model.y) for model in runners)
    return IN_ZONE * inside - NEARER * sum(sum(zone.distance(model.x, model.y)) for model in runners)


def _goes(board: CloseQuartersBoard, task: BattleTask, unit: UnitId, side: SideId | None = None) -> bool:
    """Return whether a unit has to get to the place of the task."""
    own = board.units[unit].side
    if side is not None and own != side:
        return False
    if task.kind == "rescue":
        models = [model for model in board.models if board.units[model.unit].side == task.side]
        return unit == models[task.piece or 0].unit
    return task.kind == "hold" or own == task.side


def _nearest_point(zone: ScenarioArea, model: Model) -> plans.Point:
    """Return a point inside the place, an inch from its edge where it is that wide."""
    margin_x, margin_y = (
        min(position.INCH, (high - low) // 2) for low, high in ((zone.x0, zone.x1), (zone.y0, zone.y1))
    )
    return (
        min(max(model.x, zone.x0 + margin_x), zone.x1 - margin_x),
        min(max(model.y, zone.y0 + margin_y), zone.y1 - margin_y),
    )
