"""Falls of toughness at a landing: lost empowerment, auras that end, and the wounds that follow (R16.7, R-45)."""

from collections.abc import Sequence

from msgspec.structs import replace

from diskwars_protocol.rulesets.diskwars import effective_stats, position, terrain
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, CASUALTY, Board, Disk
from diskwars_protocol.rulesets.diskwars.stats import RemoveEmpowerment
from diskwars_text.rulesets.diskwars.phrases import disk_names


def landed_board(board: Board, disk: int, x: int, y: int) -> Board:
    """Return the board with a disk at (x, y), on top of all others; no pin of others changes."""
    now = board.disks[disk]
    pins = tuple(pin for pin in board.pins if not pin.involves(disk))
    moved = replace(now, place=BATTLEFIELD, x=x, y=y, z=board.top_z + 1)
    moved = replace(moved, terrain=terrain.pieces_under(board, disk, x, y))
    gained = position.pins_if_placed(board, disk, x, y)
    return replace(_with_disks(board, (moved,)), pins=tuple(sorted((*pins, *gained))), top_z=board.top_z + 1)


def strip(board: Board, disk: int) -> tuple[Board, list[str]]:
    """Take the empowerment of a disk that has landed near one that strips it (R16.7), with the lines that say so."""
    if not board.disks[disk].empowered:
        return board, []
    for other in position.fielded_disks(board):
        effect = position.passive_effect(board, other.id, RemoveEmpowerment)
        if effect and other.id != disk and position.is_within(board, other.id, disk, effect.reach):
            names = disk_names(board)
            board, lines = settle(_with_disks(board, (replace(board.disks[disk], empowered=False),)))
            return board, [f"  {names[disk]} loses its empowerment to {names[other.id]}", *lines]
    return board, []


def settle(board: Board) -> tuple[Board, list[str]]:
    """Wound the damaged disks whose toughness has fallen until none is due (R-45), with the lines that say so."""
    lines: list[str] = []
    names = disk_names(board)
    while due := [disk for disk in position.fielded_disks(board) if _is_wound_due(board, disk)]:
        after = []
        for disk in due:
            toughness = effective_stats.toughness(board, disk.id)
            is_dead = disk.wounds >= board.profile(disk.id).stamina
            lines.append(
                f"  {names[disk.id]} loses toughness and is {'destroyed' if is_dead else 'wounded'}: "
                f"damage {disk.damage}, toughness {toughness}"
            )
            if is_dead and _is_between(board, disk.id):
                lines.append("  not forecast: abilities of the pins that this lays bare")
            after.append(replace(disk, place=CASUALTY) if is_dead else replace(disk, damage=0, wounds=disk.wounds + 1))
        board = _with_disks(board, after)
        dead = {disk.id for disk in after if disk.place == CASUALTY}
        board = replace(board, pins=tuple(pin for pin in board.pins if not {pin.top, pin.bottom} & dead))
    return board, lines


def _is_wound_due(board: Board, disk: Disk) -> bool:
    """Return whether damage wounds a disk whose toughness is what it is now (R13.4; R-33 for weakened ones)."""
    toughness = effective_stats.toughness(board, disk.id)
    if disk.weakened and board.settings.weakened_wounds == "above_toughness":
        return disk.damage > toughness
    return 0 < disk.damage >= toughness


def _is_between(board: Board, disk: int) -> bool:
    return any(pin.top == disk for pin in board.pins) and any(pin.bottom == disk for pin in board.pins)


def _with_disks(board: Board, changed: Sequence[Disk]) -> Board:
    by_id = {disk.id: disk for disk in changed}
    return replace(board, disks=tuple(by_id.get(disk.id, disk) for disk in board.disks))
