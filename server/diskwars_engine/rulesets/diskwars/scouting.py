"""Scout moves before round 1 (R3.7, R8.9)."""

from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars import activation, movement, zones
from diskwars_engine.rulesets.diskwars.play import Play
from diskwars_protocol import geometry
from diskwars_protocol.match import Seat
from diskwars_protocol.rulesets.diskwars import effective_stats, keywords, position
from diskwars_protocol.rulesets.diskwars.actions import EndScouting, MoveDisk, ScoutQuestion
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.events import ScoutTask
from diskwars_protocol.rulesets.diskwars.options import Area, DiskwarsOption, DiskwarsOptions


def queue_scouting(play: Play) -> None:
    """R3.7: one player after another, in initiative order."""
    board = play.board
    turns = [ScoutTask(seat, scouting_disks(board, seat)) for seat in position.seats_in_order(board)]
    play.push(*(turn for turn in turns if turn.disks))


def scouting_disks(board: Board, seat: Seat) -> tuple[int, ...]:
    """Return the disks of a seat that can scout: by their keyword, or by the zone in which they were deployed."""
    return tuple(
        disk.id
        for disk in position.fielded_disks(board)
        if disk.seat == seat
        and (
            keywords.can_scout(board.profile(disk.id))
            or zones.has_ability(board, zones.deployment_zone(board, disk.id), "scouting")
        )
    )


def question(board: Board, task: ScoutTask) -> ScoutQuestion | None:
    """Return the scouts that can still move: R-58 a pinned disk cannot."""
    able = tuple(disk for disk in task.disks if example(board, disk) is not None)
    return ScoutQuestion(able) if able else None


def move(play: Play, task: ScoutTask, action: MoveDisk) -> ScoutTask:
    """Move one disk; the rest of the turn follows all consequences of the move."""
    if action.disk not in task.disks:
        raise Illegal("not_legal", f"disk {action.disk} has no scout move", "R8.9", "$.action.disk")
    activation.start_scouting(play, task.seat, action)
    return ScoutTask(task.seat, tuple(disk for disk in task.disks if disk != action.disk))


def example(board: Board, disk: int) -> MoveDisk | None:
    """Return one flip that a scout can make: the nearest to straight ahead, toward the middle of the field."""
    now = board.disks[disk]
    if (
        not position.is_fielded(board, disk)
        or position.is_pinned(board, disk)
        or not effective_stats.movement(board, disk)
    ):
        return None
    length = 2 * board.profile(disk).radius
    dx, dy = board.field.width // 2 - now.x, board.field.height // 2 - now.y
    vectors = [geometry.flip_at(step, length) for step in range(len(geometry.DIRECTIONS))]
    for vector in sorted(vectors, key=lambda one: -(one[0] * dx + one[1] * dy)):
        lands_on_field = position.is_on_field(board, disk, now.x + vector[0], now.y + vector[1])
        if lands_on_field and not movement.is_on_enemy(board, disk, now.x + vector[0], now.y + vector[1]):
            return MoveDisk(disk, (vector,))
    return None


def move_options(board: Board, disk: int, flips: int) -> tuple[DiskwarsOption, ...]:
    """Return the limits of a scout's move, with an example, if it can move at all."""
    found = example(board, disk)
    if found is None or flips < 1:
        return ()
    field, radius = board.field, board.profile(disk).radius
    area = Area(radius, radius, field.width - radius, field.height - radius)
    return (DiskwarsOption(found, disk=disk, flips=flips, length=2 * radius, areas=(area,)),)


def options(board: Board, ask: ScoutQuestion) -> DiskwarsOptions:
    plans = [one for disk in ask.disks for one in move_options(board, disk, effective_stats.movement(board, disk))]
    return DiskwarsOptions((EndScouting(),), tuple(plans))
