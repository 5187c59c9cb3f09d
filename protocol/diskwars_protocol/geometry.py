"""Exact integer geometry: flips, overlaps, pins, ranges and lines of sight.

Lengths are micrometres and everything is an integer, so that the same position gives the same answer on every machine.
The functions take centres, radii, heights and corners; owners, rules and terrain keywords are left to the callers.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import isqrt
from typing import Literal, TypeAlias

Point: TypeAlias = tuple[int, int]
Segment: TypeAlias = tuple[Point, Point]
Polygon: TypeAlias = tuple[Point, ...]  # a simple polygon, convex or not, either way round; its last side closes it
PlacedDisk: TypeAlias = tuple[int, int, int, int, int]  # a disk on the table: id, x, y, radius, height z (all z differ)
Circle: TypeAlias = tuple[int, int, int]  # x, y, radius
Box: TypeAlias = tuple[int, int, int, int]  # x0, y0, x1, y1
PinPair: TypeAlias = tuple[int, int]  # id of the disk on top, id of the disk below
PinPairs: TypeAlias = tuple[PinPair, ...]  # sorted
PinMode: TypeAlias = Literal["strict", "contact"]

OVERLAP_TOLERANCE_UM = 10
"""R5.3, R-05: disks that touch do not overlap; an apparent overlap of less than this is rounding."""

# --- flips ------------------------------------------------------------------------------------------------------------

# cos(5° · k) · 2^30 for k = 0..18, rounded to nearest; the rest of the circle is these mirrored.
_COSINES_5_DEGREES = (
    *(1073741824, 1069655912, 1057429273, 1037154959, 1008987269, 973140576, 929887697, 879557810, 822533958),
    *(759250125, 690187940, 615873009, 536870912, 453782903, 367241333, 277904834, 186453311, 93582766, 0),
)
_SCALE_BITS = 30
_HALF = 1 << (_SCALE_BITS - 1)


def _all_directions(quarter: tuple[int, ...]) -> tuple[Point, ...]:
    """Mirror the cosines of the first quarter, 0° and 90° included, to directions all around the circle."""
    last = len(quarter) - 1
    first = [(quarter[k], quarter[last - k]) for k in range(last)]
    second = [(-y, x) for x, y in first]
    return (*first, *second, *((-x, -y) for x, y in first), *((-x, -y) for x, y in second))


# Every 5°, scaled by 2^30. Step 0 points along +x, step 18 along +y.
DIRECTIONS: tuple[Point, ...] = _all_directions(_COSINES_5_DEGREES)


def _unscale(product: int) -> int:
    """Divide by 2^30 and round to nearest, halves away from zero, so that mirrored input mirrors the result (R1.7).

    A shift of a negative number would round toward minus infinity and favour one side of the table.
    """
    size = (abs(product) + _HALF) >> _SCALE_BITS
    return size if product >= 0 else -size


def is_flip(dx: int, dy: int, diameter: int) -> bool:
    """Return whether a vector is one diameter long, within a micrometre, in any direction (R5.2, R-07)."""
    return abs(dx * dx + dy * dy - diameter * diameter) <= 2 * diameter


def flip_toward(dx: int, dy: int, diameter: int) -> Point:
    """Return the flip in the direction of a vector of any length. Raises `ValueError` for (0, 0).

    Each coordinate is rounded to nearest, so the end is at most 0.71 µm from the true one and always passes `is_flip`.
    """
    square = dx * dx + dy * dy
    if square == 0:
        raise ValueError("the vector (0, 0) has no direction")
    quadruple = 4 * diameter * diameter  # isqrt of the fourfold square is twice the coordinate, rounded down
    fx = (isqrt(quadruple * dx * dx // square) + 1) // 2
    fy = (isqrt(quadruple * dy * dy // square) + 1) // 2
    return (fx if dx >= 0 else -fx, fy if dy >= 0 else -fy)


def flip_at(step: int, diameter: int) -> Point:
    """Return the flip in the direction of a step: steps of 5° from +x towards +y, any integer."""
    x, y = DIRECTIONS[step % 72]
    return _unscale(diameter * x), _unscale(diameter * y)


# --- disks ------------------------------------------------------------------------------------------------------------


def disks_overlap(x1: int, y1: int, r1: int, x2: int, y2: int, r2: int) -> bool:
    """Return whether two disks overlap by at least 10 µm (R5.3)."""
    reach = r1 + r2 - OVERLAP_TOLERANCE_UM
    return (x1 - x2) ** 2 + (y1 - y2) ** 2 <= reach * reach


def disks_within(x1: int, y1: int, r1: int, x2: int, y2: int, r2: int, reach: int) -> bool:
    """Return whether two disks are within reach of each other, surface to surface (R5.4)."""
    span = r1 + r2 + reach
    return (x1 - x2) ** 2 + (y1 - y2) ** 2 <= span * span


def disk_gap(x1: int, y1: int, r1: int, x2: int, y2: int, r2: int) -> int:
    """Return the distance of two disks, surface to surface, rounded up; 0 if they overlap.

    Rounded up, it is at most R exactly when the disks are within R.
    """
    return max(0, _ceil_sqrt((x1 - x2) ** 2 + (y1 - y2) ** 2) - r1 - r2)


def _ceil_sqrt(square: int) -> int:
    return isqrt(square - 1) + 1 if square > 0 else 0


def is_inside_rectangle(x: int, y: int, r: int, x0: int, y0: int, x1: int, y1: int) -> bool:
    """Return whether a disk lies wholly inside a rectangle; its edge may touch the sides."""
    return x0 <= x - r and x + r <= x1 and y0 <= y - r and y + r <= y1


# --- pins -------------------------------------------------------------------------------------------------------------


def find_pins(disks: Iterable[PlacedDisk], mode: PinMode = "strict") -> PinPairs:
    """Compute all pins as pairs (top, bottom), sorted (R6.1, R6.2).

    R-04 `strict`: T pins B if it lies above and overlaps it, and no disk between them in height overlaps both.
    `contact`: T pins B if some point of their overlap has nothing between them.
    """
    stack = sorted(disks, key=_height_of)
    # Sets of overlapping disks are bit masks over the stack, so "between both in height and overlapping both" is one
    # expression instead of a third loop.
    masks = _overlap_masks(stack)
    pins: list[PinPair] = []
    for high, top in enumerate(stack):
        for low in _set_bits(masks[high] & ((1 << high) - 1)):
            between = masks[high] & masks[low] & ((1 << high) - (2 << low))
            if not between or _is_pin(top, stack[low], [stack[k] for k in _set_bits(between)], mode):
                pins.append((top[0], stack[low][0]))
    return tuple(sorted(pins))


def update_pins(
    old: Iterable[PinPair], disks: Collection[PlacedDisk], moved: Iterable[int], mode: PinMode = "strict"
) -> PinPairs:
    """Return all pins after some disks were placed, moved or removed: `find_pins(disks, mode)`, at less cost.

    `old` are the pins before, `disks` the table as it is now, `moved` the ids of all disks that came, went or changed
    place or height in between. Only pairs whose pin can have come or gone are computed again.
    """
    now = {disk[0]: disk for disk in disks}
    before = tuple(old)
    changed = set(moved)
    changed.update(end for pin in before for end in pin if end not in now)
    landed = [now[key] for key in changed if key in now]
    kept = {pin for pin in before if changed.isdisjoint(pin)}
    # Each pair to test, with the disks that can lie between its two.
    # 1. Pairs that a changed disk kept apart may pin now.
    candidates: dict[PinPair, Collection[PlacedDisk]] = dict.fromkeys(_uncovered_pairs(before, changed) - kept, disks)
    for disk in landed:
        # 2. Pins that a landed disk may have come between.
        candidates.update(((t, b), disks) for t, b in kept if now[b][4] < disk[4] < now[t][4])
        # 3. Pins of the landed disk itself. Everything between it and another disk overlaps it as well.
        around = _overlapping_disks(disk, disks)
        candidates.update((_top_and_bottom(disk, other), around) for other in around)
    kept -= candidates.keys()
    kept.update((t, b) for (t, b), nearby in candidates.items() if _pins_among(now[t], now[b], nearby, mode))
    return tuple(sorted(kept))


def find_pins_from_top(top: PlacedDisk, around: Collection[PlacedDisk], mode: PinMode = "strict") -> PinPairs:
    """Compute the pins of a disk that lies above all others; `around` are the disks that it overlaps."""
    return tuple(sorted((top[0], other[0]) for other in around if _pins_among(top, other, around, mode)))


def _uncovered_pairs(before: tuple[PinPair, ...], changed: set[int]) -> set[PinPair]:
    """Return the pairs of unmoved disks that a changed disk may have kept apart: one above it, one below it.

    Two disks that overlap are joined by a chain of pins, in either mode, so the old pins lead to all such pairs.
    """
    # R6.3: a disk that moves is seldom pinned, and with nothing above it, it kept no disks apart.
    if not any(bottom in changed for _, bottom in before):
        return set()
    upward: dict[int, list[int]] = {}
    downward: dict[int, list[int]] = {}
    for top, bottom in before:
        upward.setdefault(bottom, []).append(top)
        downward.setdefault(top, []).append(bottom)
    pairs: set[PinPair] = set()
    for key in changed:
        tops = _reachable(key, upward) - changed
        bottoms = _reachable(key, downward) - changed
        pairs.update((top, bottom) for top in tops for bottom in bottoms)
    return pairs


def _reachable(start: int, links: dict[int, list[int]]) -> set[int]:
    """Return every id that can be reached from `start` along links; not `start` itself."""
    reached: set[int] = set()
    pending = [start]
    while pending:
        new = [key for key in links.get(pending.pop(), ()) if key not in reached]
        reached.update(new)
        pending.extend(new)
    return reached


def _overlapping_disks(disk: PlacedDisk, disks: Iterable[PlacedDisk]) -> list[PlacedDisk]:
    """List the other disks that a disk overlaps: the test of `disks_overlap`, written out.

    A function call for each disk would take longer than the arithmetic.
    """
    key, x, y, r, _ = disk
    reach = r - OVERLAP_TOLERANCE_UM
    return [d for d in disks if (x - d[1]) ** 2 + (y - d[2]) ** 2 <= (reach + d[3]) ** 2 and d[0] != key]


def _top_and_bottom(disk: PlacedDisk, other: PlacedDisk) -> PinPair:
    """Return the ids of two disks, the higher one first."""
    return (disk[0], other[0]) if disk[4] > other[4] else (other[0], disk[0])


def _pins_among(top: PlacedDisk, bottom: PlacedDisk, disks: Iterable[PlacedDisk], mode: PinMode) -> bool:
    """Return whether one disk pins another; `disks` contains all that can lie between them."""
    if not _placed_disks_overlap(top, bottom):
        return False
    between = [
        disk
        for disk in disks
        if bottom[4] < disk[4] < top[4] and _placed_disks_overlap(disk, top) and _placed_disks_overlap(disk, bottom)
    ]
    return not between or _is_pin(top, bottom, between, mode)


def _is_pin(top: PlacedDisk, bottom: PlacedDisk, between: list[PlacedDisk], mode: PinMode) -> bool:
    """Return whether the upper of two overlapping disks pins the lower although others lie between and overlap both."""
    return mode == "contact" and _has_contact_point(top, bottom, between)


def _has_contact_point(top: PlacedDisk, bottom: PlacedDisk, between: list[PlacedDisk]) -> bool:
    """Return whether two disks, each 5 µm smaller in radius, have a common point that no open disk between covers.

    The uncovered common points form a closed set. If it is not empty, its rightmost point is where two circles cross or
    touch, or the rightmost point of the upper or the lower disk. It is never the rightmost point of a disk between,
    because just to the right of that nothing is covered by it. So a finite number of candidates decides exactly.
    """
    lens = [(x, y, r - OVERLAP_TOLERANCE_UM // 2) for _, x, y, r, _ in (top, bottom)]
    circles = [*lens, *((x, y, r) for _, x, y, r, _ in between)]
    for x, y, r in lens:
        if _is_uncovered((x + r - x2) ** 2 + (y - y2) ** 2 - r2 * r2 for x2, y2, r2 in circles):
            return True
    for first in range(len(circles)):
        for second in range(first):
            if _has_uncovered_crossing(circles, first, second):
                return True
    return False


def _is_uncovered(sides: Iterable[int]) -> bool:
    """Return whether a point is in both outer circles and inside none between.

    `sides` are its positions relative to all circles, the two outer ones first: negative inside, positive outside.
    """
    return all(side <= 0 if number < 2 else side >= 0 for number, side in enumerate(sides))


def _has_uncovered_crossing(circles: list[Circle], first: int, second: int) -> bool:
    """Return whether two of the circles cross, or touch, at an uncovered point.

    The crossings are c1 + (a·d ± √E·d⊥) / 2·d2; put into circle k and multiplied by d2 they give
    d2·(|q|² + r1² - rk²) + a·(q·d) ± (q·d⊥)·√E. Only the sign of that is needed, so the root is never computed and the
    answer is exact.
    """
    x1, y1, r1 = circles[first]
    x2, y2, r2 = circles[second]
    dx, dy = x2 - x1, y2 - y1
    d2 = dx * dx + dy * dy
    a = d2 + r1 * r1 - r2 * r2
    e = 4 * r1 * r1 * d2 - a * a
    if d2 == 0 or e < 0:
        return False
    parts: list[Point] = []
    for x, y, r in circles:  # including the two that cross: both parts are 0 for those
        qx, qy = x1 - x, y1 - y
        flat = d2 * (qx * qx + qy * qy + r1 * r1 - r * r) + a * (qx * dx + qy * dy)
        parts.append((flat, qy * dx - qx * dy))
    return any(_is_uncovered(_sign_with_root(flat, side * slope, e) for flat, slope in parts) for side in (1, -1))


def _sign_with_root(flat: int, slope: int, square: int) -> int:
    """Return the sign of flat + slope·√square, by squaring instead of taking the root."""
    flat_sign, slope_sign = _sign(flat), _sign(slope) if square else 0
    if flat_sign * slope_sign >= 0:
        return flat_sign or slope_sign
    return flat_sign * _sign(flat * flat - slope * slope * square)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _placed_disks_overlap(one: PlacedDisk, other: PlacedDisk) -> bool:
    return disks_overlap(one[1], one[2], one[3], other[1], other[2], other[3])


def _height_of(disk: PlacedDisk) -> int:
    return disk[4]


def _overlap_masks(stack: list[PlacedDisk]) -> list[int]:
    """Return for each disk the set of disks that it overlaps, as a bit mask: bit k stands for index k of the list."""
    masks = [0] * len(stack)
    for high, (_, x, y, r, _) in enumerate(stack):
        for low in range(high):
            _, x2, y2, r2, _ = stack[low]
            if disks_overlap(x, y, r, x2, y2, r2):
                masks[high] |= 1 << low
                masks[low] |= 1 << high
    return masks


def _set_bits(mask: int) -> Iterable[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


# --- pieces of terrain ------------------------------------------------------------------------------------------------


def rotate_polygon(corners: Polygon, steps: int, x: int = 0, y: int = 0) -> Polygon:
    """Rotate a polygon about (0, 0) by steps of 5° from +x towards +y, round it once, and move it by (x, y)."""
    cosine, sine = DIRECTIONS[steps % 72]
    return tuple((x + _unscale(u * cosine - v * sine), y + _unscale(u * sine + v * cosine)) for u, v in corners)


def point_gap_sq(x: int, y: int, corners: Polygon) -> int:
    """Return the squared distance from a point to a polygon, rounded up; 0 inside it and on its outline.

    Rounded up, it compares with the square of any integer like the exact value.
    """
    nearest = min(_side_gap_sq(x, y, start, end) for start, end in _sides(corners))
    return 0 if nearest and _is_point_inside(x, y, corners) else nearest


def disk_overlaps_polygon(x: int, y: int, r: int, corners: Polygon) -> bool:
    """Return whether a disk reaches at least 10 µm into a polygon, the same tolerance as for two disks (R5.3)."""
    return _is_point_within(x, y, corners, r - OVERLAP_TOLERANCE_UM)


def _is_point_near_box(x: int, y: int, reach: int, corners: Polygon) -> bool:
    """Return whether a point is within reach of the box around a polygon.

    Most points are not, and then they are not within reach of the polygon either.
    """
    across = [corner[0] for corner in corners]
    if min(across) - reach > x or max(across) + reach < x:
        return False
    along = [corner[1] for corner in corners]
    return min(along) - reach <= y <= max(along) + reach


def _is_point_within(x: int, y: int, corners: Polygon, reach: int) -> bool:
    return _is_point_near_box(x, y, reach, corners) and _is_point_near_outline(x, y, corners, reach)


def _is_point_near_outline(x: int, y: int, corners: Polygon, reach: int) -> bool:
    """Return whether a point is within reach of a polygon: the same answer as comparing `point_gap_sq`.

    Walks around the outline once, without a division, and stops at the first side within reach. If no side is, the
    point is inside exactly when a ray from it crosses an odd number of sides, which the same walk counts.
    """
    limit, inside = reach * reach, False
    x0, y0 = corners[-1]
    for x1, y1 in corners:
        ux, uy, px, py = x1 - x0, y1 - y0, x - x0, y - y0
        along, across, length_sq = px * ux + py * uy, px * uy - py * ux, ux * ux + uy * uy
        if along <= 0:
            near = px * px + py * py <= limit
        elif along >= length_sq:
            near = (x - x1) ** 2 + (y - y1) ** 2 <= limit
        else:
            near = across * across <= limit * length_sq
        if near:
            return True
        if (y0 > y) != (y1 > y) and (across < 0) == (y1 > y0):
            inside = not inside
        x0, y0 = x1, y1
    return inside


def are_polygons_within(one: Polygon, other: Polygon, reach: int) -> bool:
    """Return whether two polygons are within reach of each other.

    They are if a corner of one is within reach of the other, or if their sides cross.
    """
    # Bounding boxes answer for most pairs before the exact geometry; boxes are never apart where the polygons touch.
    box, other_box = bounding_box(one), bounding_box(other)
    if not are_boxes_within(box, other_box, reach):
        return False
    if any(_is_point_near_outline(x, y, other, reach) for x, y in _corners_near_box(one, other_box, reach)):
        return True
    if any(_is_point_near_outline(x, y, one, reach) for x, y in _corners_near_box(other, box, reach)):
        return True
    if not are_boxes_within(box, other_box, 0):
        return False
    return any(_cross_properly(a, b, c, d) for a, b in _sides(one) for c, d in _sides(other))


def _corners_near_box(corners: Polygon, around: Box, reach: int) -> list[Point]:
    """List the corners of a polygon that are within reach of a box along both axes."""
    x0, y0, x1, y1 = around[0] - reach, around[1] - reach, around[2] + reach, around[3] + reach
    return [(x, y) for x, y in corners if x0 <= x <= x1 and y0 <= y <= y1]


def inscribed_circle(corners: Polygon) -> Circle:
    """Return a circle inside a polygon, around the middle of its box; a single corner if the middle lies outside.

    Two polygons whose inscribed circles are within reach of each other are within reach themselves. In the search for
    a place for terrain, this rejects most places without exact geometry.
    """
    x0, y0, x1, y1 = bounding_box(corners)
    x, y = (x0 + x1) // 2, (y0 + y1) // 2
    if not _is_point_inside(x, y, corners):
        return *corners[0], 0
    nearest = min(_side_gap_sq(x, y, start, end) for start, end in _sides(corners))
    return x, y, isqrt(max(0, nearest - 1))  # the squared distance is rounded up, so one less keeps the circle inside


def bounding_box(corners: Polygon) -> Box:
    """Return the smallest axis-aligned rectangle around a polygon."""
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return min(xs), min(ys), max(xs), max(ys)


def are_boxes_within(one: Box, other: Box, reach: int) -> bool:
    """Return whether two boxes are within reach along both axes; if not, nothing inside them is."""
    return (
        one[0] - other[2] <= reach
        and other[0] - one[2] <= reach
        and one[1] - other[3] <= reach
        and other[1] - one[3] <= reach
    )


def is_polygon_inside_rectangle(corners: Polygon, x0: int, y0: int, x1: int, y1: int, distance: int = 0) -> bool:
    """Return whether every corner of a polygon is inside a rectangle, at least `distance` from its sides.

    "Not within R of a side" is a distance of R + 1.
    """
    return all(is_inside_rectangle(x, y, distance, x0, y0, x1, y1) for x, y in corners)


def _sides(corners: Polygon) -> Iterator[Segment]:
    start = corners[-1]
    for end in corners:
        yield start, end
        start = end


def _side_gap_sq(x: int, y: int, start: Point, end: Point) -> int:
    ux, uy = end[0] - start[0], end[1] - start[1]
    px, py = x - start[0], y - start[1]
    length_sq = ux * ux + uy * uy
    along = px * ux + py * uy
    if along <= 0:
        return px * px + py * py
    if along >= length_sq:
        return (x - end[0]) ** 2 + (y - end[1]) ** 2
    across = px * uy - py * ux
    return -(-across * across // length_sq)


def _is_point_inside(x: int, y: int, corners: Polygon) -> bool:
    """Return whether a point that is not on the outline lies inside: a ray from it crosses an odd number of sides."""
    inside = False
    for (x0, y0), (x1, y1) in _sides(corners):
        if (y0 > y) != (y1 > y) and ((x1 - x0) * (y - y0) > (x - x0) * (y1 - y0)) == (y1 > y0):
            inside = not inside
    return inside


def _cross_properly(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Return whether two sides cross at a point inside both."""
    return _orientation(a, b, c) * _orientation(a, b, d) < 0 and _orientation(c, d, a) * _orientation(c, d, b) < 0


