"""Moves and reinforcements as parametric options: their limits, and a legal example (R8.4, R8.9, R9.1)."""

from diskwars_engine.rulesets.diskwars.activation import movement
from diskwars_protocol import geometry
from diskwars_protocol.rulesets.diskwars import effective_stats, position
from diskwars_protocol.rulesets.diskwars.actions import MoveDisk, Reinforce
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.options import Area, DiskwarsOption


def move_option(board: Board, disk: int, flips: int) -> DiskwarsOption:
    """Build the option of a move: its limits, and one flip toward the middle of the field as an example."""
    field, now = board.field, board.disks[disk]
    # The field is wide enough that a flip toward its middle never leaves it, so this example needs no search.
    dx, dy = field.width // 2 - now.x, field.height // 2 - now.y
    vector = geometry.flip_toward(*((dx, dy) if dx or dy else (0, 1)), 2 * board.profile(disk).radius)
    area = Area(0, 0, field.width, field.height)  # R8.4
    return _option(board, MoveDisk(disk, (vector,)), flips, area)


def rampage_option(board: Board, example: MoveDisk, targets: tuple[int, ...]) -> DiskwarsOption:
    """Build the option of a flip that has to overlap one of several disks (R12.6)."""
    return _option(board, example, 1, Area(0, 0, board.field.width, board.field.height, onto=targets))


def scout_move_option(board: Board, disk: int, flips: int) -> tuple[DiskwarsOption, ...]:
    """Build the option of a scout move, with a legal example; empty if the disk cannot make one."""
    example = scout_example(board, disk)
    if example is None or flips < 1:
        return ()
    area = Area(0, 0, board.field.width, board.field.height, enemies="not_overlapped")  # R8.9
    return (_option(board, example, flips, area),)


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


def placement_option(board: Board, example: Reinforce, areas: tuple[Area, ...]) -> DiskwarsOption:
    """Build the option of a disk of the reserve that may be placed in one of several areas."""
    covers, pins = _covered_and_pinned(board, example.disk, example.x, example.y)
    return DiskwarsOption(example, disk=example.disk, areas=areas, covers=covers, pins=pins)


def _option(board: Board, example: MoveDisk, flips: int, area: Area) -> DiskwarsOption:
    now, (dx, dy) = board.disks[example.disk], example.path[0]
    covers, pins = _covered_and_pinned(board, example.disk, now.x + dx, now.y + dy)
    length = 2 * board.profile(example.disk).radius
    return DiskwarsOption(
        example, disk=example.disk, flips=flips, length=length, areas=(area,), covers=covers, pins=pins
    )


def _covered_and_pinned(board: Board, disk: int, x: int, y: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the disks that a disk would overlap at (x, y), and those of them that it would pin."""
    covers = tuple(placed[0] for placed in position.overlapped_disks(board, disk, x, y, board.profile(disk).radius))
    return covers, tuple(pin.bottom for pin in position.pins_if_placed(board, disk, x, y)) if covers else ()
