"""Maps of boards with cells: a grid of marks with its scales, and the marks of pieces."""

import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest

from diskwars_protocol.match.ids import Seat, seat_letter

MIN_LEGEND_COLUMNS = 20


def seat_marks(seats: Iterable[Seat]) -> tuple[str, ...]:
    """Return the mark of each piece, given by its seat: the letter, and its number among those of the seat from 1."""
    seen = Counter[Seat]()
    marks = []
    for seat in seats:
        seen[seat] += 1
        marks.append(f"{seat_letter(seat)}{seen[seat]}")
    return tuple(marks)


def grid_lines(width: int, height: int, marks: Mapping[tuple[int, int], str], cell_width: int) -> list[str]:
    """Return the rows of a grid from the last to row 0, each with its number, and the numbers of the columns."""
    rows = [
        f"{y:>2} " + "".join(f"{marks.get((x, y), '.'):>{cell_width}}" for x in range(width))
        for y in reversed(range(height))
    ]
    return [*rows, "   " + "".join(f"{x:>{cell_width}}" for x in range(width))]


def with_legend(grid: Sequence[str], legend: Iterable[str], columns: int) -> list[str]:
    """Return the lines of a grid with a legend to its right, or below it where the screen is too narrow for both."""
    left = max(map(len, grid), default=0) + 2
    room = columns - left
    if room < MIN_LEGEND_COLUMNS:
        return [*grid, *legend]
    wrapped = [part for line in legend for part in textwrap.wrap(line, room, subsequent_indent="   ")]
    rows = zip_longest(grid, wrapped, fillvalue="")
    return [f"{row:<{left}}{text}".rstrip() for row, text in rows]
