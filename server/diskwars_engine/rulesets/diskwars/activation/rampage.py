"""Rampage: the flip that a disk has to make after a ranged attack that shows chaos (R12.6)."""

from collections.abc import Iterator
from math import isqrt

from msgspec.structs import replace

from diskwars_engine.ruleset import Illegal, listed_numbers
from diskwars_engine.rulesets.diskwars.activation import move_options, movement
from diskwars_engine.rulesets.diskwars.resolution import Resolution
from diskwars_engine.rulesets.diskwars.task_rules import MAX_SEARCH_STEPS, OpenQuestions, wrong_action
from diskwars_engine.rulesets.diskwars.tasks import RampageTask, Task
from diskwars_engine.work_budget import WorkBudget
from diskwars_protocol import geometry
from diskwars_protocol.match.decisions import Reason
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars import position
from diskwars_protocol.rulesets.diskwars.actions import Action, MoveDisk, RampageQuestion, Vector
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.events import Pin, Rampaged
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions


def find_targets(board: Board, disk: int) -> tuple[tuple[int, ...], bool]:
    """Return the disks that a rampaging disk has to flip toward, and whether it has to overlap one (R12.6).

    These are the nearest disks that it does not pin. If it can overlap some of them, only those count and it must
    overlap one; otherwise those that it can flip straight toward.
    """
    others = [d.id for d in position.fielded_disks(board) if d.id != disk and Pin(disk, d.id) not in board.pins]
    if not others:
        return (), False
    least = min(position.distance(board, disk, other) for other in others)
    nearest = [other for other in others if position.distance(board, disk, other) == least]
    reachable = tuple(other for other in nearest if any(_overlapping_flips(board, disk, other)))
    if reachable:
        return reachable, True
    return tuple(other for other in nearest if _straight_flip(board, disk, other)), False


def _straight_flip(board: Board, disk: int, other: int) -> Vector | None:
    """Return the flip straight toward another disk; None if it leaves the field or the disks are concentric."""
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
    """Yield flips that land on another disk, the straight one first. If any such flip exists, this yields one (R-41).

    Steps of 5° alone could miss a narrow range of directions. If the straight flip leaves the field, that range begins
    where the disk touches an edge, so these flips are tried as well.
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


def allowed_flips(board: Board, task: RampageTask, work: WorkBudget) -> list[Vector]:
    """List flips that are allowed: all of them if none can overlap a target, otherwise a sample of those that do."""
    vectors: dict[Vector, None] = {}  # a dict, because a set has no stable order
    for other in task.targets:
        work.spend(len(geometry.DIRECTIONS))
        if task.must_overlap:
            vectors.update(dict.fromkeys(_overlapping_flips(board, task.disk, other)))
        elif (vector := _straight_flip(board, task.disk, other)) is not None:
            vectors[vector] = None
    return list(vectors)


def run(resolution: Resolution, task: RampageTask) -> None:
    """Determine the targets of the flip, then make it; a task whose flip has to be chosen asks first."""
    if not position.is_fielded(resolution.board, task.disk):
        return
    if not task.targets:
        targets, must_overlap = find_targets(resolution.board, task.disk)
        resolution.emit_cause(Rampaged(task.disk, targets, must_overlap, (Reason("R12.6"),)), "rampage", task.disk)
        if targets:
            resolution.push(replace(task, targets=targets, must_overlap=must_overlap, cause=resolution.cause))
        return
    movement.flip(resolution, task.disk, allowed_flips(resolution.board, task, WorkBudget(MAX_SEARCH_STEPS))[0])


def questions(board: Board, task: RampageTask) -> OpenQuestions:
    """Ask the controller to choose among several allowed flips (R19.18)."""
    if not task.targets or len(allowed_flips(board, task, WorkBudget(MAX_SEARCH_STEPS))) < 2:
        return ()
    return ((board.disks[task.disk].seat, RampageQuestion(task.disk, task.targets, task.must_overlap)),)


def options(
    board: Board, seat: Seat, task: RampageTask, question: RampageQuestion, work: WorkBudget
) -> DiskwarsOptions:
    """Offer the allowed flips and, if the disk has to overlap a target, any other flip that does (R12.6)."""
    moves = tuple(MoveDisk(task.disk, (vector,)) for vector in allowed_flips(board, task, work))
    if not task.must_overlap:
        return DiskwarsOptions(moves)
    return DiskwarsOptions(moves, (move_options.rampage_option(board, moves[0], task.targets),))


def answer(resolution: Resolution, seat: Seat, task: RampageTask, question: RampageQuestion, action: Action) -> None:
    """Make the chosen flip: one that overlaps a target or, if none can, goes straight toward one.

    Raises `Illegal`.
    """
    if not isinstance(action, MoveDisk):
        raise wrong_action(question, action)
    if action.disk != task.disk or len(action.path) != 1:
        raise Illegal(
            "not_legal", f"disk {task.disk} has to make one flip", "R12.6", "$.action.path", numbers={"disk": task.disk}
        )
    movement.check_path(resolution.board, task.disk, action.path, 1)
    vector = action.path[0]
    if task.must_overlap:
        allowed = any(_overlaps(resolution.board, task.disk, other, vector) for other in task.targets)
    else:
        allowed = vector in allowed_flips(resolution.board, task, WorkBudget(MAX_SEARCH_STEPS))
    if not allowed:
        targets = ", ".join(str(other) for other in task.targets)
        how = "overlap" if task.must_overlap else "go straight toward"
        text = f"the flip has to {how} one of the disks {targets}"
        raise Illegal("illegal_flip", text, "R12.6", "$.action.path[0]", listed_numbers("target", task.targets))
    movement.flip(resolution, task.disk, vector)


def without_seat(board: Board, task: RampageTask, seat: Seat) -> list[Task]:
    """Reset the targets, so that they are determined again without the disks of the seat that left (R-59)."""
    return [replace(task, targets=(), must_overlap=False)]
