"""Queries on a board: disks, pins, distances, seats.

Pure functions, shared by engine, bots and texts; they know neither dice nor the order of play.
"""

from collections.abc import Collection, Iterable
from typing import Generic, TypeVar

from diskwars_protocol import geometry
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars import keywords
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, RESERVE, Board, Disk
from diskwars_protocol.rulesets.diskwars.events import Pin
from diskwars_protocol.rulesets.diskwars.stats import (
    REACHES,
    Ability,
    DealDamage,
    Effect,
    Reach,
)

MATCH_CACHE_SIZE = 1024
"""Matches whose constant but expensive facts are cached."""

T = TypeVar("T")
P = TypeVar("P", bound=Effect)

StackedDiskTuple = tuple[int, int, int, int, int]
"""A disk as the plane sees it: number, x, y, radius, z."""


class ByIdentity(Generic[T]):
    """A part of a board as a cache key, compared by identity; deep comparison would be slow."""

    def __init__(self, value: T) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ByIdentity) and self.value is other.value


def fielded_disks(board: Board) -> list[Disk]:
    """List the disks on the battlefield, by number."""
    return [disk for disk in board.disks if disk.place == BATTLEFIELD]


def reserve_disks(board: Board, seat: Seat) -> list[Disk]:
    return [disk for disk in board.disks if disk.place == RESERVE and disk.seat == seat]


def stacked_disks(board: Board) -> list[StackedDiskTuple]:
    profiles = board.profiles
    return [(d.id, d.x, d.y, profiles[d.profile].radius, d.z) for d in board.disks if d.place == BATTLEFIELD]


def overlapped_disks(board: Board, disk: int, x: int, y: int, radius: int) -> list[StackedDiskTuple]:
    """List the other fielded disks that a disk at (x, y) overlaps: `geometry.disks_overlap`, written out for speed."""
    profiles, reach = board.profiles, radius - geometry.OVERLAP_TOLERANCE_UM
    return [
        (d.id, d.x, d.y, profiles[d.profile].radius, d.z)
        for d in board.disks
        if d.place == BATTLEFIELD
        and (d.x - x) ** 2 + (d.y - y) ** 2 <= (reach + profiles[d.profile].radius) ** 2
        and d.id != disk
    ]


def is_fielded(board: Board, disk: int) -> bool:
    return board.disks[disk].place == BATTLEFIELD


def is_pinned(board: Board, disk: int) -> bool:
    """Return whether any disk pins this one: whenever another overlaps it from above (R6.3)."""
    return disk in [pin.bottom for pin in board.pins]


def pinning_disks(board: Board, disk: int) -> list[int]:
    """List the disks that pin a disk, friends and enemies (R6.1)."""
    return [pin.top for pin in board.pins if pin.bottom == disk]


def are_enemies(board: Board, one: int, other: int) -> bool:
    """Return whether two disks belong to different seats; all seats are enemies of each other (R1.5)."""
    return board.disks[one].seat != board.disks[other].seat


def to_pins(pairs: Iterable[tuple[int, int]]) -> tuple[Pin, ...]:
    """Return pairs (top, bottom) of the geometry as pins."""
    return tuple(Pin(top, bottom) for top, bottom in pairs)


def update_pins(board: Board, table: Collection[geometry.PlacedDisk], moved: Iterable[int]) -> tuple[Pin, ...]:
    """Return all pins after `moved` disks have come, gone or moved; `table` holds all disks as they are then."""
    before = ((pin.top, pin.bottom) for pin in board.pins)
    return to_pins(geometry.update_pins(before, table, moved, board.settings.pins))


def enemy_pins(board: Board, pins: Iterable[Pin]) -> list[Pin]:
    """Filter the pins between enemies, who are engaged (R6.5)."""
    return [pin for pin in pins if are_enemies(board, pin.top, pin.bottom)]


def pinned_enemies(board: Board, disk: int) -> list[int]:
    return [pin.bottom for pin in board.pins if pin.top == disk and are_enemies(board, disk, pin.bottom)]


def is_activatable(board: Board, disk: Disk) -> bool:
    """Return whether a disk is fielded, not activated and not pinned (R7.11); its own pins do not matter (R8.10)."""
    return disk.place == BATTLEFIELD and not disk.activated and not is_pinned(board, disk.id)


def is_eliminated(board: Board, seat: Seat) -> bool:
    return board.sides[seat].eliminated


def seats_in_order(board: Board) -> list[Seat]:
    """List the seats still in the game, in initiative order."""
    return [seat for seat in board.order if not board.sides[seat].eliminated]


def active_seat(board: Board) -> Seat:
    """Return the seat that orders simultaneous triggers: the player of the card, or in melee the first (R19.19)."""
    return board.active_seat if board.active_seat is not None else seats_in_order(board)[0]


