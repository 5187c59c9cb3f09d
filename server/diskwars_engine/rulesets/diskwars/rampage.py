"""Forced flips of the Hellcannon (R12.6): the legal directions, and the consequences."""

from collections.abc import Iterator
from math import isqrt

from msgspec.structs import replace

from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars import movement
from diskwars_engine.rulesets.diskwars.play import Play
from diskwars_protocol import geometry
from diskwars_protocol.match import Reason
from diskwars_protocol.rulesets.diskwars import position
from diskwars_protocol.rulesets.diskwars.actions import MoveDisk, RampageQuestion, Vector
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.events import Rampaged, RampageTask


def find_targets(board: Board, disk: int) -> tuple[tuple[int, ...], bool]:
    """R12.6: the nearest disks that it does not pin and can flip toward; and whether it can, so must, overlap one."""
    others = [d.id for d in position.fielded_disks(board) if d.id != disk and (disk, d.id) not in board.pins]
    if not others:
        return (), False
    least = min(position.distance(board, disk, other) for other in others)
    near = [other for other in others if position.distance(board, disk, other) == least]
    able = tuple(other for other in near if any(_overlapping_flips(board, disk, other)))
    if able:
        return able, True
    return tuple(other for other in near if _straight_flip(board, disk, other)), False


def _straight_flip(board: Board, disk: int, other: int) -> Vector | None:
    """Return the flip straight toward another disk, if it lands inside the field; None for concentric disks."""
    dx, dy = board.disks[other].x - board.disks[disk].x, board.disks[other].y - board.disks[disk].y
    if not (dx or dy):
        return None
    vector = geometry.flip_toward(dx, dy, 2 * board.profile(disk).radius)
    return vector if _lands_on_field(board, disk, vector) else None


def _lands_on_field(board: Board, disk: int, vector: Vector) -> bool:
    now = board.disks[disk]
    return position.is_on_field(board, disk, now.x + vector[0], now.y + vector[1])


def _overlaps(board: Board, disk: int, other: int, vector: Vector) -> bool:
    now, aim = board.disks[disk], board.disks[other]
    radii = board.profile(disk).radius, board.profile(other).radius
    return geometry.disks_overlap(now.x + vector[0], now.y + vector[1], radii[0], aim.x, aim.y, radii[1])


def _overlapping_flips(board: Board, disk: int, other: int) -> Iterator[Vector]:
    """Yield flips that land on another disk, straight first. R-41: if any exists, one of these does.

    If the straight flip leaves the field, the allowed ones begin where the disk touches an edge.
    """
    length = 2 * board.profile(disk).radius
    straight = _straight_flip(board, disk, other)
    turns = (geometry.flip_at(step, length) for step in range(len(geometry.DIRECTIONS)))
    for vector in (*([straight] if straight else []), *_edge_flips(board, disk), *turns):
        if _lands_on_field(board, disk, vector) and _overlaps(board, disk, other, vector):
            yield vector


def _edge_flips(board: Board, disk: int) -> Iterator[Vector]:
    """Yield the flips after which the disk touches an edge of the field."""
    now, radius, field = board.disks[disk], board.profile(disk).radius, board.field
    square = 4 * radius * radius
    for dx in (radius - now.x, field.width - radius - now.x):
        if dx * dx <= square:
            yield from ((dx, isqrt(square - dx * dx)), (dx, -isqrt(square - dx * dx)))
    for dy in (radius - now.y, field.height - radius - now.y):
        if dy * dy <= square:
            yield from ((isqrt(square - dy * dy), dy), (-isqrt(square - dy * dy), dy))


def allowed_flips(board: Board, task: RampageTask) -> list[Vector]:
    """Return allowed flips: all of them if none can overlap, otherwise some in every direction."""
    found: dict[Vector, None] = {}
    for other in task.targets:
        if task.must_overlap:
            found.update(dict.fromkeys(_overlapping_flips(board, task.disk, other)))
        elif (vector := _straight_flip(board, task.disk, other)) is not None:
            found[vector] = None
    return list(found)


def without_targets(task: RampageTask) -> RampageTask:
    """Compute the directions again after a player has left with all disks (R-59)."""
    return replace(task, targets=(), must_overlap=False)


def question(board: Board, task: RampageTask) -> RampageQuestion | None:
    """R19.18: the controller picks among the allowed directions, if there are several."""
    if not task.targets or len(allowed_flips(board, task)) < 2:
        return None
    return RampageQuestion(task.disk, task.targets, task.must_overlap)


def run(play: Play, task: RampageTask) -> None:
    """Find the direction, and flip if there is only one."""
    if not position.is_fielded(play.board, task.disk):
        return
    if not task.targets:
        toward, overlap = find_targets(play.board, task.disk)
        play.emit(Rampaged(task.disk, toward, overlap, (Reason("R12.6"),)))
        if toward:
            play.push(replace(task, targets=toward, must_overlap=overlap))
        return
    movement.flip(play, task.disk, allowed_flips(play.board, task)[0])


def choose_flip(play: Play, task: RampageTask, action: MoveDisk) -> None:
    """Any flip that overlaps one of the disks, or if none can, the straight one toward one of them."""
    if action.disk != task.disk or len(action.path) != 1:
        raise Illegal("not_legal", f"disk {task.disk} has to make one flip", "R12.6", "$.action.path")
    movement.check_path(play.board, task.disk, action.path, 1)
    vector = action.path[0]
    if task.must_overlap:
        allowed = any(_overlaps(play.board, task.disk, other, vector) for other in task.targets)
    else:
        allowed = vector in allowed_flips(play.board, task)
    if not allowed:
        among = ", ".join(str(other) for other in task.targets)
        how = "overlap" if task.must_overlap else "go straight toward"
        raise Illegal("illegal_flip", f"the flip has to {how} one of the disks {among}", "R12.6", "$.action.path[0]")
    movement.flip(play, task.disk, vector)
