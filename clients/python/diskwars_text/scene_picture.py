"""The picture of a scene as a small SVG: a head with scores, the part of the table that is played on, and a foot.

It is drawn for one size in pixels, so that what is too small to be read is left out. Lengths are tenths of a pixel.
"""

from collections.abc import Iterator

from msgspec import Struct

from diskwars_protocol.match.ids import Seat, seat_letter
from diskwars_protocol.match.replay_scenes import MatchScenes, ReplayScene
from diskwars_protocol.match.scenes import PlacedPiece, SceneArea, ScenePiece
from diskwars_text.phrases import joined
from diskwars_text.svg_text import break_text, escape_text, text_svg, text_width

PIXEL = 10
HEAD, FOOT = 36 * PIXEL, 30 * PIXEL
MIN_TABLE_HEIGHT, MAX_TABLE_HEIGHT = 260 * PIXEL, 480 * PIXEL
MIN_LABEL, MAX_LABEL = 9 * PIXEL, 15 * PIXEL
"""Sizes of the text on pieces: smaller text cannot be read, so that letters stand for a name that would be."""
TEXT = 15 * PIXEL
MIN_FIGURES_RADIUS = 20 * PIXEL
"""Smaller pieces show no figures at their rim."""
FONTS = "DejaVu Sans Condensed, DejaVu Sans, Arial, sans-serif"
PANEL, TABLE, LINE, TEXT_INK, PALE_INK = "#1a1613", "#35463f", "#43544c", "#f3ebdd", "#bdb1a0"
FACE, FACE_INK, HURT, ACTING, LINK = "#f6ecd6", "#211911", "#b3261e", "#ffd45c", "#efe4cc"
SEAT_COLOURS = ("#3c91da", "#d45a23", "#278661", "#a94f92")
AREA_COLOURS = {"terrain": "#77715f", "wall": "#57534c", "hill": "#5c6b4d", "task": "#4d6a58"}
PALETTE = (PANEL, TABLE, LINE, TEXT_INK, PALE_INK, FACE, FACE_INK, HURT, ACTING, LINK, *SEAT_COLOURS)
"""The colours that carry a meaning: pictures of few colours keep these."""
EMBLEMS = (
    "M-{r},0A{r},{r} 0 1 1 {r},0A{r},{r} 0 1 1 -{r},0Z",
    "M-{r},-{r}H{r}V{r}H-{r}Z",
    "M0,-{l}L{l},{r}H-{l}Z",
    "M0,-{l}L{l},0L0,{l}L-{l},0Z",
)
"""Of the seats, so that they differ without colour: disc, square, triangle, diamond."""


class SceneView(Struct, frozen=True):
    """The part of the table that pictures show, in units of the ruleset, and the size of the pictures."""

    left: int
    top: int
    across: int
    down: int
    width: int
    height: int

    def scaled(self, length: int) -> int:
        return length * self.width // self.across

    def place(self, x: int, y: int) -> tuple[int, int]:
        return self.scaled(x - self.left), HEAD + self.scaled(y - self.top)


