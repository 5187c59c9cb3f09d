"""Invariants of a board after every decision, for tests and debugging."""

from collections.abc import Iterator

from diskwars_engine.rulesets.diskwars import damage
from diskwars_protocol import geometry
from diskwars_protocol.rulesets.diskwars import effective_stats, position, terrain
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, Board, Disk


def check(board: Board) -> list[str]:
    """List the broken invariants as sentences; empty if all hold."""
    return [*_pins(board), *_heights(board), *_disks(board), *_cards(board)]


def _pins(board: Board) -> Iterator[str]:
    expected = position.to_pins(geometry.find_pins(position.stacked_disks(board), board.settings.pins))
    if board.pins != expected:
        yield f"pins are {board.pins}, the geometry says {expected}"


def _heights(board: Board) -> Iterator[str]:
    heights = [disk.z for disk in position.fielded_disks(board)]
    if len(set(heights)) != len(heights):
        yield "two disks have the same height"
    if heights and max(heights) > board.top_z:
        yield f"a disk lies higher than {board.top_z}"


def _disks(board: Board) -> Iterator[str]:
    for disk in board.disks:
        if disk.place == BATTLEFIELD:
            yield from _fielded(board, disk)
        elif disk != Disk(disk.id, disk.seat, disk.profile, place=disk.place):
            yield f"disk {disk.id} is in {disk.place} and still carries something"


def _fielded(board: Board, disk: Disk) -> Iterator[str]:
    pieces = terrain.pieces_under(board, disk.id, disk.x, disk.y)
    if disk.terrain != pieces:
        yield f"disk {disk.id} is recorded on the pieces {disk.terrain}, the geometry says {pieces}"
    if not position.is_on_field(board, disk.id, disk.x, disk.y):
        yield f"disk {disk.id} lies off the field"
    if disk.damage < 0 or damage.is_wound_due(board, disk.id):
        yield f"disk {disk.id} bears {disk.damage} damage with toughness {effective_stats.toughness(board, disk.id)}"
    if disk.poisoned and not disk.damage:
        yield f"disk {disk.id} is poisoned without damage"
    if not 0 <= disk.wounds <= board.profile(disk.id).stamina:
        yield f"disk {disk.id} has {disk.wounds} wounds with stamina {board.profile(disk.id).stamina}"


def _cards(board: Board) -> Iterator[str]:
    for side in board.sides:
        if isinstance(side.hand, tuple) and len(side.hand) != side.card_count:
            yield f"seat {side.seat} holds {len(side.hand)} cards and shows {side.card_count}"
        if side.card_count < 0:
            yield f"seat {side.seat} shows {side.card_count} cards"
