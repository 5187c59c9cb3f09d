"""The picture of a position: one self-contained SVG without scripts, fonts or other files.

Its units are micrometres, so the field is drawn exactly; (0, 0) is its lower left corner. Seats differ in colour, rim
and emblem.
"""

from collections.abc import Collection, Iterable

from msgspec import Struct

from diskwars_protocol.geometry import DIRECTIONS, Circle
from diskwars_protocol.match.ids import Seat, seat_letter
from diskwars_protocol.rulesets.diskwars import effective_stats
from diskwars_protocol.rulesets.diskwars.actions import DiskId
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, CASUALTY, RESERVE, Board, Disk, Place, Side
from diskwars_text.rulesets.diskwars.disk_picture import (
    ACTING_COLOUR,
    COLOURS,
    DiskToken,
    FreeArea,
    Rectangle,
    badge_svg,
    disk_tokens,
    draw_callout,
    draw_disk,
    emblem_svg,
)
from diskwars_text.rulesets.diskwars.lexer import (
    counted_list,
    disk_labels,
    inches_text,
    progress_text,
    revealed_card_name,
    ruler_step,
    seat_edges,
)
from diskwars_text.rulesets.diskwars.terrain_picture import draw_terrain, keywords_text
from diskwars_text.rulesets.diskwars.terrain_picture import pattern_definitions as terrain_patterns
from diskwars_text.svg_text import FONTS, INK, PALE_INK, escape_text, text_svg, wrap_text

MICROMETRES_PER_MM = 1000
_PAPER_COLOUR = "#ffffff"
_FIELD_COLOUR = "#faf8f2"
_MARGIN = 40 * MICROMETRES_PER_MM
_FOOTER_HEIGHT = 58 * MICROMETRES_PER_MM
_PANEL_WIDTH = 400 * MICROMETRES_PER_MM
_CALLOUT_GAP = 4 * MICROMETRES_PER_MM
_CLOSE_UP_MARGIN = 20 * MICROMETRES_PER_MM
_MICROMETRES_PER_PIXEL = 900
"""Scale of the whole picture at its intended size."""
_CLOSE_UP_WIDTH_PIXELS = 760


class _Viewport(Struct, frozen=True, gc=False):
    """The part of the table that is drawn, in picture coordinates: y grows downward from the upper edge."""

    left: int
    top: int
    width: int
    height: int


