"""Rampage: which way a disk has to flip after a ranged attack that shows chaos (R12.6)."""

from collections.abc import Iterator
from math import isqrt

from msgspec.structs import replace

from diskwars_engine.ruleset import Illegal, listed_numbers
from diskwars_engine.rulesets.diskwars import move_options, movement
from diskwars_engine.rulesets.diskwars.play import Play
from diskwars_engine.rulesets.diskwars.task_rules import OpenQuestions, wrong_action
from diskwars_engine.rulesets.diskwars.tasks import RampageTask, Task
from diskwars_protocol import geometry
from diskwars_protocol.match import Reason, Seat
from diskwars_protocol.rulesets.diskwars import position
from diskwars_protocol.rulesets.diskwars.actions import Action, MoveDisk, RampageQuestion, Vector
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.events import Pin, Rampaged
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions


def find_targets(board: Board, disk: int) -> tuple[tuple[int, ...], bool]:
    """R12.6: the nearest disks that it does not pin and can flip toward; and whether it can, so must, overlap one."""
    others = [d.id for d in position.fielded_disks(board) if d.id != disk and Pin(disk, d.id) not in board.pins]
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


def run(play: Play, task: RampageTask) -> None:
    """Find the way, and go it when there is only one."""
    if not position.is_fielded(play.board, task.disk):
        return
    if not task.targets:
        targets, must_overlap = find_targets(play.board, task.disk)
        play.emit_cause(Rampaged(task.disk, targets, must_overlap, (Reason("R12.6"),)), "rampage", task.disk)
        if targets:
            play.push(replace(task, targets=targets, must_overlap=must_overlap, cause=play.cause))
        return
    movement.flip(play, task.disk, allowed_flips(play.board, task)[0])


def questions(board: Board, task: RampageTask) -> OpenQuestions:
    """Ask the controller among the directions allowed, if there are several (R19.18)."""
    if not task.targets or len(allowed_flips(board, task)) < 2:
        return ()
    return ((board.disks[task.disk].seat, RampageQuestion(task.disk, task.targets, task.must_overlap)),)


def options(board: Board, seat: Seat, task: RampageTask, question: RampageQuestion) -> DiskwarsOptions:
    """Offer the flips that are allowed; where it has to overlap, any other flip that does is allowed too (R12.6)."""
    moves = tuple(MoveDisk(task.disk, (vector,)) for vector in allowed_flips(board, task))
    if not task.must_overlap:
        return DiskwarsOptions(moves)
    return DiskwarsOptions(moves, (replace(move_options.move_option(board, task.disk, 1), example=moves[0]),))


def answer(play: Play, seat: Seat, task: RampageTask, question: RampageQuestion, action: Action) -> None:
    """Make one flip that overlaps one of the disks, or if none can, goes straight toward one of them."""
    if not isinstance(action, MoveDisk):
        raise wrong_action(question, action)
    if action.disk != task.disk or len(action.path) != 1:
        raise Illegal(
            "not_legal", f"disk {task.disk} has to make one flip", "R12.6", "$.action.path", numbers={"disk": task.disk}
        )
    movement.check_path(play.board, task.disk, action.path, 1)
    vector = action.path[0]
    if task.must_overlap:
        allowed = any(_overlaps(play.board, task.disk, other, vector) for other in task.targets)
    else:
        allowed = vector in allowed_flips(play.board, task)
    if not allowed:
        targets = ", ".join(str(other) for other in task.targets)
        how = "overlap" if task.must_overlap else "go straight toward"
        text = f"the flip has to {how} one of the disks {targets}"
        raise Illegal("illegal_flip", text, "R12.6", "$.action.path[0]", listed_numbers("target", task.targets))
    movement.flip(play, task.disk, vector)


def without_seat(board: Board, task: RampageTask, seat: Seat) -> list[Task]:
    """Forget the way: it has to be found again, as a player has left, and their disks as well (R-59)."""
    return [replace(task, targets=(), must_overlap=False)]
