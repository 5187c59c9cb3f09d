"""Comparison of positions as a player would compare them, for texts that are read and written again."""

from diskwars_protocol.geometry import disks_overlap
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars.actions import DiskId
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, Board, Disk


def same_position(first: Board, other: Board) -> bool:
    """Return whether two positions are the same, apart from the numbering of disks and profiles and exact heights.

    Compared are the field, the disks with their tokens, which of two overlapping disks lies above, the pins, the
    progress of the match, and the public part of the cards. Not compared are hands, locks, engagements, the cursor and
    printed figures.
    """
    return _position_key(first) == _position_key(other)


def _position_key(board: Board) -> tuple[object, ...]:
    keys = [_disk_key(board, disk) for disk in board.disks]
    order = sorted(range(len(keys)), key=lambda number: (keys[number], board.disks[number].z))
    ranks = {number: rank for rank, number in enumerate(order)}
    sides = [
        (s.seat, s.card_count, s.has_locked, s.revealed_card, s.discards, s.eliminated, s.points) for s in board.sides
    ]
    pins = {(ranks[top], ranks[bottom]) for top, bottom in board.pins}
    overlaps = {(ranks[top], ranks[bottom]) for top, bottom in _overlapping_pairs(board)}
    progress = (board.round, board.rounds, board.phase, board.order, board.active_seat)
    return board.settings, board.field, board.terrain, progress, sorted(keys), pins, overlaps, sides


def _disk_key(board: Board, disk: Disk) -> tuple[Seat, str, str, int, int, tuple[int, ...]]:
    x, y = (disk.x, disk.y) if disk.place == BATTLEFIELD else (0, 0)
    states = (disk.activated, disk.empowered, disk.poisoned)
    marks = (disk.damage, disk.wounds, disk.weakened, *states, disk.id == board.active_disk)
    return disk.seat, board.profile(disk.id).name, disk.place, x, y, marks


def _overlapping_pairs(board: Board) -> list[tuple[DiskId, DiskId]]:
    """Return every pair of overlapping disks, the higher one first."""
    fielded = [(disk, board.profile(disk.id).radius) for disk in board.disks if disk.place == BATTLEFIELD]
    return [
        (upper.id, lower.id)
        for upper, r in fielded
        for lower, s in fielded
        if upper.z > lower.z and disks_overlap(upper.x, upper.y, r, lower.x, lower.y, s)
    ]
