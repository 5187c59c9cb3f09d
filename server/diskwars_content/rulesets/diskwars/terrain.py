"""TOML specs of terrain: pieces, and the outlines and keywords they may have.

A piece is printed on both sides, and its back has the mirrored outline of its front (R-54).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from diskwars_content.rulesets.diskwars.entry_checks import Fault
from diskwars_content.rulesets.diskwars.keyword_text import KeywordSyntaxError, parse_terrain_keyword
from diskwars_content.rulesets.diskwars.specs import TerrainFaceSpec, TerrainPieceSpec
from diskwars_protocol.geometry import Point, Segment
from diskwars_protocol.rulesets.diskwars.setup_cards import Terrain, TerrainCard

MIN_CORNERS, MAX_CORNERS = 3, 24
"""The number of corners an outline may have; limited because sight tests use every pair of them."""
MIN_PIECE_SIZE, MAX_PIECE_SIZE = 25_400, 203_200
"""The width and height of a piece in micrometres: one inch to eight."""


def piece_faults(piece: TerrainPieceSpec) -> Iterator[Fault]:
    if len(piece.faces) != 2:
        yield ("faces",), f"a piece has 2 faces, not {len(piece.faces)}"
    for number, face in enumerate(piece.faces):
        for inner, text in _face_faults(face):
            yield ("faces", number, *inner), text
    yield from _outline_faults(piece)


def _face_faults(face: TerrainFaceSpec) -> Iterator[Fault]:
    for number, printed in enumerate(face.keywords):
        try:
            parse_terrain_keyword(printed)
        except KeywordSyntaxError as fault:
            yield ("keywords", number), str(fault)
    for word, count in Counter(face.keywords).items():
        if count > 1:
            yield ("keywords",), f'"{word}" is listed {count} times'


def _outline_faults(piece: TerrainPieceSpec) -> Iterator[Fault]:
    odd = [number for number, corner in enumerate(piece.corners) if len(corner) != 2]
    for number in odd:
        yield ("corners", number), "a corner is [x, y]"
    if odd:
        return
    corners = _corner_points(piece)
    if not MIN_CORNERS <= len(corners) <= MAX_CORNERS:
        yield ("corners",), f"an outline has {MIN_CORNERS} to {MAX_CORNERS} corners, not {len(corners)}"
        return
    yield from ((("corners",), text) for text in (*_shape_faults(corners), *_size_faults(corners)))


def _shape_faults(corners: Sequence[Point]) -> Iterator[str]:
    """R10.12: the outline must not cross or touch itself, and must run counter-clockwise."""
    sides = list(zip(corners, (*corners[1:], corners[0]), strict=True))
    for (place, first), (other_place, second) in combinations(enumerate(sides), 2):
        follows = other_place == place + 1 or (place == 0 and other_place == len(sides) - 1)
        if _is_folding_back(first, second) if follows else _do_sides_meet(first, second):
            yield f"the sides {place} and {other_place} meet where they should not"
            return
    if sum(a[0] * b[1] - b[0] * a[1] for a, b in sides) <= 0:
        yield "the corners have to go round against the clock"


def _size_faults(corners: Sequence[Point]) -> Iterator[str]:
    for axis, word in enumerate(("wide", "high")):
        places = [corner[axis] for corner in corners]
        size, middle = max(places) - min(places), max(places) + min(places)
        if not MIN_PIECE_SIZE <= size <= MAX_PIECE_SIZE:
            yield f"{size} is not from {MIN_PIECE_SIZE} to {MAX_PIECE_SIZE} {word}"
        if abs(middle) > 1:
            yield f"the outline lies from {min(places)} to {max(places)}, not with its middle at 0"


def _orientation(a: Point, b: Point, c: Point) -> int:
    """Return a positive number if c lies to the left of the line from a to b, negative to the right, 0 on it."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _is_folding_back(first: Segment, second: Segment) -> bool:
    """Return whether two sides with a common corner overlap beyond it, or one of them has length 0."""
    shared = first[1] if first[1] == second[0] else first[0]
    (a, b) = (first[0] if shared == first[1] else first[1], second[1] if shared == second[0] else second[0])
    dot_product = (a[0] - shared[0]) * (b[0] - shared[0]) + (a[1] - shared[1]) * (b[1] - shared[1])
    return shared in (a, b) or (_orientation(a, shared, b) == 0 and dot_product > 0)


def _do_sides_meet(first: Segment, second: Segment) -> bool:
    """Return whether two sides without a common corner have any point in common."""
    (a, b), (c, d) = first, second
    turns = [_orientation(a, b, c), _orientation(a, b, d), _orientation(c, d, a), _orientation(c, d, b)]
    if turns[0] * turns[1] < 0 and turns[2] * turns[3] < 0:
        return True
    ends = ((c, first), (d, first), (a, second), (b, second))
    return any(turn == 0 and _is_in_box(point, side) for turn, (point, side) in zip(turns, ends, strict=True))


def _is_in_box(point: Point, side: Segment) -> bool:
    return all(min(side[0][axis], side[1][axis]) <= point[axis] <= max(side[0][axis], side[1][axis]) for axis in (0, 1))


def _corner_points(piece: TerrainPieceSpec) -> tuple[Point, ...]:
    return tuple((corner[0], corner[1]) for corner in piece.corners)


def build_terrain_card(piece: TerrainPieceSpec) -> TerrainCard:
    """Build the card of a piece; its name joins the titles of its two faces."""
    front, back = piece.faces
    corners = _corner_points(piece)
    mirrored = tuple((-x, y) for x, y in reversed(corners))
    faces = _build_terrain_face(front, corners), _build_terrain_face(back, mirrored)
    return TerrainCard(piece.id, f"{front.name} / {back.name}", faces)


def _build_terrain_face(face: TerrainFaceSpec, corners: tuple[Point, ...]) -> Terrain:
    keywords = tuple(parse_terrain_keyword(printed) for printed in face.keywords)
    return Terrain(face.id, face.name, corners, keywords, face.short_name)
