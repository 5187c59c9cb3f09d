"""The picture of a piece of terrain: its outline, its name and its keywords.

It is drawn below the disks. Its text is placed where no disk covers it, if there is such a place; the legend names the
pieces as well. Lengths are micrometres, y downward.
"""

from collections.abc import Iterator, Sequence
from math import isqrt
from typing import TypeAlias

from diskwars_protocol.geometry import Circle, Point, Polygon, point_gap_sq
from diskwars_protocol.rulesets.diskwars.setup_cards import Terrain, TerrainPiece
from diskwars_text.rulesets.diskwars.stat_lines import terrain_keyword_text
from diskwars_text.svg_text import break_text, escape_text, text_svg, text_width

Rows: TypeAlias = tuple[tuple[str, int], ...]
"""Rows of text from the top, each with its size."""

_TERRAIN_COLOUR = "#6b5526"
_TERRAIN_FILL = "#e9dfc2"
_GRID_SIZE = 14
_POINTS_PER_SIDE = 10
_NAME_SIZE, _KEYWORD_TEXT_SIZE = 10000, 6000
_TEXT_PERCENTS = (100, 90, 80, 70, 60, 50)
_TEXT_MARGIN = 2000
"""The space that is left free between text and outline."""
_LINE_HEIGHT_PERCENT = 118
"""Distance between lines in hundredths of the text size."""


def pattern_definitions(pieces: Sequence[TerrainPiece]) -> str:
    """Return the hatching that marks pieces that block sight without colour; empty if there are none."""
    if not any(_blocks_sight(piece) for piece in pieces):
        return ""
    tile = 'width="5000" height="5000" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"'
    return (
        f'<pattern id="blocked" {tile}><path d="M0,0 V5000" stroke="{_TERRAIN_COLOUR}" stroke-width="1400"/></pattern>'
    )


def _blocks_sight(piece: TerrainPiece) -> bool:
    return any(keyword.id == "blocks_sight" for keyword in piece.terrain.keywords)


def keywords_text(terrain: Terrain) -> str:
    """Return the keywords of a piece, separated by commas."""
    return ", ".join(map(terrain_keyword_text, terrain.keywords))


def draw_terrain(piece: TerrainPiece, height: int, disks: Sequence[Circle]) -> str:
    """Draw a piece as SVG on a field of that height; `disks` are the disks on the table, y upward as on the field."""
    outline = " ".join(f"{x},{height - y}" for x, y in piece.corners)
    keywords = keywords_text(piece.terrain)
    words = f"{piece.terrain.name}: {keywords}" if keywords else piece.terrain.name
    parts = [f'<polygon points="{outline}" fill="{_TERRAIN_FILL}" fill-opacity="0.85"/>']
    if _blocks_sight(piece):
        parts.append(f'<polygon points="{outline}" fill="url(#blocked)" fill-opacity="0.3"/>')
    parts.append(
        f'<polygon points="{outline}" fill="none" stroke="{_TERRAIN_COLOUR}" '
        'stroke-width="1500" stroke-linejoin="round"/>'
    )
    parts += _text_svg(piece, height, disks)
    return f'<g role="graphics-symbol img" aria-label="{escape_text(words)}">{"".join(parts)}</g>'


def _text_svg(piece: TerrainPiece, height: int, disks: Sequence[Circle]) -> Iterator[str]:
    """Yield the name, and the keywords below it, as large as fits inside the outline and beside the disks."""
    places = _text_places(piece.corners, disks)
    layouts = list(_text_layouts(piece.terrain))
    x, y, rows = next(
        (
            (x, y, rows)
            for obstacles in (disks, ())
            for rows in layouts
            for x, y in places
            if _fits_inside(piece.corners, obstacles, x, y, rows)
        ),
        (*places[0], layouts[-1]),
    )
    for (text, size), middle in zip(rows, _row_middles(y, rows), strict=True):
        is_name = text == rows[0][0]
        yield text_svg(x, height - middle, size, text, "middle", is_name, _TERRAIN_COLOUR)


def _text_layouts(terrain: Terrain) -> Iterator[Rows]:
    """Yield forms of the name and the keywords, the largest first, each size with the keywords in fewer rows first."""
    keywords = keywords_text(terrain)
    for percent in _TEXT_PERCENTS:
        size, small = _NAME_SIZE * percent // 100, _KEYWORD_TEXT_SIZE * percent // 100
        for count in range(1, len(keywords.split()) + 1):
            yield (terrain.name, size), *((line, small) for line in break_text(keywords, count))
        if not keywords:
            yield ((terrain.name, size),)


def _row_middles(y: int, rows: Rows) -> list[int]:
    """Return the middles of rows centred on `y`, upward as on the field."""
    steps = [size * _LINE_HEIGHT_PERCENT // 100 for _, size in rows]
    top = y + sum(steps) // 2
    return [top - sum(steps[:number]) - step // 2 for number, step in enumerate(steps)]


def _fits_inside(corners: Polygon, disks: Sequence[Circle], x: int, y: int, rows: Rows) -> bool:
    """Return whether every row is inside the outline, by points along its edges, and beside the disks."""
    for (text, size), middle in zip(rows, _row_middles(y, rows), strict=True):
        wide = text_width(text, size) // 2 + _TEXT_MARGIN
        high = size // 2 + _TEXT_MARGIN // 2
        for share in (-4, 4, 0, -2, 2):
            u = x + wide * share // 4
            if point_gap_sq(u, middle - high, corners) or point_gap_sq(u, middle + high, corners):
                return False
            if any(_distance_to_circle((u, middle), circle) < high for circle in disks):
                return False
    return True


def _text_places(corners: Polygon, disks: Sequence[Circle]) -> list[Point]:
    """Return points of a grid inside a piece, those furthest from its outline and from the disks first."""
    rim = [(u, v, 0) for u, v in _outline_points(corners)]
    low, high = (tuple(extreme(corner[axis] for corner in corners) for axis in (0, 1)) for extreme in (min, max))
    places = [
        (low[0] + (high[0] - low[0]) * i // _GRID_SIZE, low[1] + (high[1] - low[1]) * j // _GRID_SIZE)
        for i in range(1, _GRID_SIZE)
        for j in range(1, _GRID_SIZE)
    ]
    inside = [place for place in places if not point_gap_sq(*place, corners)] or [corners[0]]
    return sorted(inside, key=lambda place: -min(_distance_to_circle(place, circle) for circle in (*rim, *disks)))


def _distance_to_circle(place: Point, circle: Circle) -> int:
    """Return the distance of a point from a circle; negative inside."""
    x, y, r = circle
    return isqrt((place[0] - x) ** 2 + (place[1] - y) ** 2) - r


def _outline_points(corners: Sequence[Point]) -> Iterator[Point]:
    """Yield points along the outline, several on each side."""
    for (x0, y0), (x1, y1) in zip(corners, (*corners[1:], corners[0]), strict=True):
        for step in range(_POINTS_PER_SIDE):
            yield x0 + (x1 - x0) * step // _POINTS_PER_SIDE, y0 + (y1 - y0) * step // _POINTS_PER_SIDE
