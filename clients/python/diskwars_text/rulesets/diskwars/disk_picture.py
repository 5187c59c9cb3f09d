"""The picture of one disk, drawn so that it stays readable when others lie on it.

A disk is drawn around (0, 0), y downward. Its number, tokens, name and figures are placed where no disk above covers
them and nothing else is drawn, if there is such a place; therefore disks are drawn from the highest down. Lengths are
micrometres.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import isqrt
from typing import TypeAlias

from msgspec import Struct

from diskwars_protocol.geometry import DIRECTIONS, Circle
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars.board import Disk
from diskwars_protocol.rulesets.diskwars.stats import Profile
from diskwars_text.svg_text import INK, break_text, escape_text, text_svg, text_width

Rectangle: TypeAlias = tuple[int, int, int, int]


class Colours(Struct, frozen=True, gc=False):
    """The colours of a seat and the dashes of its rim, which distinguish seats without colours."""

    strong: str
    pale: str
    dashes: str


COLOURS = (
    Colours("#0060a8", "#dceaf7", ""),
    Colours("#b84a00", "#fce8da", "5200 2600"),
    Colours("#00785a", "#daf1e9", "1500 2200"),
    Colours("#8f3f7a", "#f5e4ef", "9000 2000 1800 2000"),
)
"""Blue, vermilion, green and purple that colour-blind people can tell apart."""

ACTING_COLOUR = "#ffb000"
_RIM_WIDTH = 2200
_RIM_GAP = 700
BADGE_RADIUS = 5600
EMBLEM_RADIUS = 4800
_NAME_SIZES = range(9200, 4300, -400)
_STATS_TEXT_SIZE = 6400
_LINE_HEIGHT_PERCENT = 112
"""Distance between lines in hundredths of the text size."""


class DiskToken(Struct, frozen=True, gc=False):
    """A token on a disk: the shape of its badge, the text in it, and its description."""

    shape: str
    text: str
    description: str


def disk_tokens(disk: Disk) -> list[DiskToken]:
    """Return the tokens on a disk in drawing order."""
    tokens = [
        (disk.damage, DiskToken("damage", str(disk.damage), f"damage {disk.damage}")),
        (disk.wounds, DiskToken("wound", str(disk.wounds), f"wounds {disk.wounds}")),
        (disk.activated, DiskToken("activated", "", "activated")),
        (disk.empowered, DiskToken("empowered", "+1", "empowered")),
        (disk.weakened, DiskToken("weakened", f"-{disk.weakened}", f"toughness lowered by {disk.weakened}")),
        (disk.poisoned, DiskToken("poisoned", "×", "poisoned")),
    ]
    return [token for count, token in tokens if count]


_BADGE_SHAPES = {
    "damage": (
        "M0,-6800 C2600,-3600 5400,-800 5400,1800 A5400,5400 0 0 1 -5400,1800 C-5400,-800 -2600,-3600 0,-6800Z",
        "#a3123a",
        "#ffffff",
    ),
    "wound": ("M0,6400 L-5600,200 A3200,3200 0 0 1 0,-4200 A3200,3200 0 0 1 5600,200Z", "#3a3a40", "#ffffff"),
    "activated": ("M-5400,-5400 H5400 V5400 H-5400Z", "#ffffff", INK),
    "empowered": ("M0,-6800 L6200,-600 H3400 V5600 H-3400 V-600 H-6200Z", "#f2c500", INK),
    "weakened": ("M0,6800 L6200,600 H3400 V-5600 H-3400 V600 H-6200Z", "#c9c9d2", INK),
    "poisoned": ("M0,-6000 L5200,-3000 V3000 L0,6000 L-5200,3000 V-3000Z", "#5d8a2b", "#ffffff"),
}


def badge_svg(x: int, y: int, token: DiskToken) -> str:
    """Draw the badge of a token, about 11 mm across."""
    path, fill, ink = _BADGE_SHAPES[token.shape]
    drawn = f'<path d="{path}" fill="{fill}" stroke="#ffffff" stroke-width="1100"/>'
    if token.shape == "activated":
        drawn = (
            f'<path d="{path}" fill="{fill}" stroke="{ink}" stroke-width="900"/>'
            f'<path d="M-3000,200 L-900,2600 L3200,-2600" fill="none" stroke="{ink}" stroke-width="1700"/>'
        )
    sign = (
        text_svg(0, 700 if token.shape == "damage" else 0, 5600, token.text, "middle", True, ink) if token.text else ""
    )
    return f'<g transform="translate({x} {y})">{drawn}{sign}</g>'


_EMBLEM_SHAPES = (
    "M-{r},0 A{r},{r} 0 1 1 {r},0 A{r},{r} 0 1 1 -{r},0Z",
    "M-{r},-{r} H{r} V{r} H-{r}Z",
    "M0,-{l} L{l},{r} H-{l}Z",
    "M0,-{l} L{l},0 L0,{l} L-{l},0Z",
)


def emblem_svg(x: int, y: int, seat: Seat, text: str, size: int = EMBLEM_RADIUS) -> str:
    """Draw the emblem of a seat (disc, square, triangle, diamond) with a few letters in it."""
    path = _EMBLEM_SHAPES[seat].format(r=size, l=size * 14 // 10)
    font = min(size * 13 // 10, size * 16 // 10 * size // max(1, text_width(text, size)))
    shape = f'<path d="{path}" fill="{COLOURS[seat].strong}"/>'
    return f'<g transform="translate({x} {y})">{shape}{text_svg(0, 0, font, text, "middle", True, "#ffffff")}</g>'


# ---------------------------------------------------------------- free space


class FreeArea:
    """The visible part of a disk: inside its rim and outside the disks above, relative to its centre.

    `taken` are rectangles of the whole picture that are occupied already, by centre and half sides; all disks share
    them.
    """

    def __init__(self, x: int, y: int, radius: int, above: Sequence[Circle], taken: list[Rectangle]) -> None:
        self.x = x
        self.y = y
        self.radius = radius
        self.above = above
        self.taken = taken

    def candidate_points(self) -> Iterator[tuple[int, int]]:
        """Yield points on the disk, those near its centre first."""
        step = self.radius // 9
        grid = [(x * step, y * step) for x in range(-9, 10) for y in range(-9, 10)]
        yield from sorted(grid, key=lambda spot: (spot[0] ** 2 + spot[1] ** 2, spot[1], spot[0]))

    def is_free(self, x: int, y: int, wide: int, high: int, brim: int = -_RIM_WIDTH - _RIM_GAP) -> bool:
        """Return whether a rectangle, by centre and half sides, is wholly visible and within the rim plus `brim`."""
        reach = self.radius + brim
        corners = [(x + a * wide, y + b * high) for a in (-1, 1) for b in (-1, 1)]
        if any(cx * cx + cy * cy > reach * reach for cx, cy in corners):
            return False
        if any(_circle_meets_rectangle(circle, x, y, wide, high) for circle in self.above):
            return False
        x, y = self.x + x, self.y + y
        return all(abs(x - tx) >= wide + tw or abs(y - ty) >= high + th for tx, ty, tw, th in self.taken)

    def place(
        self, preferred: Iterable[tuple[int, int]], wide: int, high: int, brim: int = -_RIM_WIDTH - _RIM_GAP
    ) -> tuple[int, int] | None:
        """Occupy the first free place of several and return it; None if none is free."""
        for x, y in preferred:
            if self.is_free(x, y, wide, high, brim):
                self.taken.append((self.x + x, self.y + y, wide, high))
                return x, y
        return None


def _circle_meets_rectangle(circle: Circle, x: int, y: int, wide: int, high: int) -> bool:
    cx, cy, r = circle
    dx, dy = max(0, abs(cx - x) - wide), max(0, abs(cy - y) - high)
    return dx * dx + dy * dy < r * r


# ---------------------------------------------------------------- the disk

_BADGE_POSITIONS = {"damage": 9, "wound": 27, "activated": 63, "empowered": 45, "weakened": 36, "poisoned": 18}


class DiskPicture(Struct, frozen=True, gc=False):
    """A disk as an SVG group, and what found no place on it: its number, its whole name, or some of its tokens."""

    svg: str
    is_number_hidden: bool
    is_name_short: bool
    unplaced_tokens: tuple[DiskToken, ...]


def draw_disk(
    disk: Disk, profile: Profile, area: FreeArea, is_pinned: bool, is_acting: bool, words: str
) -> DiskPicture:
    """Draw a disk; `words` describe it to readers who cannot see it."""
    colours = COLOURS[disk.seat]
    parts = [f'<circle r="{profile.radius + 2400}" fill="{ACTING_COLOUR}"/>'] if is_acting else []
    parts.append(f'<circle r="{profile.radius}" fill="{colours.pale}"/>')
    if is_pinned:
        parts.append(f'<circle r="{profile.radius}" fill="url(#pinned)"/>')
    parts += _rim_svg(profile.radius, colours)
    number = area.place(_number_positions(area), EMBLEM_RADIUS, EMBLEM_RADIUS, -_RIM_WIDTH)
    if number:
        parts.append(emblem_svg(*number, disk.seat, str(disk.id)))
    badges = [(token, _place_badge(area, token)) for token in disk_tokens(disk)]
    name, is_whole = _name_svg(area, profile.name)
    parts += name
    parts += _stats_svg(area, profile)
    parts += [badge_svg(*place, token) for token, place in badges if place]
    group = f'<g role="graphics-symbol img" aria-label="{escape_text(words)}">{"".join(parts)}</g>'
    return DiskPicture(group, number is None, not is_whole, tuple(token for token, place in badges if not place))


def _number_positions(area: FreeArea) -> Iterator[tuple[int, int]]:
    """Yield places for the number: at the top, then elsewhere inside the rim, then anywhere."""
    for share in (66, 62, 58, 54):
        yield 0, -area.radius * share // 100
    yield from _circle_points(area.radius * 60 // 100, 18)
    yield from area.candidate_points()


def _circle_points(radius: int, first: int) -> list[tuple[int, int]]:
    """Return 72 points of a circle, those nearest to direction `first` (in geometry.DIRECTIONS) first; y downward."""
    turns = sorted(range(-36, 36), key=lambda turn: (abs(turn), turn))
    ways = [DIRECTIONS[(first + turn) % 72] for turn in turns]
    return [(x * radius >> 30, -(y * radius >> 30)) for x, y in ways]


def _rim_svg(radius: int, colours: Colours) -> list[str]:
    dashes = f' stroke-dasharray="{colours.dashes}"' if colours.dashes else ""
    stroke = f'stroke="{colours.strong}" stroke-width="{_RIM_WIDTH}"{dashes}'
    ring = f'<circle r="{radius - _RIM_WIDTH // 2}" fill="none" {stroke}/>'
    edge = f'<circle r="{radius - 250}" fill="none" stroke="{INK}" stroke-width="500"/>'
    return [ring, edge]


def _place_badge(area: FreeArea, token: DiskToken) -> tuple[int, int] | None:
    """Place a badge on the rim, as near as possible to the usual place of its kind; None if there is no room."""
    return area.place(
        _circle_points(area.radius, _BADGE_POSITIONS[token.shape]), BADGE_RADIUS, BADGE_RADIUS, 2 * BADGE_RADIUS
    )


def _name_svg(area: FreeArea, name: str) -> tuple[list[str], bool]:
    """Draw the name as large as fits: in the middle, or elsewhere, or shortened. Return whether it is whole."""
    middle, spots = [(0, 0), (0, area.radius // 12), (0, area.radius // 6)], list(area.candidate_points())
    short = "".join(word[:1] for word in name.split()) if " " in name else f"{name[:4]}."
    readable_sizes = [size for size in _NAME_SIZES if size > _STATS_TEXT_SIZE or not area.above]
    for text, places, sizes in (
        (name, middle, readable_sizes),
        (name, spots, _NAME_SIZES),
        (short, spots, _NAME_SIZES),
    ):
        settings = [break_text(text, count) for count in range(1, len(text.split()[:4]) + 1)]
        for size, lines in product(sizes, settings):
            wide = max(text_width(line, size) for line in lines) // 2
            place = area.place(places, wide, size * _LINE_HEIGHT_PERCENT * len(lines) // 200)
            if place:
                return _text_lines_svg(place, size, lines), text == name
    return [], False


def _text_lines_svg(place: tuple[int, int], size: int, lines: list[str]) -> list[str]:
    x, y = place
    step = size * _LINE_HEIGHT_PERCENT // 100
    top = y - step * (len(lines) - 1) // 2
    return [text_svg(x, top + step * row, size, line, "middle", True) for row, line in enumerate(lines)]


def _stats_svg(area: FreeArea, profile: Profile) -> list[str]:
    """Draw movement, strength, counter, toughness and stamina near the bottom, if there is room."""
    text = f"M{profile.movement} S{profile.strength} C{profile.counter_strength} T{profile.toughness}"
    text += f" St{profile.stamina}" if profile.stamina else ""
    for size in (4200, 3800, 3400):
        places = [(0, area.radius * share // 100) for share in (70, 64, 58, 52, 46)]
        place = area.place(places, text_width(text, size) // 2, size // 2, -_RIM_WIDTH)
        if place:
            return [text_svg(*place, size, text, "middle")]
    return []


_LEADER_INSET = 1500
"""The line of a callout ends this far inside the rim."""


class Callout(Struct, frozen=True, gc=False):
    """A row beside a disk with what found no place on it, a line to the disk, and the rectangle that the row covers."""

    text_svg: str
    line_svg: str
    covers: Rectangle


def draw_callout(area: FreeArea, disk: Disk, name: str, drawn: DiskPicture, disks: Sequence[Circle]) -> Callout | None:
    """Draw the callout of a disk if it needs one and there is room. `disks` are all disks, relative to its centre."""
    is_named = drawn.is_number_hidden or drawn.is_name_short
    if not (is_named or drawn.unplaced_tokens):
        return None
    signs = [emblem_svg(0, 0, disk.seat, str(disk.id)), *(badge_svg(0, 0, token) for token in drawn.unplaced_tokens)]
    size = 5200
    wide = len(signs) * BADGE_RADIUS + (text_width(name, size) // 2 if is_named else 0)
    place = _place_beside(area, wide, disks)
    if place is None:
        return None
    x, y = place
    starts = [x - wide + BADGE_RADIUS * (2 * number + 1) for number in range(len(signs))]
    row = [f'<g transform="translate({start} {y})">{sign}</g>' for start, sign in zip(starts, signs, strict=True)]
    if is_named:
        row.append(text_svg(starts[-1] + BADGE_RADIUS * 12 // 10, y, size, name, bold=True))
    end_x, end_y = _visible_point(area, starts[0], y)
    ink = COLOURS[disk.seat].strong
    line = f'<path d="M{starts[0]},{y} L{end_x},{end_y}" stroke="{ink}" stroke-width="900"/>'
    line += f'<circle cx="{end_x}" cy="{end_y}" r="1400" fill="{ink}"/>'
    return Callout("".join(row), line, (area.x + x, area.y + y, wide, BADGE_RADIUS))


def _visible_point(area: FreeArea, x: int, y: int) -> tuple[int, int]:
    """Return the point of the disk nearest to a place beside it that no disk above covers; of its edge if all are."""
    points = (*_circle_points(area.radius - _LEADER_INSET, 0), *area.candidate_points())
    visible = [
        point
        for point in points
        if point[0] ** 2 + point[1] ** 2 <= (area.radius - _LEADER_INSET) ** 2
        and not any((point[0] - cx) ** 2 + (point[1] - cy) ** 2 < (r + _LEADER_INSET) ** 2 for cx, cy, r in area.above)
    ]
    if visible:
        return min(visible, key=lambda point: (point[0] - x) ** 2 + (point[1] - y) ** 2)
    distance = isqrt(x**2 + y**2)
    return x * (area.radius - _LEADER_INSET) // distance, y * (area.radius - _LEADER_INSET) // distance


def _place_beside(area: FreeArea, wide: int, disks: Sequence[Circle]) -> tuple[int, int] | None:
    """Occupy a free place for a row of signs beside a disk and return it; None if there is none."""
    distances = range(area.radius + 8000, 5 * area.radius, 3000)
    places = (place for distance in distances for place in _circle_points(distance, 9))
    clear = (
        (x, y)
        for x, y in places
        if not any(_circle_meets_rectangle(circle, x, y, wide, BADGE_RADIUS) for circle in disks)
    )
    return area.place(clear, wide, BADGE_RADIUS, 9 * area.radius)
