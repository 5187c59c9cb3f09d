"""Bounds of positions that come from a file: what every reader can check without rules and packs.

A branch begins at a position that its file alone states. Whether a match can have come to it, only the rules say
(`verify`); these bounds are those within which a board can be drawn and folded at all. `position_bounds.js` of the page
has the same, and `tests/vectors/positions.json` holds both to them.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec import Struct

MAX_NUMBER = 10_000_000
"""The largest number in a position. The field of Diskwars is 914,400 micrometres wide."""
MAX_ENTRIES = 1_000
"""The most entries of one list; in play the longest has 27."""
MAX_TEXT = 20_000
"""The longest text; in play 345 characters."""
MAX_VALUES = 50_000
"""The most values of a position; in play 1,700 with two seats."""
SEATS = (0, 3)
POSITION_EVENTS = ("position_set", "branch_began")

_NO_ENTRIES: Mapping[str, Any] = MappingProxyType({})


class PositionBounds(Struct, frozen=True):
    """Bounds of the boards of one ruleset. A place is a path: the profile of each fighter
    is at "fighters[].profile".

    `ranges` are the least and the largest number at a place. `references` are numbers of entries of a list, `names` ids
    of entries of a list. `numbered` are lists whose entries state their own number in the field that is named.
    """

    ranges: Mapping[str, tuple[int, int]] = _NO_ENTRIES
    references: Mapping[str, str] = _NO_ENTRIES
    names: Mapping[str, str] = _NO_ENTRIES
    numbered: Mapping[str, str] = _NO_ENTRIES


NO_POSITION_BOUNDS = PositionBounds()


class _Part(Struct, frozen=True):
    """A value of a board: its place as bounds name it, its path as faults do."""

    place: str
    path: str
    value: Any


class _Lists:
    """The lists of a board to which numbers and ids refer."""

    def __init__(self, board: dict[str, Any], bounds: PositionBounds) -> None:
        lists = {name: _entries(board, name) for name in {*bounds.references.values(), *bounds.names.values()}}
        self.sizes = {name: len(entries) for name, entries in lists.items()}
        self.ids = {
            name: [entry.get("id") for entry in entries if isinstance(entry, dict)] for name, entries in lists.items()
        }


def _entries(board: Any, place: str) -> list[Any]:
    """Return the list at a place of a board; empty without one, as a field with its default is not there."""
    for name in place.split("."):
        board = board.get(name, []) if isinstance(board, dict) else []
    return board if isinstance(board, list) else []


def board_faults(board: Any, bounds: PositionBounds) -> Iterator[str]:
    """Yield what is out of bounds in a board as plain JSON, each with its place. Hidden values have none."""
    if not isinstance(board, dict):
        yield "$.board: it is no object"
        return
    lists = _Lists(board, bounds)
    left, values = [_Part("", "$.board", board)], 0
    while left:
        part = left.pop()
        values += 1
        if values > MAX_VALUES:
            yield f"$.board: more than {MAX_VALUES} values"
            return
        yield from _faults(part, bounds, lists)
        left += _parts(part)


def _parts(part: _Part) -> Iterator[_Part]:
    """Yield the values that one consists of; none of a list that is too long."""
    place, path, value = part.place, part.path, part.value
    if isinstance(value, list) and len(value) <= MAX_ENTRIES:
        yield from (_Part(f"{place}[]", f"{path}[{number}]", entry) for number, entry in enumerate(value))
    elif isinstance(value, dict) and "#" not in value:
        yield from (_Part(f"{place}.{name}" if place else name, f"{path}.{name}", value[name]) for name in value)


def _faults(part: _Part, bounds: PositionBounds, lists: _Lists) -> Iterator[str]:
    value: object = part.value
    if isinstance(value, int) and not isinstance(value, bool):
        yield from _number_faults(part, value, bounds, lists)
    elif isinstance(value, str):
        if len(value) > MAX_TEXT:
            yield f"{part.path}: longer than {MAX_TEXT}"
        if part.place in bounds.names and value not in lists.ids[bounds.names[part.place]]:
            yield f"{part.path}: nothing has this id"
    elif isinstance(value, list):
        yield from _list_faults(part, value, bounds)


def _number_faults(part: _Part, value: int, bounds: PositionBounds, lists: _Lists) -> Iterator[str]:
    least, most = bounds.ranges.get(part.place, (-MAX_NUMBER, MAX_NUMBER))
    if part.place in bounds.references:
        least, most = 0, lists.sizes[bounds.references[part.place]] - 1
    if not least <= value <= most:
        yield f"{part.path}: {value} is not in {least} to {most}"


def _list_faults(part: _Part, value: list[Any], bounds: PositionBounds) -> Iterator[str]:
    if len(value) > MAX_ENTRIES:
        yield f"{part.path}: more than {MAX_ENTRIES} entries"
        return
    own = bounds.numbered.get(part.place)
    for number, entry in enumerate(value):
        if own is not None and (not isinstance(entry, dict) or entry.get(own) != number):
            yield f"{part.path}[{number}]: it is number {number}"


class _Event(Struct):
    type: str = ""
    position: Any = None
    board: Any = None


class _Events(Struct):
    events: tuple[_Event, ...] = ()


_EVENTS = msgspec.json.Decoder(_Events)


def position_faults_of(body: bytes, bounds: PositionBounds) -> Iterator[str]:
    """Yield what is out of bounds in the positions that the body of a record states, each with its place in it."""
    if not any(f'"{name}"'.encode() in body for name in POSITION_EVENTS):
        return  # nearly every record
    for number, event in enumerate(_EVENTS.decode(body).events):
        if event.type == "position_set":
            board = event.position.get("board") if isinstance(event.position, dict) else None
            yield from (f"$.events[{number}].position{fault[1:]}" for fault in board_faults(board, bounds))
        elif event.type == "branch_began" and event.board is not None:
            yield from (f"$.events[{number}]{fault[1:]}" for fault in board_faults(event.board, bounds))
