"""Where do things lie on the table: which vectors are flips, what overlaps, pins, is within reach, sees?

Lengths are micrometres and everything is an integer, so that the same position gives the same answer on every
machine. Knows centres, radii, heights and corners; must not know owners, rules of play, terrain keywords or events.
"""

from collections.abc import Collection, Iterable
from math import isqrt
from typing import Literal, TypeAlias

Point: TypeAlias = tuple[int, int]
Placed: TypeAlias = tuple[int, int, int, int, int]  # a disk on the table: id, x, y, radius, height z (all z differ)
Circle: TypeAlias = tuple[int, int, int]  # x, y, radius
Pin: TypeAlias = tuple[int, int]  # id of the disk on top, id of the disk below
Pins: TypeAlias = tuple[Pin, ...]  # sorted
PinMode: TypeAlias = Literal["strict", "contact"]

# R5.3 disks that touch do not overlap: this much of a seeming overlap is rounding.
SLACK = 10

# --- flips ------------------------------------------------------------------------------------------------------------

# cos(5° · k) · 2^30 for k = 0..18, rounded to nearest; the rest of the circle is these mirrored.
_COSINES = (
    *(1073741824, 1069655912, 1057429273, 1037154959, 1008987269, 973140576, 929887697, 879557810, 822533958),
    *(759250125, 690187940, 615873009, 536870912, 453782903, 367241333, 277904834, 186453311, 93582766, 0),
)
_SCALE_BITS = 30
_HALF = 1 << (_SCALE_BITS - 1)


def _round_the_circle(quarter: tuple[int, ...]) -> tuple[Point, ...]:
    """All directions of the circle from the cosines of its first quarter, 0° and 90° included."""
    last = len(quarter) - 1
    first = [(quarter[k], quarter[last - k]) for k in range(last)]
    second = [(-y, x) for x, y in first]
    return (*first, *second, *((-x, -y) for x, y in first), *((-x, -y) for x, y in second))


# Every 5°, scaled by 2^30. Step 0 points along +x, step 18 along +y.
DIRECTIONS: tuple[Point, ...] = _round_the_circle(_COSINES)


def _scaled(length: int, factor: int) -> int:
    """length · factor / 2^30, rounded to nearest, halves away from zero, so that mirrored input mirrors the result."""
    size = (length * abs(factor) + _HALF) >> _SCALE_BITS
    return size if factor >= 0 else -size


def is_flip(dx: int, dy: int, diameter: int) -> bool:
    """Whether a vector is one diameter long, within a micrometre (R5.2)."""
    return abs(dx * dx + dy * dy - diameter * diameter) <= 2 * diameter


