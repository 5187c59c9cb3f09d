"""The picture of a piece of terrain: its outline, its name and its keywords.

It is drawn below the disks. Its text is placed where no disk covers it, if there is such a place; the legend names the
pieces as well. Lengths are micrometres, y downward.
"""

from collections.abc import Iterator, Sequence
from math import isqrt

from diskwars_protocol.geometry import Circle, Point, Polygon, point_gap_sq
from diskwars_protocol.rulesets.diskwars.setup_cards import Terrain, TerrainPiece
from diskwars_text.rulesets.diskwars.stat_lines import terrain_keyword_text
from diskwars_text.svg_text import escape_text, text_svg, text_width, wrap_text

_TERRAIN_COLOUR = "#6b5526"
_TERRAIN_FILL = "#e9dfc2"
_GRID_SIZE = 14
_POINTS_PER_SIDE = 10
_NAME_SIZES = range(10000, 4900, -200)
_KEYWORD_TEXT_SIZE = 6000
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
    x, y = _text_position(piece.corners, disks)
    parts += _text_svg(piece, x, height - y)
    return f'<g role="graphics-symbol img" aria-label="{escape_text(words)}">{"".join(parts)}</g>'


def _text_svg(piece: TerrainPiece, x: int, y: int) -> Iterator[str]:
    """Yield the name, and the keywords below it, centred on a point."""
    width = _available_width(piece.corners, x)
    size = next((size for size in _NAME_SIZES if text_width(piece.terrain.name, size) <= width), _NAME_SIZES[-1])
    rows = [(piece.terrain.name, size, True)]
    keywords = keywords_text(piece.terrain)
    rows += (
        [(line, _KEYWORD_TEXT_SIZE, False) for line in wrap_text(keywords, _KEYWORD_TEXT_SIZE, width)]
        if keywords
        else []
    )
    y -= sum(size * _LINE_HEIGHT_PERCENT // 100 for _, size, _ in rows) // 2
    for text, size, bold in rows:
        yield text_svg(x, y + size * _LINE_HEIGHT_PERCENT // 200, size, text, "middle", bold, _TERRAIN_COLOUR)
        y += size * _LINE_HEIGHT_PERCENT // 100


def _available_width(corners: Polygon, x: int) -> int:
    """Return how wide text around a point may be; it may stick out of a narrow piece a little."""
    return max(2 * min(x - min(u for u, _ in corners), max(u for u, _ in corners) - x), 30_000)


def _text_position(corners: Polygon, disks: Sequence[Circle]) -> Point:
    """Return the point inside a piece, of a grid, that is furthest from its outline and from the disks."""
    rim = [(u, v, 0) for u, v in _outline_points(corners)]
    low, high = (tuple(extreme(corner[axis] for corner in corners) for axis in (0, 1)) for extreme in (min, max))
    places = [
        (low[0] + (high[0] - low[0]) * i // _GRID_SIZE, low[1] + (high[1] - low[1]) * j // _GRID_SIZE)
        for i in range(1, _GRID_SIZE)
        for j in range(1, _GRID_SIZE)
    ]
    inside = [place for place in places if not point_gap_sq(*place, corners)] or [corners[0]]
    return max(inside, key=lambda place: min(_distance_to_circle(place, circle) for circle in (*rim, *disks)))


def _distance_to_circle(place: Point, circle: Circle) -> int:
    """Return the distance of a point from a circle; negative inside."""
    x, y, r = circle
    return isqrt((place[0] - x) ** 2 + (place[1] - y) ** 2) - r


def _outline_points(corners: Sequence[Point]) -> Iterator[Point]:
    """Yield points along the outline, several on each side."""
    for (x0, y0), (x1, y1) in zip(corners, (*corners[1:], corners[0]), strict=True):
        for step in range(_POINTS_PER_SIDE):
            yield x0 + (x1 - x0) * step // _POINTS_PER_SIDE, y0 + (y1 - y0) * step // _POINTS_PER_SIDE
