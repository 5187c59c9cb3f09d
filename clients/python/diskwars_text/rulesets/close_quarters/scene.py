"""Scenes of close quarters: the table in hundredths of an inch, with hills, the barricade, models and contacts."""

from collections.abc import Iterator

from diskwars_protocol.match.scenes import (
    Actor,
    PieceMark,
    PlacedPiece,
    Scene,
    SceneArea,
    SceneLink,
    SceneMaker,
    ScenePiece,
    rectangle,
)
from diskwars_protocol.match.tasks import ScenarioArea
from diskwars_protocol.rulesets.close_quarters import position
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard, Model
from diskwars_protocol.rulesets.close_quarters.events import UnitActivated
from diskwars_protocol.rulesets.close_quarters.position import BASE, INCH
from diskwars_text.rulesets.close_quarters.phrases import model_marks

GRID_INCHES = 4


def make_scene(board: CloseQuartersBoard) -> Scene:
    """Return the scene of a board. The scores are the model points of the side that each seat plays."""
    standing, letters = position.standing(board), model_marks(board)
    points = {seat: position.points(board, side) for side, seats in enumerate(board.sides) for seat in seats}
    return Scene(
        board.width,
        board.height,
        GRID_INCHES * INCH,
        board.round,
        board.turns,
        tuple(_areas(board)),
        tuple(_piece(board, model, letters[model.id]) for model in standing),
        tuple(_placed(board, model) for model in standing),
        tuple(_links(board)),
        tuple(points[seat] for seat in sorted(points)),
    )


def find_actor(board: CloseQuartersBoard, event: object) -> Actor | None:
    """Return the unit that acts."""
    if not isinstance(event, UnitActivated):
        return None
    unit = board.units[event.unit]
    models = tuple(model.id for model in position.models_of(board, unit.id))
    return Actor(unit.seat, board.profile(unit).name, models)


SCENES = SceneMaker(make_scene, find_actor)


def _areas(board: CloseQuartersBoard) -> Iterator[SceneArea]:
    for hill in board.high_ground:
        yield SceneArea("hill", _corners(board, hill))
    if board.task is not None and board.task.zone is not None:
        yield SceneArea("task", _corners(board, board.task.zone))
    if board.barricade is not None:
        wall, high = board.barricade, board.height
        yield SceneArea("wall", (wall.x0, high - wall.y0, wall.x1, high - wall.y1))


def _corners(board: CloseQuartersBoard, area: ScenarioArea) -> tuple[int, ...]:
    return rectangle(area.x0, board.height - area.y1, area.x1, board.height - area.y0)


def _piece(board: CloseQuartersBoard, model: Model, letters: str) -> ScenePiece:
    unit = board.units[model.unit]
    return ScenePiece(model.id, unit.seat, BASE // 2, board.profile(unit).name, letters)


def _placed(board: CloseQuartersBoard, model: Model) -> PlacedPiece:
    unit = board.units[model.unit]
    signs: tuple[tuple[PieceMark, bool], ...] = (("leader", model.is_leader), ("fleeing", unit.has_fallen_back))
    return PlacedPiece(model.id, model.x, board.height - model.y, marks=tuple(mark for mark, is_so in signs if is_so))


def _links(board: CloseQuartersBoard) -> Iterator[SceneLink]:
    for model in position.standing(board):
        for enemy in position.enemies(board, position.side_of(board, model)):
            if enemy.id > model.id and position.is_in_contact(board, model, enemy):
                yield SceneLink(model.id, enemy.id)