def flip_toward(dx: int, dy: int, diameter: int) -> Point:
    """The flip in the direction of a vector other than (0, 0), of any length.

    Each part is rounded to nearest, so the end is at most 0.71 from the true one: always a flip.
    """
    square = dx * dx + dy * dy
    if square == 0:
        raise ValueError("the vector (0, 0) has no direction")
    quadruple = 4 * diameter * diameter  # isqrt of the fourfold square is twice the part, rounded down
    fx = (isqrt(quadruple * dx * dx // square) + 1) // 2
    fy = (isqrt(quadruple * dy * dy // square) + 1) // 2
    return (fx if dx >= 0 else -fx, fy if dy >= 0 else -fy)


def flip_at(step: int, diameter: int) -> Point:
    """The flip in a direction counted in steps of 5° from +x towards +y; any integer step."""
    x, y = DIRECTIONS[step % 72]
    return _scaled(diameter, x), _scaled(diameter, y)


# --- disks ------------------------------------------------------------------------------------------------------------


def overlaps(x1: int, y1: int, r1: int, x2: int, y2: int, r2: int) -> bool:
    """Whether two disks overlap by at least 10 µm (R5.3)."""
    reach = r1 + r2 - SLACK
    return (x1 - x2) ** 2 + (y1 - y2) ** 2 <= reach * reach


def within(x1: int, y1: int, r1: int, x2: int, y2: int, r2: int, reach: int) -> bool:
    """Whether two disks are within reach of each other, surface to surface (R5.4)."""
    span = r1 + r2 + reach
    return (x1 - x2) ** 2 + (y1 - y2) ** 2 <= span * span


def gap(x1: int, y1: int, r1: int, x2: int, y2: int, r2: int) -> int:
    """How far apart two disks are, surface to surface, rounded up: `gap(...) <= R` exactly when they are within R."""
    return max(0, _root_up((x1 - x2) ** 2 + (y1 - y2) ** 2) - r1 - r2)


def _root_up(square: int) -> int:
    return isqrt(square - 1) + 1 if square > 0 else 0


def inside_rectangle(x: int, y: int, r: int, x0: int, y0: int, x1: int, y1: int) -> bool:
    """Whether a disk lies wholly inside a rectangle; its rim may touch the sides."""
    return x0 <= x - r and x + r <= x1 and y0 <= y - r and y + r <= y1


# --- pins -------------------------------------------------------------------------------------------------------------


def pins(disks: Iterable[Placed], mode: PinMode = "strict") -> Pins:
    """Which disk pins which, as (top, bottom), sorted (R6.1, R-04)."""
    stack = sorted(disks, key=_height)
    meets = _overlap_masks(stack)
    found: list[Pin] = []
    for high, top in enumerate(stack):
        for low in _bits(meets[high] & ((1 << high) - 1)):
            between = meets[high] & meets[low] & ((1 << high) - (2 << low))
            if not between or _is_pin(top, stack[low], [stack[k] for k in _bits(between)], mode):
                found.append((top[0], stack[low][0]))
    return tuple(sorted(found))


def pins_strict(disks: Iterable[Placed]) -> Pins:
    """T pins B if it lies above and overlaps it and no disk between them in height overlaps both (R-04 `strict`)."""
    return pins(disks, "strict")


def pins_contact(disks: Iterable[Placed]) -> Pins:
    """T pins B where some point of their overlap has nothing between them (R-04 `contact`)."""
    return pins(disks, "contact")


def changed_pins(old: Iterable[Pin], disks: Collection[Placed], moved: Iterable[int], mode: PinMode = "strict") -> Pins:
    """All pins after some disks were placed, moved or removed; the same as `pins(disks, mode)`, at less cost.

    `old` are the pins before, `disks` the table as it is now, `moved` the ids of all disks that came, went or changed
    place or height in between. Looks only at pairs whose pin can have come or gone.
    """
    now = {disk[0]: disk for disk in disks}
    before = tuple(old)
    changed = set(moved)
    changed.update(end for pin in before for end in pin if end not in now)
    landed = [now[key] for key in changed if key in now]
    kept = {pin for pin in before if changed.isdisjoint(pin)}
    doubtful = _opened(before, changed) - kept
    for disk in landed:
        doubtful.update(_pairs_with(disk, disks))
        doubtful.update((t, b) for t, b in kept if now[b][4] < disk[4] < now[t][4])
    kept -= doubtful
    kept.update((t, b) for t, b in doubtful if _pins_among(now[t], now[b], disks, mode))
    return tuple(sorted(kept))


def _opened(before: tuple[Pin, ...], changed: set[int]) -> set[Pin]:
    """The pairs of unmoved disks that a changed disk may have kept apart: one above it, one below it.

    Two disks that overlap are joined by a chain of pins, in either mode, so the old pins lead to all of them.
    """
    upward: dict[int, list[int]] = {}
    downward: dict[int, list[int]] = {}
    for top, bottom in before:
        upward.setdefault(bottom, []).append(top)
        downward.setdefault(top, []).append(bottom)
    pairs: set[Pin] = set()
    for key in changed:
        tops = _chain(key, upward) - changed
        bottoms = _chain(key, downward) - changed
        pairs.update((top, bottom) for top in tops for bottom in bottoms)
    return pairs


def _chain(start: int, links: dict[int, list[int]]) -> set[int]:
    reached: set[int] = set()
    ahead = [start]
    while ahead:
        fresh = [key for key in links.get(ahead.pop(), ()) if key not in reached]
        reached.update(fresh)
        ahead.extend(fresh)
    return reached


def _pairs_with(disk: Placed, disks: Iterable[Placed]) -> Iterable[Pin]:
    """Every pair (upper, lower) of this disk and one that it overlaps."""
    key, x, y, r, z = disk
    for other in disks:
        if other[0] != key and overlaps(x, y, r, other[1], other[2], other[3]):
            yield (key, other[0]) if z > other[4] else (other[0], key)


def _pins_among(top: Placed, bottom: Placed, disks: Iterable[Placed], mode: PinMode) -> bool:
    if not _meet(top, bottom):
        return False
    between = [disk for disk in disks if bottom[4] < disk[4] < top[4] and _meet(disk, top) and _meet(disk, bottom)]
    return not between or _is_pin(top, bottom, between, mode)


def _is_pin(top: Placed, bottom: Placed, between: list[Placed], mode: PinMode) -> bool:
    """Whether the upper of two overlapping disks pins the lower past those that lie between and overlap both."""
    return mode == "contact" and _in_contact(top, bottom, between)


def _in_contact(top: Placed, bottom: Placed, between: list[Placed]) -> bool:
    """Whether the two disks, each less 5 µm of radius, have a common point that lies in no open disk between.

    The common points left bare form a closed set. If there is one, its rightmost point is where two circles cross or
    touch, or the rightmost point of the upper or the lower disk (it is never one of a disk between: to the right of
    that one all is bare), so these candidates decide.
    """
    lens = [(x, y, r - SLACK // 2) for _, x, y, r, _ in (top, bottom)]
    circles = [*lens, *((x, y, r) for _, x, y, r, _ in between)]
    for x, y, r in lens:
        if _is_bare(((x + r - x2) ** 2 + (y - y2) ** 2 - r2 * r2 for x2, y2, r2 in circles)):
            return True
    for first in range(len(circles)):
        for second in range(first):
            if _crossing_is_bare(circles, first, second):
                return True
    return False


def _is_bare(sides: Iterable[int]) -> bool:
    """Whether a point is in the lens and in nothing between, by its sides of all circles: < 0 inside, > 0 outside."""
    return all(side <= 0 if place < 2 else side >= 0 for place, side in enumerate(sides))


def _crossing_is_bare(circles: list[Circle], first: int, second: int) -> bool:
    """Whether two of the circles cross, or touch, at a bare point.

    The crossings are c1 + (a·d ± √E·d⊥) / 2·d2; put into circle k and multiplied by d2 they give
    d2·(|q|² + r1² - rk²) + a·(q·d) ± (q·d⊥)·√E, of which only the sign is needed.
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
    for place, (x, y, r) in enumerate(circles):
        qx, qy = x1 - x, y1 - y
        flat = d2 * (qx * qx + qy * qy + r1 * r1 - r * r) + a * (qx * dx + qy * dy)
        own = place in (first, second)  # a crossing lies on its own circles
        parts.append((0, 0) if own else (flat, qy * dx - qx * dy))
    return any(_is_bare(_sign_with_root(flat, way * slope, e) for flat, slope in parts) for way in (1, -1))


def _sign_with_root(flat: int, slope: int, square: int) -> int:
    """A number with the sign of flat + slope·√square."""
    one, other = _sign(flat), _sign(slope) if square else 0
    if one * other >= 0:
        return one or other
    return one * _sign(flat * flat - slope * slope * square)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _meet(one: Placed, other: Placed) -> bool:
    return overlaps(one[1], one[2], one[3], other[1], other[2], other[3])


def _height(disk: Placed) -> int:
    return disk[4]


def _overlap_masks(stack: list[Placed]) -> list[int]:
    """For each disk the set of disks that it overlaps, as a number: bit k stands for place k of the list."""
    masks = [0] * len(stack)
    for high, (_, x, y, r, _) in enumerate(stack):
        for low in range(high):
            _, x2, y2, r2, _ = stack[low]
            if overlaps(x, y, r, x2, y2, r2):
                masks[high] |= 1 << low
                masks[low] |= 1 << high
    return masks


def _bits(mask: int) -> Iterable[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
