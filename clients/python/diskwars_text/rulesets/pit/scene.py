"""Scenes of the pit: cells of 100 units, with walls, fighters and contacts."""

from collections.abc import Iterator

from diskwars_protocol.match.scenes import (
    Actor,
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
from diskwars_protocol.rulesets.pit import position
from diskwars_protocol.rulesets.pit.board import Fighter, PitBoard
from diskwars_protocol.rulesets.pit.events import TurnBegan

CELL = 100
RADIUS = 42


def make_scene(board: PitBoard) -> Scene:
    """Return the scene of a board. The scores are the fighters that each seat has left."""
    fielded = position.fielded(board)
    return Scene(
        board.width * CELL,
        board.height * CELL,
        CELL,
        board.round,
        board.rounds,
        tuple(_areas(board)),
        tuple(_piece(board, fighter) for fighter in fielded),
        tuple(_placed(board, fighter) for fighter in fielded),
        tuple(
            SceneLink(fighter.id, enemy.id)
            for fighter in fielded
            for enemy in position.touched_enemies(board, fighter)
            if enemy.id > fighter.id
        ),
        tuple(sum(fighter.seat == seat for fighter in fielded) for seat in range(len(board.seats))),
    )


def find_actor(board: PitBoard, event: object) -> Actor | None:
    """Return the seat whose turn it is."""
    return Actor(event.seat) if isinstance(event, TurnBegan) else None


SCENES = SceneMaker(make_scene, find_actor)


def _areas(board: PitBoard) -> Iterator[SceneArea]:
    if board.task is not None and board.task.zone is not None:
        yield SceneArea("task", _cells(board, board.task.zone))
    for wall in board.walls:
        yield SceneArea("wall", _cells(board, wall))


def _cells(board: PitBoard, area: ScenarioArea) -> tuple[int, ...]:
    top, bottom = board.height - 1 - area.y1, board.height - area.y0
    return rectangle(area.x0 * CELL, top * CELL, (area.x1 + 1) * CELL, bottom * CELL)


def _piece(board: PitBoard, fighter: Fighter) -> ScenePiece:
    name = board.profile(fighter).name
    return ScenePiece(fighter.id, fighter.seat, RADIUS, name, first_letters(name))


def _placed(board: PitBoard, fighter: Fighter) -> PlacedPiece:
    x, y = fighter.x * CELL + CELL // 2, (board.height - 1 - fighter.y) * CELL + CELL // 2
    return PlacedPiece(fighter.id, x, y, marks=("down",) if fighter.is_down else (), figures=(fighter.wounds,))
