"""Parts of the checks of positions that rulesets share. Each fault is a sentence that begins with a place.

A fault names the first thing that is wrong and not all: a position is refused for one fault as for many.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from diskwars_protocol.match.ids import Seat
from diskwars_protocol.records.figures import DISPLAY_FIELDS, figures_of
from diskwars_protocol.schema_limits import limit_faults

_NO_TEXT = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, ends of lines, those that turn the direction of what follows, and half characters."""
MAX_UNKNOWN_FIGURE = 10_000_000
"""The largest number in figures of packs that are not here. A field of Diskwars is 914,400 micrometres wide."""


def changed_figures(right: Struct, found: Struct, names: Iterable[str], place: str = "$") -> Iterator[str]:
    """Yield the fields of these names in which a found value differs from the right one, but for display names."""
    for name in names:
        own, other = getattr(right, name), getattr(found, name)
        if own != other and figures_of(own) != figures_of(other):
            yield f"{place}.{name}: it is not that of the packs, the scenario and the options"


def changed_entries(
    right: Sequence[Struct], found: Sequence[Struct], names: Sequence[str], place: str
) -> Iterator[str]:
    """Yield the entries of a list that differ from the right ones in one of the fields of these names."""
    if len(right) != len(found):
        yield f"{place}: {len(found)} entries, where there are {len(right)}"
        return
    for number, (own, other) in enumerate(zip(right, found, strict=True)):
        yield from changed_figures(own, other, names, f"{place}[{number}]")


def unreadable_names(board: object) -> Iterator[str]:
    """Yield display names with characters that are no part of a text: they would act in a reader's terminal.

    Names are no figures and may differ from those of the packs that are here, so that they are not compared.
    """
    yield from _unreadable(msgspec.to_builtins(board), "$")


def _unreadable(value: object, place: str) -> Iterator[str]:
    if isinstance(value, dict):
        for name, part in value.items():
            at = f"{place}.{name}"
            if name in DISPLAY_FIELDS and isinstance(part, str):
                if found := _NO_TEXT.search(part):
                    yield f"{at}: U+{ord(found[0]):04X} may not be in a name"
            else:
                yield from _unreadable(part, at)
    elif isinstance(value, list | tuple):
        for number, part in enumerate(value):
            yield from _unreadable(part, f"{place}[{number}]")


def wrong_references(place: str, numbers: Iterable[int | None], count: int) -> Iterator[str]:
    """Yield a fault if numbers are not those of different entries of a list of `count`; None is no number."""
    named = [number for number in numbers if number is not None]
    if any(not 0 <= number < count for number in named):
        yield f"{place}: there are numbers 0 to {count - 1} only"
    if len(set(named)) != len(named):
        yield f"{place}: the same number twice"


def out_of_bounds(place: str, value: int, least: int, most: int) -> Iterator[str]:
    """Yield a fault for a number that is not in a range."""
    if not least <= value <= most:
        yield f"{place}: {value} is not in {least} to {most}"


def wrong_order(place: str, order: Sequence[Seat], count: int) -> Iterator[str]:
    """Yield a fault for an order that does not name each of `count` once."""
    if sorted(order) != list(range(count)):
        yield f"{place}: it does not name each of 0 to {count - 1} once"


def limit_problems(board: Struct) -> Iterator[str]:
    """Yield what is outside of the limits that the schema states."""
    yield from (f"$.{fault}" for fault in limit_faults(board))


def unbounded_figures(found: Struct, names: Iterable[str]) -> Iterator[str]:
    """Yield the fields of these names that hold a number so large that no pack has it."""
    for name in names:
        if any(abs(number) > MAX_UNKNOWN_FIGURE for number in _numbers(getattr(found, name))):
            yield f"$.{name}: a number above {MAX_UNKNOWN_FIGURE}"


def _numbers(value: object) -> Iterator[int]:
    if isinstance(value, int):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _numbers(part)
    elif isinstance(value, Struct):
        for field in fields(value):
            yield from _numbers(getattr(value, field.name))
