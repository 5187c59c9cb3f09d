"""How is a piece of terrain drawn: its outline, its name and its keywords?

Drawn below the disks; the words stand where these do not cover them, if there is such a place, and a legend has to name
the pieces too. Lengths are micrometres, y
downward. Must not know any rule.
"""

from collections.abc import Iterator, Sequence
from math import isqrt
from typing import TypeAlias

from diskwars_protocol.geometry import Circle, Polygon, point_gap_sq
from diskwars_protocol.rulesets.diskwars.setup_cards import Piece, Terrain
from diskwars_text.stat_lines import keyword_text
from diskwars_text.svg_text import line_of_text, plain, width_of, wrapped

Point: TypeAlias = tuple[int, int]

_EARTH = "#6b5526"
_PALE = "#e9dfc2"
_GRID = 14
_STEPS = 10
_NAME_SIZES = range(10000, 4900, -200)
_SMALL = 6000
_LEAD = 118
"""Distance of lines in hundredths of their size."""


def patterns(pieces: Sequence[Piece]) -> str:
    """The hatching of pieces that block sight, if there are any: so they are told apart without colours as well."""
    if not any(_blocks(piece) for piece in pieces):
        return ""
    tile = 'width="5000" height="5000" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"'
    return f'<pattern id="blocked" {tile}><path d="M0,0 V5000" stroke="{_EARTH}" stroke-width="1400"/></pattern>'


def _blocks(piece: Piece) -> bool:
    return any(keyword.name == "Blocks Sight" for keyword in piece.terrain.keywords)


def keywords_of(terrain: Terrain) -> str:
    """The keywords of a piece on one line."""
    return ", ".join(map(keyword_text, terrain.keywords))


def terrain_picture(piece: Piece, height: int, disks: Sequence[Circle]) -> str:
    """A piece as SVG, on a field of that height; `disks` are those that lie on the table, y upward as on the field."""
    outline = " ".join(f"{x},{height - y}" for x, y in piece.corners)
    keywords = keywords_of(piece.terrain)
    words = f"{piece.terrain.name}: {keywords}" if keywords else piece.terrain.name
    parts = [f'<polygon points="{outline}" fill="{_PALE}" fill-opacity="0.85"/>']
    if _blocks(piece):
        parts.append(f'<polygon points="{outline}" fill="url(#blocked)" fill-opacity="0.3"/>')
    parts.append(
        f'<polygon points="{outline}" fill="none" stroke="{_EARTH}" stroke-width="1500" stroke-linejoin="round"/>'
    )
    x, y = _middle(piece.corners, disks)
    parts += _lettered(piece, x, height - y)
    return f'<g role="graphics-symbol img" aria-label="{plain(words)}">{"".join(parts)}</g>'


def _lettered(piece: Piece, x: int, y: int) -> Iterator[str]:
    """The name, and the keywords below it, around a point."""
    room = _room(piece.corners, x)
    size = next((size for size in _NAME_SIZES if width_of(piece.terrain.name, size) <= room), _NAME_SIZES[-1])
    rows = [(piece.terrain.name, size, True)]
    keywords = keywords_of(piece.terrain)
    rows += [(line, _SMALL, False) for line in wrapped(keywords, _SMALL, room)] if keywords else []
    y -= sum(size * _LEAD // 100 for _, size, _ in rows) // 2
    for text, size, bold in rows:
        yield line_of_text(x, y + size * _LEAD // 200, size, text, "middle", bold, _EARTH)
        y += size * _LEAD // 100


def _room(corners: Polygon, x: int) -> int:
    """How wide words around a place may be, so that they stick out of the piece a little at most."""
    return max(2 * min(x - min(u for u, _ in corners), max(u for u, _ in corners) - x), 30_000)


def _middle(corners: Polygon, disks: Sequence[Circle]) -> Point:
    """The place of a grid inside a piece that is furthest from its outline and from the disks on it."""
    rim = [(u, v, 0) for u, v in _rim(corners)]
    low, high = (tuple(extreme(corner[axis] for corner in corners) for axis in (0, 1)) for extreme in (min, max))
    places = [
        (low[0] + (high[0] - low[0]) * i // _GRID, low[1] + (high[1] - low[1]) * j // _GRID)
        for i in range(1, _GRID)
        for j in range(1, _GRID)
    ]
    inside = [place for place in places if not point_gap_sq(*place, corners)] or [corners[0]]
    return max(inside, key=lambda place: min(_gap(place, circle) for circle in (*rim, *disks)))


def _gap(place: Point, circle: Circle) -> int:
    """How far a place is from a circle; negative inside."""
    x, y, r = circle
    return isqrt((place[0] - x) ** 2 + (place[1] - y) ** 2) - r


def _rim(corners: Sequence[Point]) -> Iterator[Point]:
    """Points of the outline, some on each side."""
    for (x0, y0), (x1, y1) in zip(corners, (*corners[1:], corners[0]), strict=True):
        for step in range(_STEPS):
            yield x0 + (x1 - x0) * step // _STEPS, y0 + (y1 - y0) * step // _STEPS