def _orientation(a: Point, b: Point, c: Point) -> int:
    """Return the side of the line from a to b on which c lies: > 0 left, < 0 right, 0 on it (with y upwards)."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


# --- sight ------------------------------------------------------------------------------------------------------------

# cos(90° · k / 16) · 2^30 for k = 0..16, rounded down, so that no corner leaves the disk.
_SIGHT_POLYGON_COSINES = (
    *(1073741824, 1068571463, 1053110175, 1027506861, 992008094, 946955747, 892783698, 830013654, 759250124),
    *(681174602, 596538995, 506158392, 410903206, 311690798, 209476638, 105245103, 0),
)
_SIGHT_POLYGON_DIRECTIONS = _all_directions(_SIGHT_POLYGON_COSINES)
SIGHT_POLYGON_CACHE_SIZE = 64
"""Disk sizes whose 64-gon is cached; usually there are three."""


def sight_polygon(x: int, y: int, r: int) -> Polygon:
    """Return the 64-gon that stands for a disk in sight tests, inscribed in the disk with 10 µm less radius.

    The 10 µm are the tolerance of overlaps: a piece that the disk does not overlap has no point in common with the
    64-gon. It is a polygon because tangents to a circle touch it at points that are not integers.
    """
    return tuple((x + u, y + v) for u, v in _sight_polygon_offsets(r - OVERLAP_TOLERANCE_UM))


@lru_cache(maxsize=SIGHT_POLYGON_CACHE_SIZE)
def _sight_polygon_offsets(size: int) -> Polygon:
    return tuple((_scale_toward_zero(size, u), _scale_toward_zero(size, v)) for u, v in _SIGHT_POLYGON_DIRECTIONS)


def _scale_toward_zero(length: int, factor: int) -> int:
    return length * factor >> _SCALE_BITS if factor >= 0 else -(length * -factor >> _SCALE_BITS)


def find_sight(ax: int, ay: int, ar: int, bx: int, by: int, br: int, blockers: Iterable[Polygon]) -> Segment | None:
    """Return a line of sight from a point of one disk to a point of another, or None (R11.2, R11.3).

    Whether there is one is exact; its ends are rounded, for display (`find_sight_line` has the exact line). `blockers`
    are the pieces that block sight; those that either disk overlaps do not block and are ignored.
    """
    line = find_sight_line(ax, ay, ar, bx, by, br, blockers)
    if line is None:
        return None
    return _nearest_point_on_line(ax, ay, *line), _nearest_point_on_line(bx, by, *line)


def find_sight_line(
    ax: int, ay: int, ar: int, bx: int, by: int, br: int, blockers: Iterable[Polygon]
) -> Segment | None:
    """Return two integer points of a line on which the disks see each other past every piece, or None.

    There is sight if some segment that joins the two 64-gons avoids the inside of every blocking piece.
    """
    # A finite number of lines decides. If all segments are clear, so is the line of the centres. If some are, but not
    # all, then so is one on a line through two corners of pieces, or through such a corner and tangent to a 64-gon on
    # its right: move a clear line until it is about to be blocked, so that it grazes a corner, and turn it clockwise
    # about that corner until it is about to be blocked again or to leave a 64-gon. Left tangents and common tangents
    # therefore need no test.
    a, b = (ax, ay, ar - OVERLAP_TOLERANCE_UM), (bx, by, br - OVERLAP_TOLERANCE_UM)
    centres = ((ax, ay), (bx, by))
    pieces = [piece for piece in blockers if _can_block(piece, a, b)]
    if not pieces:
        return centres
    rings = (sight_polygon(ax, ay, ar), sight_polygon(bx, by, br))
    for line in (centres, *_grazing_lines(rings, pieces)):
        if (
            _line_meets_polygon(line, a, rings[0])
            and _line_meets_polygon(line, b, rings[1])
            and _is_clear(line, a, b, pieces)
        ):
            return line
    return None


def _nearest_point_on_line(x: int, y: int, start: Point, end: Point) -> Point:
    """Return the point of a line nearest to a given point, rounded."""
    ux, uy = end[0] - start[0], end[1] - start[1]
    length_sq = ux * ux + uy * uy
    if length_sq == 0:
        return start
    along = (x - start[0]) * ux + (y - start[1]) * uy
    return start[0] + _rounded_quotient(ux * along, length_sq), start[1] + _rounded_quotient(uy * along, length_sq)


def _rounded_quotient(number: int, divisor: int) -> int:
    return (2 * number + divisor) // (2 * divisor)


def _can_block(piece: Polygon, a: Circle, b: Circle) -> bool:
    """Return whether a piece is near the convex hull of two disks, and overlaps neither."""
    ux, uy = b[0] - a[0], b[1] - a[1]
    band = max(a[2], b[2]) * (isqrt(ux * ux + uy * uy) + 1)
    across = [ux * (y - a[1]) - uy * (x - a[0]) for x, y in piece]
    along = [ux * (x - a[0]) + uy * (y - a[1]) for x, y in piece]
    if max(across) < -band or min(across) > band or max(along) < -band or min(along) > ux * ux + uy * uy + band:
        return False
    return not any(_is_point_near_outline(x, y, piece, size) for x, y, size in (a, b))


def _grazing_lines(rings: tuple[Polygon, Polygon], pieces: list[Polygon]) -> Iterator[Segment]:
    """Yield the lines through a corner of a piece and tangent to a 64-gon, then those through two corners."""
    corners = list(dict.fromkeys(corner for piece in pieces for corner in piece))
    for corner in corners:
        for ring in rings:
            yield corner, _rightmost_corner(ring, corner)
    yield from combinations(corners, 2)


def _rightmost_corner(ring: Polygon, eye: Point) -> Point:
    """Return the corner of a 64-gon that lies furthest to the right, seen from a point outside.

    Seen from there, the corners in turn go once to the right and once back, so hill climbing cannot stop at a local
    maximum. Strides from 16 down to 1 need far fewer tests than 64.
    """
    best = 0
    for stride in (16, 8, 4, 2, 1):
        step = stride
        for _ in range(2):
            while _orientation(eye, ring[best], ring[(best + step) % 64]) < 0:
                best = (best + step) % 64
            step = -stride
    return ring[best]


def _line_meets_polygon(line: Segment, circle: Circle, ring: Polygon) -> bool:
    """Return whether a line has a point in common with a 64-gon, which is inscribed in a circle.

    The distance from the centre decides most cases; only a line that passes near the circle needs the corners.
    """
    (px, py), (qx, qy) = line
    ux, uy = qx - px, qy - py
    x, y, size = circle
    length_sq = ux * ux + uy * uy
    side = ux * (y - py) - uy * (x - px)
    if side * side > size * size * length_sq:
        return False
    inner = size - size // 800 - 2  # the sides of the 64-gon are within 1/830 of the circle; 2 µm more for rounding
    if side * side <= inner * inner * length_sq:
        return True
    return any(side * (ux * (v - py) - uy * (u - px)) <= 0 for u, v in ring)


def _is_clear(line: Segment, a: Circle, b: Circle, pieces: Iterable[Polygon]) -> bool:
    """Return whether a line that meets both 64-gons avoids the inside of every piece between them.

    No piece overlaps either disk, so it does not matter at which of its points in a disk the line begins; it is the
    one nearest to the centre.
    """
    (px, py), (qx, qy) = line
    ux, uy = qx - px, qy - py
    start = ux * (a[0] - px) + uy * (a[1] - py)
    end = ux * (b[0] - px) + uy * (b[1] - py)
    if start > end:
        ux, uy, start, end = -ux, -uy, -start, -end
    for piece in pieces:
        across = [ux * (y - py) - uy * (x - px) for x, y in piece]
        if min(across) < 0 < max(across):
            along = [ux * (x - px) + uy * (y - py) for x, y in piece]
            if _line_enters(across, along, start, end):
                return False
    return True


def _line_enters(across: Sequence[int], along: Sequence[int], start: int, end: int) -> bool:
    """Return whether a piece has inner points on the stretch from `start` to `end` of a line.

    Its corners are given as coordinates across and along the line. A line that crosses a side between its corners gets
    inside. A line that only touches corners or runs along sides is inside where the stretches just left and just right
    of it both are; a side that runs along the line has the inside on one of them only.
    """
    left: list[int] = []
    right: list[int] = []
    s0, t0 = across[-1], along[-1]
    for s1, t1 in zip(across, along, strict=True):
        if s0 * s1 < 0:
            width = abs(s1 - s0)
            place = (t0 * s1 - t1 * s0) * _sign(s1 - s0)
            if start * width < place < end * width:
                return True
        elif (s0 == 0) != (s1 == 0):
            place = t1 if s0 else t0
            if start < place < end:
                (left if s0 + s1 < 0 else right).append(place)
        s0, t0 = s1, t1
    return any(max(l0, r0) < min(l1, r1) for l0, l1 in _inside_spans(left) for r0, r1 in _inside_spans(right))


def _inside_spans(places: list[int]) -> list[tuple[int, int]]:
    """Pair the places at which a line crosses an outline, starting outside, to the stretches that are inside."""
    places.sort()
    return list(zip(places[::2], places[1::2], strict=True))