def draw_board(board: Board, title: str = "", close_up_of: Collection[DiskId] = ()) -> str:
    """Draw a board as SVG: the field and a legend, or a close-up of the disks in `close_up_of`."""
    layer = _draw_disks(board)
    field = _field_svg(board)
    shown = [layer.extents[number] for number in close_up_of if number in layer.extents]
    if shown:
        return _draw_close_up(board, title, shown, [*field, *layer.parts])
    panel, depth = _draw_legend(board, title)
    # The callout of a disk near an edge may reach beyond the margin.
    boxes = layer.extents.values()
    left = min([-_MARGIN, *(box[0] - _CALLOUT_GAP for box in boxes)])
    top = min([-_MARGIN, *(box[1] - _CALLOUT_GAP for box in boxes)])
    panel_left = max([board.field.width + _MARGIN, *(box[2] + _CALLOUT_GAP for box in boxes)])
    height = max(board.field.height + _FOOTER_HEIGHT - top, depth + _MARGIN - top)
    view = _Viewport(left, top, panel_left + _PANEL_WIDTH + _MARGIN - left, height)
    field += [*_edge_names_svg(board), *_scale_svg(board), *layer.parts]
    parts = [
        *_background_svg(view),
        *field,
        f'<g transform="translate({panel_left} 0)">',
        *panel,
        "</g>",
    ]
    return _svg_document(board, title, view, view.width // _MICROMETRES_PER_PIXEL, parts)


def _draw_close_up(board: Board, title: str, shown: list[tuple[int, int, int, int]], field: list[str]) -> str:
    left, top = (min(box[side] for box in shown) - _CLOSE_UP_MARGIN for side in (0, 1))
    right, bottom = (max(box[side] for box in shown) + _CLOSE_UP_MARGIN for side in (2, 3))
    width, height = right - left, bottom - top
    size = width // 28
    head = wrap_text(title, size, width * 94 // 100)
    band = size * 15 * len(head) // 10 + size * 8 // 10 if head else 0
    view = _Viewport(left, top - band, width, height + band)
    parts = [*_background_svg(view), *field]
    if head:
        # Wider than the view, because rounding to whole pixels may show slightly more.
        box = f'x="{left - size}" y="{top - 2 * band}" width="{width + 2 * size}" height="{2 * band}"'
        parts.append(f'<rect {box} fill="{_PAPER_COLOUR}"/>')
    for row, line in enumerate(head):
        y = top - band + size * 11 // 10 + size * 15 * row // 10
        parts.append(text_svg(left + width // 2, y, size, line, "middle", True))
    return _svg_document(board, title, view, _CLOSE_UP_WIDTH_PIXELS, parts)


def _svg_document(board: Board, title: str, view: _Viewport, pixels: int, parts: Iterable[str]) -> str:
    box = f'viewBox="{view.left} {view.top} {view.width} {view.height}"'
    size = f'width="{pixels}" height="{pixels * view.height // view.width}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {box} {size} role="graphics-document document"'
    title = escape_text(title or "A position of Diskwars")
    description = f"<title>{title}</title><desc>{escape_text(_description_text(board))}</desc>"
    return (
        "\n".join([f'{head} font-family="{FONTS}">', description, _pattern_definitions(board), *parts, "</svg>"]) + "\n"
    )


def _description_text(board: Board) -> str:
    text = [f"{_progress_text(board)}."]
    for side in board.sides:
        places = (("on the battlefield", BATTLEFIELD), ("in reserve", RESERVE), ("lost", CASUALTY))
        count = ", ".join(f"{len(_pile_text(board, side.seat, place))} {where}" for where, place in places)
        text.append(f"Seat {seat_letter(side.seat)}: disks {count}; points {side.points}.")
    return " ".join(text)


def _progress_text(board: Board) -> str:
    parts = [progress_text(board).capitalize()]
    if board.order:
        parts.append(f"order {' '.join(map(seat_letter, board.order))}")
    if board.active_seat is not None:
        parts.append(f"{seat_letter(board.active_seat)} plays {revealed_card_name(board, board.active_seat)}")
    return ", ".join(parts)


# ---------------------------------------------------------------- the field

_ZONE_PATTERNS = (
    '<path d="M0,6000 L6000,0" stroke="{ink}" stroke-width="900"/>',
    '<circle cx="3000" cy="3000" r="1000" fill="{ink}"/>',
    '<path d="M0,3000 H6000" stroke="{ink}" stroke-width="900"/>',
    '<path d="M3000,1400 V4600 M1400,3000 H4600" stroke="{ink}" stroke-width="800"/>',
)


def _pattern_definitions(board: Board) -> str:
    tile = 'width="6000" height="6000" patternUnits="userSpaceOnUse"'
    grounds = "".join(
        f'<pattern id="ground{seat}" {tile}>{drawn.format(ink=COLOURS[seat].strong)}</pattern>'
        for seat, drawn in enumerate(_ZONE_PATTERNS)
    )
    lines = f'<path d="M0,0 V3600" stroke="{INK}" stroke-width="1300" stroke-opacity="0.3"/>'
    tile = 'width="3600" height="3600" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"'
    return f'<defs>{grounds}{terrain_patterns(board.terrain)}<pattern id="pinned" {tile}>{lines}</pattern></defs>'


def _background_svg(view: _Viewport) -> list[str]:
    return [
        f'<rect x="{view.left}" y="{view.top}" width="{view.width}" height="{view.height}" fill="{_PAPER_COLOUR}"/>'
    ]


def _field_svg(board: Board) -> list[str]:
    width, height = board.field.width, board.field.height
    parts = [f'<rect width="{width}" height="{height}" fill="{_FIELD_COLOUR}"/>']
    step = ruler_step(max(width, height))
    lines = "".join(f"M{x},0 V{height} " for x in range(step, width, step))
    lines += "".join(f"M0,{height - y} H{width} " for y in range(step, height, step))
    parts.append(f'<path d="{lines.strip()}" stroke="#e4dfd0" stroke-width="900" fill="none"/>')
    parts += [_zone_svg(board, *zone) for zone in ((z.seat, z.x0, z.y0, z.x1, z.y1, z.value) for z in board.zones)]
    circles = [(d.x, d.y, board.profile(d.id).radius) for d in board.disks if d.place == BATTLEFIELD]
    parts += [draw_terrain(piece, height, circles) for piece in board.terrain]
    parts.append(f'<rect width="{width}" height="{height}" fill="none" stroke="{INK}" stroke-width="1800"/>')
    return parts


def _zone_svg(board: Board, seat: Seat, x0: int, y0: int, x1: int, y1: int, value: int) -> str:
    top, colours = board.field.height - y1, COLOURS[seat]
    box = f'<rect x="{x0}" y="{top}" width="{x1 - x0}" height="{y1 - y0}"'
    words = f"Zone of seat {seat_letter(seat)} for {value} disks"
    return (
        f'<g role="graphics-symbol img" aria-label="{words}">'
        f'{box} fill="{colours.pale}" fill-opacity="0.55"/>{box} fill="url(#ground{seat})" fill-opacity="0.3"/>'
        f'{box} fill="none" stroke="{colours.strong}" stroke-width="1200" stroke-dasharray="7000 4000"/></g>'
    )


def _edge_names_svg(board: Board) -> list[str]:
    width, height = board.field.width, board.field.height
    places = {
        "bottom": (width // 2, height + _MARGIN * 7 // 10),
        "top": (width // 2, -_MARGIN // 2),
        "left": (-_MARGIN * 7 // 10, height // 2),
        "right": (width + _MARGIN // 2, height // 2),
    }
    parts: list[str] = []
    for edge, seats in seat_edges(board).items():
        x, y = places[edge]
        parts += [
            emblem_svg(x + 26 * MICROMETRES_PER_MM * place, y, seat, seat_letter(seat), 8 * MICROMETRES_PER_MM)
            for place, seat in enumerate(seats)
        ]
    return parts


def _scale_svg(board: Board) -> list[str]:
    """Draw inches along the edges, and the ruler below the field."""
    width, height = board.field.width, board.field.height
    size, step = 10 * MICROMETRES_PER_MM, ruler_step(max(width, height))
    parts = [
        text_svg(x, height + 10 * MICROMETRES_PER_MM, size, inches_text(x), "middle", ink=PALE_INK)
        for x in range(0, width + 1, step)
    ]
    parts += [
        text_svg(-6 * MICROMETRES_PER_MM, height - y, size, inches_text(y), "end", ink=PALE_INK)
        for y in range(0, height + 1, step)
    ]
    y, start = height + 32 * MICROMETRES_PER_MM, 0
    marks = (("short", board.field.short), ("medium", board.field.medium), ("long", board.field.long))
    for shade, (reach, end) in zip((INK, "#8d8d96", "#d0d0d6"), marks, strict=True):
        if end > width:
            break
        parts.append(f'<rect x="{start}" y="{y}" width="{end - start}" height="5000" fill="{shade}"/>')
        parts.append(
            text_svg(end, y + 13 * MICROMETRES_PER_MM, size, f"{reach} {inches_text(end)} in", "end", ink=PALE_INK)
        )
        start = end
    return parts


# ---------------------------------------------------------------- disks and pins


class _DiskLayer(Struct, frozen=True, gc=False):
    """The disks and their pins as SVG, and the box (left, top, right, bottom) of each disk with its callout."""

    parts: list[str]
    extents: dict[DiskId, tuple[int, int, int, int]]


def _draw_disks(board: Board) -> _DiskLayer:
    """Draw the disks from lowest to highest, then the outlines of covered ones, the pins and the callouts."""
    fielded = sorted((disk for disk in board.disks if disk.place == BATTLEFIELD), key=lambda disk: -disk.z)
    arrows = [arrow for pin in board.pins if (arrow := _pin_arrow(board, *pin))]
    taken = [rectangle for arrow in arrows for rectangle in arrow.covers]
    names, pinned = disk_labels(board), {bottom for _, bottom in board.pins}
    groups: list[str] = []
    lines_below: list[str] = []
    texts_above: list[str] = []
    extents: dict[DiskId, tuple[int, int, int, int]] = {}
    for disk in fielded:
        x, y, profile = disk.x, board.field.height - disk.y, effective_stats.profile_in_force(board, disk.id)
        move = f'<g transform="translate({x} {y})">'
        above = _nearby_circles(board, disk, (other for other in fielded if other.z > disk.z), profile.radius)
        area = FreeArea(x, y, profile.radius, above, taken)
        words = _disk_description(board, disk, names)
        drawn = draw_disk(disk, profile, area, disk.id in pinned, disk.id == board.active_disk, words)
        groups.append(f"{move}{drawn.svg}</g>")
        extents[disk.id] = (x - profile.radius, y - profile.radius, x + profile.radius, y + profile.radius)
        if above:
            lines_below.append(f'<circle cx="{x}" cy="{y}" r="{profile.radius}" {_outline_attributes(disk.seat)}/>')
        callout = draw_callout(
            area, disk, profile.name, drawn, _nearby_circles(board, disk, fielded, 6 * profile.radius)
        )
        if callout:
            lines_below.append(f"{move}{callout.line_svg}</g>")
            texts_above.append(f"{move}{callout.text_svg}</g>")
            extents[disk.id] = _union_box(extents[disk.id], callout.covers)
    signs = [*lines_below, *(arrow.svg for arrow in arrows), *texts_above]
    return _DiskLayer([*reversed(groups), f'<g aria-hidden="true">{"".join(signs)}</g>'], extents)


def _outline_attributes(seat: Seat) -> str:
    ink = COLOURS[seat].strong
    return f'fill="none" stroke="{ink}" stroke-width="700" stroke-dasharray="2000 2600" stroke-opacity="0.4"'


def _union_box(box: tuple[int, int, int, int], more: Rectangle) -> tuple[int, int, int, int]:
    left, top, right, bottom = box
    x, y, wide, high = more
    return min(left, x - wide), min(top, y - high), max(right, x + wide), max(bottom, y + high)


def _nearby_circles(board: Board, disk: Disk, others: Iterable[Disk], distance: int) -> list[Circle]:
    """Return the disks within a distance of a disk's centre, relative to it, y downward."""
    circles: list[Circle] = []
    for other in others:
        x, y, r = other.x - disk.x, disk.y - other.y, board.profile(other.id).radius
        if x * x + y * y < (distance + r) ** 2:
            circles.append((x, y, r))
    return circles


def _disk_description(board: Board, disk: Disk, names: tuple[str, ...]) -> str:
    parts = [names[disk.id], f"seat {seat_letter(disk.seat)}", f"disk {disk.id}"]
    parts += [token.description for token in disk_tokens(disk)]
    parts += ["acting"] * (board.active_disk == disk.id)
    parts += [f"pins {names[bottom]}" for top, bottom in board.pins if top == disk.id]
    parts += [f"pinned by {names[top]}" for top, bottom in board.pins if bottom == disk.id]
    return ", ".join(parts)


class _PinArrow(Struct, frozen=True, gc=False):
    """The arrow of a pin, and the rectangles that it covers."""

    svg: str
    covers: tuple[Rectangle, ...]


def _pin_arrow(board: Board, top_id: DiskId, bottom_id: DiskId) -> _PinArrow | None:
    """Draw a short arrow over the rim of the upper disk where the lower one shows; None if it shows nowhere."""
    top, bottom = board.disks[top_id], board.disks[bottom_id]
    dx, dy = bottom.x - top.x, bottom.y - top.y
    towards = max(range(72), key=lambda step: DIRECTIONS[step][0] * dx + DIRECTIONS[step][1] * dy)
    radius = board.profile(top.id).radius
    for turn in sorted(range(-17, 18), key=lambda turn: (abs(turn), turn)):
        step = (towards + turn) % 72
        way = DIRECTIONS[step]
        if _is_on_top(board, bottom, top, way, radius + 6 * MICROMETRES_PER_MM) and _is_on_top(
            board, top, top, way, radius - 5 * MICROMETRES_PER_MM
        ):
            x, y = _point_along(top, way, radius)
            drawn = _ENEMY_ARROW if top.seat != bottom.seat else _OWN_ARROW
            turned = f'<g transform="translate({x} {board.field.height - y}) rotate({-5 * step})">{drawn}</g>'
            ends = (_point_along(top, way, radius + part * MICROMETRES_PER_MM) for part in (-4, 4))
            return _PinArrow(turned, tuple((ex, board.field.height - ey, 3800, 3800) for ex, ey in ends))
    return None


_ARROW_PATH = "M-6200,-1300 H1600 V-4000 L7400,0 L1600,4000 V1300 H-6200Z"
_ENEMY_ARROW = f'<path d="{_ARROW_PATH}" fill="{INK}" stroke="#ffffff" stroke-width="1000"/>'
_OWN_ARROW = f'<path d="{_ARROW_PATH}" fill="#ffffff" stroke="{INK}" stroke-width="1000"/>'


def _point_along(disk: Disk, way: tuple[int, int], length: int) -> tuple[int, int]:
    return disk.x + (way[0] * length >> 30), disk.y + (way[1] * length >> 30)


def _is_on_top(board: Board, seen: Disk, start: Disk, way: tuple[int, int], length: int) -> bool:
    """Return whether a disk is the topmost one at the point that far from the centre of `start`."""
    x, y = _point_along(start, way, length)
    fielded = [disk for disk in board.disks if disk.place == BATTLEFIELD]
    covering = [disk for disk in fielded if (disk.x - x) ** 2 + (disk.y - y) ** 2 < board.profile(disk.id).radius ** 2]
    return bool(covering) and max(covering, key=lambda disk: disk.z).id == seen.id


# ---------------------------------------------------------------- the legend

_TEXT_SIZE = 11 * MICROMETRES_PER_MM
_INDENT_WIDTH = 20 * MICROMETRES_PER_MM


class _TextColumn:
    """A column of text rows, from the top down, as wide as the panel."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.y = 0

    def add_row(self, text: str, x: int = 0, size: int = _TEXT_SIZE, bold: bool = False, ink: str = INK) -> None:
        for line in wrap_text(text, size, _PANEL_WIDTH - x):
            self.y += size * 15 // 10
            self.parts.append(text_svg(x, self.y - size * 7 // 10, size, line, bold=bold, ink=ink))

    def add_space(self, height: int) -> None:
        self.y += height

    def add_row_with_sign(self, sign: str, text: str, size: int = _TEXT_SIZE, bold: bool = False) -> None:
        """Add a row with a sign to its left."""
        self.parts.append(f'<g transform="translate({8 * MICROMETRES_PER_MM} {self.y + size * 8 // 10})">{sign}</g>')
        self.add_row(text, _INDENT_WIDTH, size, bold)


def _draw_legend(board: Board, title: str) -> tuple[list[str], int]:
    """Return the parts of the panel beside the field, drawn from (0, 0), and its height."""
    column = _TextColumn()
    if title:
        column.add_row(title, size=18 * MICROMETRES_PER_MM, bold=True)
        column.add_space(4 * MICROMETRES_PER_MM)
    column.add_row(_progress_text(board), ink=PALE_INK)
    for side in board.sides:
        column.add_space(9 * MICROMETRES_PER_MM)
        _add_side(board, side, column)
    if board.terrain:
        column.add_space(9 * MICROMETRES_PER_MM)
        _add_terrain(board, column)
    if board.pins:
        column.add_space(9 * MICROMETRES_PER_MM)
        _add_pins(board, column)
    column.add_space(9 * MICROMETRES_PER_MM)
    _add_key(column)
    return column.parts, column.y


def _add_side(board: Board, side: Side, column: _TextColumn) -> None:
    head = (
        [board.army_name(side.seat)] * bool(board.army_name(side.seat))
        + ["out of the game"] * side.eliminated
        + [_count_text(side.points, "point")]
    )
    head += [f"{_count_text(side.card_count, 'card')} in hand"] * bool(side.card_count) + [
        "card chosen"
    ] * side.has_locked
    column.add_row_with_sign(
        emblem_svg(0, 0, side.seat, seat_letter(side.seat), 7 * MICROMETRES_PER_MM),
        " · ".join(head),
        12 * MICROMETRES_PER_MM,
        True,
    )
    for title, names in (
        ("Card", (board.card_name(side.revealed_card),) if side.revealed_card else ()),
        ("Discards", [board.card_name(card) for card in side.discards]),
        ("Reserve", _pile_text(board, side.seat, RESERVE)),
        ("Casualties", _pile_text(board, side.seat, CASUALTY)),
    ):
        if names:
            column.add_row(f"{title}: {counted_list(names)}", _INDENT_WIDTH)


def _pile_text(board: Board, seat: Seat, place: Place) -> list[str]:
    return [board.profile(disk.id).name for disk in board.disks if (disk.seat, disk.place) == (seat, place)]


def _count_text(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _add_pins(board: Board, column: _TextColumn) -> None:
    column.add_row("Pins", size=12 * MICROMETRES_PER_MM, bold=True)
    tops = dict.fromkeys(top for top, _ in board.pins)
    for top in sorted(tops, key=lambda number: -board.disks[number].z):
        below = ", ".join(f"{bottom} {board.profile(bottom).name}" for upper, bottom in board.pins if upper == top)
        column.add_row(f"{top} {board.profile(top).name} on {below}", size=10 * MICROMETRES_PER_MM)


def _add_terrain(board: Board, column: _TextColumn) -> None:
    column.add_row("Terrain", size=12 * MICROMETRES_PER_MM, bold=True)
    for piece in board.terrain:
        keywords = keywords_text(piece.terrain)
        column.add_row(
            f"{piece.terrain.name}: {keywords}" if keywords else piece.terrain.name, size=10 * MICROMETRES_PER_MM
        )


def _add_key(column: _TextColumn) -> None:
    column.add_row("Signs", size=12 * MICROMETRES_PER_MM, bold=True)
    for token in (
        DiskToken("damage", "2", "damage"),
        DiskToken("wound", "1", "wounds"),
        DiskToken("activated", "", "activated"),
        DiskToken("empowered", "+1", "empowered"),
        DiskToken("weakened", "-1", "toughness lowered"),
    ):
        column.add_row_with_sign(badge_svg(0, 0, token), token.description)
    round_sign = f'<circle r="6500" stroke="{INK}" stroke-width="500" fill='
    column.add_row_with_sign(f'<circle r="7500" fill="{ACTING_COLOUR}"/>{round_sign}"{_PAPER_COLOUR}"/>', "acting now")
    column.add_row_with_sign(f'{round_sign}"url(#pinned)"/>', "pinned")
    column.add_row_with_sign(_ENEMY_ARROW, "pins an enemy")
    column.add_row_with_sign(_OWN_ARROW, "pins a disk of its own side")
