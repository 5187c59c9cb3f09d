"""Wounds and removals of a forecast: by damage or a fall of toughness, and pins laid bare by removals (R13, R-45)."""

from collections.abc import Collection, Iterable, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from diskwars_protocol.rulesets.diskwars import effective_stats, position, terrain
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, CASUALTY, Board, Disk
from diskwars_protocol.rulesets.diskwars.events import Pin

Fate: TypeAlias = Literal["unharmed", "damaged", "wounded", "destroyed"]


class Fall(Struct, frozen=True):
    """A disk that is wounded because its toughness has fallen to its damage (R-45)."""

    disk: int
    damage: int
    toughness: int
    fate: Literal["wounded", "destroyed"]


class Wounding(Struct, frozen=True):
    """The board after wounds, the pins that removals have laid bare in order (R6.4), and the falls that followed."""

    board: Board
    gained: tuple[Pin, ...] = ()
    falls: tuple[Fall, ...] = ()


def with_disks(board: Board, changed: Iterable[Disk]) -> Board:
    by_id = {disk.id: disk for disk in changed}
    return replace(board, disks=tuple(by_id.get(disk.id, disk) for disk in board.disks))


def with_disk(board: Board, disk: int, **changes: object) -> Board:
    return with_disks(board, [replace(board.disks[disk], **changes)])


def landed_board(board: Board, disk: int, x: int, y: int, is_flight: bool = False) -> Board:
    """Return the board with a disk at (x, y), on top of all others; no pin of others changes.

    R8.7: a disk that flies on pins nothing there and is on no ground.
    """
    pins = [pin for pin in board.pins if not pin.involves(disk)]
    moved = replace(board.disks[disk], place=BATTLEFIELD, x=x, y=y, z=board.top_z + 1, terrain=())
    if not is_flight:
        moved = replace(moved, terrain=terrain.pieces_under(board, disk, x, y))
        pins += position.pins_if_placed(board, disk, x, y)
    return replace(with_disks(board, [moved]), pins=tuple(sorted(pins)), top_z=board.top_z + 1)


def is_deadly(board: Board, disk: int) -> bool:
    """Return whether a wound removes a disk: it has no stamina left (R13.5)."""
    return board.disks[disk].wounds >= board.profile(disk).stamina


def fate_of(board: Board, disk: int, taken: int) -> Fate:
    """Return what damage does to a disk; none wounds nobody, however little toughness is left (R13.4)."""
    if not taken:
        return "unharmed"
    if board.disks[disk].damage + taken < effective_stats.toughness(board, disk):
        return "damaged"
    return "destroyed" if is_deadly(board, disk) else "wounded"


def is_wound_due(board: Board, disk: Disk) -> bool:
    """Return whether damage wounds a disk whose toughness is what it is now (R13.4; R-33 for weakened ones)."""
    toughness = effective_stats.toughness(board, disk.id)
    if disk.weakened and board.settings.weakened_wounds == "above_toughness":
        return disk.damage > toughness
    return 0 < disk.damage >= toughness


def wound(board: Board, targets: Collection[int]) -> Wounding:
    """Give each of these disks one wound, and remove all together those that have no stamina left (R13.5, R13.7)."""
    dead = [disk for disk in targets if is_deadly(board, disk)]
    struck = [board.disks[disk] for disk in targets]
    after = [
        replace(now, place=CASUALTY) if now.id in dead else replace(now, damage=0, wounds=now.wounds + 1)
        for now in struck
    ]
    board, before = with_disks(board, after), board.pins
    if not dead:
        return Wounding(board)
    pins = position.update_pins(board, position.stacked_disks(board), dead)
    return Wounding(replace(board, pins=pins), tuple(sorted(set(pins) - set(before))))


def settle(board: Board) -> Wounding:
    """Wound the damaged disks whose toughness has fallen, until none is due: a wound may end another aura (R-45)."""
    falls: list[Fall] = []
    gained: list[Pin] = []
    while due := [disk for disk in position.fielded_disks(board) if disk.damage and is_wound_due(board, disk)]:
        falls += [_fall_of(board, disk) for disk in due]
        after = wound(board, [disk.id for disk in due])
        board, gained = after.board, [*gained, *after.gained]
    return Wounding(board, tuple(gained), tuple(falls))


def _fall_of(board: Board, disk: Disk) -> Fall:
    fate: Literal["wounded", "destroyed"] = "destroyed" if is_deadly(board, disk.id) else "wounded"
    return Fall(disk.id, disk.damage, effective_stats.toughness(board, disk.id), fate)


def strike(board: Board, damage: Sequence[tuple[int, int]]) -> tuple[Wounding, dict[int, Fate]]:
    """Deal damage to disks all at once, and wound those whose damage reaches their toughness (R13.2 to R13.5)."""
    fates = {disk: fate_of(board, disk, taken) for disk, taken in damage}
    hurt = with_disks(
        board, [replace(board.disks[disk], damage=board.disks[disk].damage + taken) for disk, taken in damage]
    )
    return wound(hurt, [disk for disk, fate in fates.items() if fate in ("wounded", "destroyed")]), fates
