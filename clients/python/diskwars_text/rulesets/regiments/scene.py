"""Scenes of regiments: cells of 100 units, with obstacles, units that face a side, and contacts."""

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
    first_letters,
    rectangle,
)
from diskwars_protocol.match.tasks import ScenarioArea
from diskwars_protocol.rulesets.regiments import position
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard, Unit
from diskwars_protocol.rulesets.regiments.events import UnitActed
from diskwars_text.rulesets.regiments.picture import TURNS

CELL = 100
HALF_BLOCK = 40


def make_scene(board: RegimentsBoard) -> Scene:
    """Return the scene of a board. The scores are the models that the side of each seat has left."""
    fielded = position.fielded(board)
    left = {side: sum(unit.size for unit in fielded if board.side(unit) == side) for side in range(len(board.sides))}
    scores = {seat: left[side] for side, seats in enumerate(board.sides) for seat in seats}
    return Scene(
        board.width * CELL,
        board.height * CELL,
        CELL,
        board.round,
        board.rounds,
        tuple(_areas(board)),
        tuple(_piece(board, unit) for unit in fielded),
        tuple(_placed(board, unit) for unit in fielded),
        tuple(SceneLink(contact.charger, contact.target) for contact in board.contacts),
        tuple(scores[seat] for seat in sorted(scores)),
    )


def find_actor(board: RegimentsBoard, event: object) -> Actor | None:
    """Return the unit that has acted."""
    if not isinstance(event, UnitActed):
        return None
    unit = board.units[event.unit]
    return Actor(unit.seat, board.profile(unit).name, (unit.id,))


SCENES = SceneMaker(make_scene, find_actor, frozenset({UnitActed}))


def _areas(board: RegimentsBoard) -> Iterator[SceneArea]:
    if board.task is not None and board.task.zone is not None:
        yield SceneArea("task", _cells(board, board.task.zone))
    for obstacle in board.obstacles:
        yield SceneArea("wall", _cells(board, obstacle))


def _cells(board: RegimentsBoard, area: ScenarioArea) -> tuple[int, ...]:
    top, bottom = board.height - 1 - area.y1, board.height - area.y0
    return rectangle(area.x0 * CELL, top * CELL, (area.x1 + 1) * CELL, bottom * CELL)


def _piece(board: RegimentsBoard, unit: Unit) -> ScenePiece:
    name = board.profile(unit).name
    return ScenePiece(unit.id, unit.seat, HALF_BLOCK, name, first_letters(name), "block")


def _placed(board: RegimentsBoard, unit: Unit) -> PlacedPiece:
    x, y = unit.x * CELL + CELL // 2, (board.height - 1 - unit.y) * CELL + CELL // 2
    marks: tuple[PieceMark, ...] = ("fleeing",) if unit.status == "fleeing" else ()
    return PlacedPiece(unit.id, x, y, TURNS[unit.facing], marks=marks, figures=(unit.size,))