def view_of(course: MatchScenes, pixels: int) -> SceneView:
    """Return the view that shows every piece of a match throughout, in pictures that are `pixels` wide."""
    radius = {piece.id: piece.radius for piece in course.pieces}
    boxes = [(piece.x, piece.y, 2 * radius[piece.id]) for scene in course.scenes for piece in scene.placed]
    left = max(0, min((x - r for x, _, r in boxes), default=0))
    top = max(0, min((y - r for _, y, r in boxes), default=0))
    right = min(course.width, max((x + r for x, _, r in boxes), default=course.width))
    bottom = min(course.height, max((y + r for _, y, r in boxes), default=course.height))
    width = pixels * PIXEL
    across, down = max(1, right - left), max(1, bottom - top)
    least, most = across * MIN_TABLE_HEIGHT // width, across * MAX_TABLE_HEIGHT // width
    if down > most:  # it is as high as it may be, and wider than what is played on
        wide = down * width // MAX_TABLE_HEIGHT
        left, across = left - (wide - across) // 2, wide
    elif down < least:
        top, down = top - (least - down) // 2, least
    return SceneView(left, top, across, down, width, HEAD + down * width // across + FOOT)


def draw_scene(course: MatchScenes, scene: ReplayScene, view: SceneView) -> str:
    """Return the picture of a scene."""
    facts = {piece.id: piece for piece in course.pieces}
    box = f'viewBox="0 0 {view.width} {view.height}" width="{view.width // PIXEL}" height="{view.height // PIXEL}"'
    table = f'y="{HEAD}" width="{view.width}" height="{view.height - HEAD - FOOT}"'
    acting = frozenset[int]() if scene.actor is None else frozenset(scene.actor.pieces)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {box} font-family="{FONTS}">',
        f'<rect width="{view.width}" height="{view.height}" fill="{PANEL}"/>',
        f'<clipPath id="table"><rect {table}/></clipPath><g clip-path="url(#table)"><rect {table} fill="{TABLE}"/>',
        *_grid(course, view),
        *(_area(area, view) for area in course.areas if area.kind != "zone" or scene.kind == "setup"),
        *(_piece(facts[placed.id], placed, view, is_acting=placed.id in acting) for placed in scene.placed),
        *_links(scene, view),
        "</g>",
        *_head(course, scene, view),
        text_svg(PIXEL * 12, view.height - FOOT // 2, TEXT, _fit(scene_text(course, scene), view), ink=TEXT_INK),
        "</svg>",
    ]
    return "".join(parts)


def scene_text(course: MatchScenes, scene: ReplayScene) -> str:
    """Return what has happened in words, with what was lost."""
    names = {piece.id: piece.name for piece in course.pieces}
    actor = scene.actor
    acting = "Activation" if actor is None else f"Activated: {actor.name}" if actor.name else _turn_text(actor.seat)
    texts = {
        "setup": "The armies are set up",
        "round": f"Round {scene.round}",
        "activation": acting,
        "melee": "Melee",
        "end": f"Won by {joined(f'seat {seat_letter(seat)}' for seat in course.winners or ()) or 'nobody'}",
    }
    text = texts[scene.kind]
    lost = joined(dict.fromkeys(names[number] for number in scene.lost))
    return f"{text[:1].upper()}{text[1:]}{f'; lost: {lost}' if lost else ''}"


def _turn_text(seat: Seat) -> str:
    return f"Turn of seat {seat_letter(seat)}"


def _fit(text: str, view: SceneView) -> str:
    """Return as much of a text as fits into the foot."""
    room = view.width - 24 * PIXEL
    while len(text) > 1 and text_width(text, TEXT) > room:
        text = f"{text[:-2]}…"
    return text


def _head(course: MatchScenes, scene: ReplayScene, view: SceneView) -> Iterator[str]:
    """Yield the score of each seat beside its emblem, and the round."""
    x, middle = 22 * PIXEL, HEAD // 2
    for seat, score in enumerate(scene.scores):
        yield f'<g transform="translate({x} {middle})">{_emblem(seat, 9 * PIXEL)}</g>'
        yield text_svg(x + 16 * PIXEL, middle, 19 * PIXEL, str(score), bold=True, ink=TEXT_INK)
        x += 72 * PIXEL
    rounds = f"Round {scene.round} of {course.rounds}" if scene.round else "Set-up"
    yield text_svg(view.width - 12 * PIXEL, middle, TEXT, rounds, "end", ink=PALE_INK)


def _emblem(seat: Seat, size: int) -> str:
    path = EMBLEMS[seat].format(r=size * 8 // 10, l=size)
    return f'<path d="{path}" fill="{SEAT_COLOURS[seat]}" stroke="{FACE}" stroke-width="{size // 7}"/>'


def _grid(course: MatchScenes, view: SceneView) -> Iterator[str]:
    if not course.grid:
        return
    (left, top), (right, bottom) = view.place(0, 0), view.place(course.width, course.height)
    across = "".join(f"M{left} {view.place(0, y)[1]}H{right}" for y in range(0, course.height + 1, course.grid))
    down = "".join(f"M{view.place(x, 0)[0]} {top}V{bottom}" for x in range(0, course.width + 1, course.grid))
    yield f'<path d="{across}{down}" stroke="{LINE}" stroke-width="{PIXEL}" fill="none"/>'


def _area(area: SceneArea, view: SceneView) -> str:
    points = [view.place(x, y) for x, y in zip(area.corners[::2], area.corners[1::2], strict=True)]
    corners = " ".join(f"{x},{y}" for x, y in points)
    if area.kind == "zone":
        ink = SEAT_COLOURS[area.seat or 0]
        style = f'fill="{ink}" fill-opacity="0.15" stroke="{ink}" stroke-width="{2 * PIXEL}" stroke-dasharray="60 40"'
        return f'<polygon points="{corners}" {style}/>'
    ink = AREA_COLOURS[area.kind]
    drawn = f'<polygon points="{corners}" fill="{ink}" stroke="{ink}" stroke-width="{3 * PIXEL}"/>'
    if not area.name:
        return drawn
    x, y = (sum(side) // len(points) for side in zip(*points, strict=True))
    return drawn + text_svg(x, y, 12 * PIXEL, area.name, "middle", ink=FACE)


def _piece(piece: ScenePiece, placed: PlacedPiece, view: SceneView, *, is_acting: bool) -> str:
    (x, y), radius = view.place(placed.x, placed.y), view.scaled(piece.radius)
    ring, ink = max(2 * PIXEL, radius // 9), SEAT_COLOURS[piece.seat]
    inner = radius - ring // 2
    face = f'fill="{FACE}" stroke="{ink}" stroke-width="{ring}"'
    parts = []
    if piece.shape == "block":
        deep = inner * 7 // 10
        shape = f"M{-inner} {-deep}L0 {-inner}L{inner} {-deep}V{deep}H{-inner}Z"
        parts.append(f'<path transform="rotate({placed.turn})" d="{shape}" {face}/>')
    else:
        parts.append(f'<circle r="{inner}" {face}/>')
    if is_acting:
        outline = f'fill="none" stroke="{ACTING}" stroke-width="{3 * PIXEL}"'
        parts.append(f'<circle r="{radius + PIXEL}" {outline}/>')
    parts += _label(piece, radius, ring)
    parts += _signs(piece, placed, radius)
    title = f"<title>{escape_text(piece.name)}, seat {seat_letter(piece.seat)}</title>"
    shade = ' fill-opacity="0.55"' if "down" in placed.marks or "fleeing" in placed.marks else ""
    return f'<g transform="translate({x} {y})"{shade}>{title}{"".join(parts)}</g>'


def _label(piece: ScenePiece, radius: int, ring: int) -> Iterator[str]:
    """Yield the name, where it can be read at this size, or its letters."""
    inner = radius - ring
    for count in range(1, 4):
        lines = break_text(piece.name, count)
        longest = max(text_width(line, 1000) for line in lines)
        room = 2 * inner * (96 if len(lines) == 1 else 86 if len(lines) == 2 else 76) // 100
        size = min(room * 1000 // max(1, longest), 2 * inner * 7 // (10 * len(lines)), MAX_LABEL)
        if size >= MIN_LABEL and len(lines) == count:
            step = size * 11 // 10
            for row, line in enumerate(lines):
                y = step * (2 * row - len(lines) + 1) // 2
                yield text_svg(0, y, size, line, "middle", True, FACE_INK)
            return
    longest = max(1, text_width(piece.letters, 1000))
    size = max(MIN_LABEL, min(inner * 17 // 10 * 1000 // longest, inner * 11 // 10, 2 * MAX_LABEL))
    yield text_svg(0, 0, size, piece.letters, "middle", True, FACE_INK)


def _signs(piece: ScenePiece, placed: PlacedPiece, radius: int) -> Iterator[str]:
    """Yield what lies on a piece: the emblem of its seat, damage, and the signs and figures that it has room for."""
    size = max(5 * PIXEL, min(radius // 3, 9 * PIXEL))
    yield f'<g transform="translate(0 {-radius})">{_emblem(piece.seat, size)}</g>'
    if "pinned" in placed.marks:
        cross = f"M{-size // 2} {-size // 2}L{size // 2} {size // 2}M{size // 2} {-size // 2}L{-size // 2} {size // 2}"
        yield (
            f'<g transform="translate({-radius * 7 // 10} {-radius * 7 // 10})"><circle r="{size}" fill="{HURT}"/>'
            f'<path d="{cross}" stroke="{FACE}" stroke-width="{2 * PIXEL}"/></g>'
        )
    if "activated" in placed.marks:
        tick = f"M{-size // 2} 0L{-size // 8} {size // 2}L{size * 6 // 10} {-size // 2}"
        yield (
            f'<g transform="translate({radius * 7 // 10} {-radius * 7 // 10})"><circle r="{size}" fill="{FACE}"/>'
            f'<path d="{tick}" fill="none" stroke="{FACE_INK}" stroke-width="{2 * PIXEL}"/></g>'
        )
    places = ((-radius * 7 // 10, radius * 7 // 10), (radius * 7 // 10, radius * 7 // 10))
    if radius >= MIN_FIGURES_RADIUS:
        for (x, y), figure, ink in zip(places, placed.figures, (HURT, FACE_INK), strict=False):
            yield f'<circle cx="{x}" cy="{y}" r="{size}" fill="{FACE}" stroke="{ink}" stroke-width="{PIXEL}"/>'
            yield text_svg(x, y, size * 14 // 10, str(figure), "middle", True, ink)
    if placed.hurt:
        yield f'<circle cy="{radius * 9 // 10}" r="{size}" fill="{HURT}" stroke="{FACE}" stroke-width="{PIXEL}"/>'
        yield text_svg(0, radius * 9 // 10, size * 14 // 10, str(placed.hurt), "middle", True, FACE)


def _links(scene: ReplayScene, view: SceneView) -> Iterator[str]:
    places = {placed.id: view.place(placed.x, placed.y) for placed in scene.placed}
    for link in scene.links:
        if link.first in places and link.second in places:
            (x0, y0), (x1, y1) = places[link.first], places[link.second]
            line = f'd="M{x0} {y0}L{x1} {y1}" stroke="{LINK}" stroke-width="{2 * PIXEL}" stroke-opacity="0.7"'
            yield f"<path {line}/>"
