"""Scenes of Diskwars: the field in millimetres, with zones until the first round, terrain, disks and pins."""

from collections.abc import Iterator

from diskwars_protocol.match.ids import Seat
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
from diskwars_protocol.rulesets.diskwars import effective_stats
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, RESERVE, Board, Disk
from diskwars_protocol.rulesets.diskwars.events import ActivationBegan
from diskwars_text.rulesets.diskwars.lexer import ruler_step

MICROMETRES_PER_MM = 1000


def make_scene(board: Board) -> Scene:
    """Return the scene of a board. The scores are the disks that each seat has left, on the field and in reserve."""
    fielded = sorted((disk for disk in board.disks if disk.place == BATTLEFIELD), key=lambda disk: disk.z)
    width, height = board.field.width, board.field.height
    return Scene(
        _mm(width),
        _mm(height),
        _mm(ruler_step(max(width, height))),
        board.round,
        board.rounds,
        tuple(_areas(board)),
        tuple(_piece(board, disk) for disk in fielded),
        tuple(_placed(board, disk) for disk in fielded),
        tuple(SceneLink(top, bottom) for top, bottom in board.pins),
        tuple(_count_left(board, side.seat) for side in board.sides),
    )


def find_actor(board: Board, event: object) -> Actor | None:
    """Return the disk that is activated."""
    if not isinstance(event, ActivationBegan):
        return None
    return Actor(event.seat, board.profile(event.disk).name, (event.disk,))


SCENES = SceneMaker(make_scene, find_actor)


def _count_left(board: Board, seat: Seat) -> int:
    return sum(disk.seat == seat and disk.place in (BATTLEFIELD, RESERVE) for disk in board.disks)


def _mm(length: int) -> int:
    return length // MICROMETRES_PER_MM


def _areas(board: Board) -> Iterator[SceneArea]:
    high = board.field.height
    for zone in board.zones:
        sides = rectangle(zone.x0, high - zone.y1, zone.x1, high - zone.y0)
        yield SceneArea("zone", tuple(map(_mm, sides)), zone.seat)
    for piece in board.terrain:
        corners = (_mm(length) for x, y in piece.corners for length in (x, high - y))
        yield SceneArea("terrain", tuple(corners), name=piece.terrain.name)


def _piece(board: Board, disk: Disk) -> ScenePiece:
    profile = board.profile(disk.id)
    name = profile.short_name or profile.name
    return ScenePiece(disk.id, disk.seat, _mm(profile.radius), name, first_letters(name))


def _placed(board: Board, disk: Disk) -> PlacedPiece:
    profile = effective_stats.profile_in_force(board, disk.id)
    is_pinned = any(bottom == disk.id for _, bottom in board.pins)
    signs: tuple[tuple[PieceMark, bool], ...] = (("activated", disk.activated), ("pinned", is_pinned))
    marks = tuple(mark for mark, is_so in signs if is_so)
    figures = (profile.strength, profile.toughness)
    return PlacedPiece(disk.id, _mm(disk.x), _mm(board.field.height - disk.y), 0, disk.damage, marks, figures)