def passive_effect(board: Board, disk: int, kind: type[P]) -> P | None:
    """Return the passive effect of one kind that is printed on a disk, or None."""
    return next((a.effect for a in board.profile(disk).abilities if isinstance(a.effect, kind)), None)


def abilities(board: Board, disk: int, when: str) -> list[tuple[int, Ability]]:
    """List the abilities printed on a disk with a given timing, with their numbers."""
    return [(i, a) for i, a in enumerate(board.profile(disk).abilities) if a.timing == when]


def focus_abilities(board: Board, disk: int) -> list[Effect]:
    """List the focus abilities of a disk in the order of their numbers: Magic X first (R8.3), then those printed."""
    magic = keywords.magic_amount(board.profile(disk))
    effects: list[Effect] = [] if magic is None else [DealDamage(magic, "arcane", "medium")]
    return effects + [ability.effect for _, ability in abilities(board, disk, "focus")]


# ---------------------------------------------------------------- distances


def reach_length(board: Board, reach: Reach) -> int | None:
    """Return the length of a range band in micrometres; None for siege, which is unlimited (R5.5)."""
    field = board.field
    return {"short": field.short, "medium": field.medium, "long": field.long, "siege": None}[reach]


def range_numbers(board: Board, disk: int, target: int, reach: Reach) -> dict[str, int]:
    """Return the numbers of a refusal about range; `length` is that of the band, absent for siege."""
    limit = reach_length(board, reach)
    return {"disk": disk, "target": target} | ({} if limit is None else {"length": limit})


def is_within(board: Board, one: int, other: int, reach: Reach) -> bool:
    """Return whether two fielded disks are within a range band of each other, edge to edge (R5.4)."""
    limit = reach_length(board, reach)
    a, b = board.disks[one], board.disks[other]
    ra, rb = board.profiles[a.profile].radius, board.profiles[b.profile].radius
    return limit is None or geometry.disks_within(a.x, a.y, ra, b.x, b.y, rb, limit)


def within_reach(board: Board, one: int, others: Iterable[Disk], reach: Reach) -> list[int]:
    """List the numbers of the disks within a range band of one: `is_within` for each, without a call for each."""
    limit, profiles, now = reach_length(board, reach), board.profiles, board.disks[one]
    if limit is None:
        return [disk.id for disk in others]
    x, y, span = now.x, now.y, profiles[now.profile].radius + limit
    return [
        disk.id
        for disk in others
        if (disk.x - x) ** 2 + (disk.y - y) ** 2 <= (span + profiles[disk.profile].radius) ** 2
    ]


def range_band(board: Board, one: int, other: int) -> Reach:
    """Return the smallest range band that contains the distance of two disks (R5.5)."""
    return next(reach for reach in REACHES if is_within(board, one, other, reach))


def distance(board: Board, one: int, other: int) -> int:
    a, b = board.disks[one], board.disks[other]
    return geometry.disk_gap(a.x, a.y, board.profiles[a.profile].radius, b.x, b.y, board.profiles[b.profile].radius)


def is_on_field(board: Board, disk: int, x: int, y: int) -> bool:
    """Return whether a disk at (x, y) would lie wholly inside the battlefield (R8.4)."""
    return geometry.is_inside_rectangle(x, y, board.profile(disk).radius, 0, 0, board.field.width, board.field.height)


def pins_if_placed(board: Board, disk: int, x: int, y: int) -> tuple[Pin, ...]:
    """Compute the pins of a disk that is placed at (x, y), above all others (R5.6, R6.1)."""
    radius = board.profiles[board.disks[disk].profile].radius
    around = overlapped_disks(board, disk, x, y, radius)
    if not around:
        return ()
    top = (disk, x, y, radius, board.top_z + 1)
    return to_pins(geometry.find_pins_from_top(top, around, board.settings.pins))


def overlaps_enemy_zone(board: Board, disk: int, x: int, y: int) -> bool:
    """Return whether a disk at (x, y) would overlap a deployment zone of another player."""
    seat, radius = board.disks[disk].seat, board.profile(disk).radius
    for zone in board.zones:
        corners = ((zone.x0, zone.y0), (zone.x1, zone.y0), (zone.x1, zone.y1), (zone.x0, zone.y1))
        if zone.seat != seat and geometry.disk_overlaps_polygon(x, y, radius, corners):
            return True
    return False


def zone_of(board: Board, disk: int, x: int, y: int) -> int | None:
    """Return the number of the own deployment zone in which a disk at (x, y) would lie wholly, or None."""
    seat, radius = board.disks[disk].seat, board.profile(disk).radius
    for number, zone in enumerate(board.zones):
        if zone.seat == seat and geometry.is_inside_rectangle(x, y, radius, zone.x0, zone.y0, zone.x1, zone.y1):
            return number
    return None
