"""Moves as parametric options: the limits of a move and a legal example (R8.4, R8.9)."""

from diskwars_engine.rulesets.diskwars import movement
from diskwars_protocol import geometry
from diskwars_protocol.rulesets.diskwars import effective_stats, position
from diskwars_protocol.rulesets.diskwars.actions import MoveDisk
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.options import Area, DiskwarsOption


def move_option(board: Board, disk: int, flips: int) -> DiskwarsOption:
    """Build the option of a move: its limits, and one flip toward the middle of the field as an example."""
    field, now = board.field, board.disks[disk]
    # The field is wide enough that a flip toward its middle never leaves it, so this example needs no search.
    dx, dy = field.width // 2 - now.x, field.height // 2 - now.y
    vector = geometry.flip_toward(*((dx, dy) if dx or dy else (0, 1)), 2 * board.profile(disk).radius)
    return _option(board, MoveDisk(disk, (vector,)), flips)


def scout_move_option(board: Board, disk: int, flips: int) -> tuple[DiskwarsOption, ...]:
    """Build the option of a scout move, with a legal example; empty if the disk cannot make one."""
    example = scout_example(board, disk)
    return () if example is None or flips < 1 else (_option(board, example, flips),)


def scout_example(board: Board, disk: int) -> MoveDisk | None:
    """Return a legal flip of a scout, as near as possible to the direction of the middle; None if it has none."""
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
    for vector in sorted(vectors, key=lambda flip: -(flip[0] * dx + flip[1] * dy)):
        lands_on_field = position.is_on_field(board, disk, now.x + vector[0], now.y + vector[1])
        if lands_on_field and not movement.is_on_enemy(board, disk, now.x + vector[0], now.y + vector[1]):
            return MoveDisk(disk, (vector,))
    return None


def _option(board: Board, example: MoveDisk, flips: int) -> DiskwarsOption:
    field, radius = board.field, board.profile(example.disk).radius
    area = Area(radius, radius, field.width - radius, field.height - radius)
    return DiskwarsOption(example, disk=example.disk, flips=flips, length=2 * radius, areas=(area,))
