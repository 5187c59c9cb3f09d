"""Places in the gaps between disks: the corners of what circles leave free of a rectangle.

If a closed set bounded by straight sides and arcs is not empty, one of the corners named here belongs to it: its
leftmost point is a crossing of two boundaries, or the rightmost point of a circle.
"""

from collections.abc import Iterator, Sequence
from math import isqrt

from diskwars_protocol.geometry import Circle, Point

Bounds = tuple[int, int, int, int]
"""A rectangle: x0, y0, x1, y1."""


def free_corners(bounds: Bounds, circles: Sequence[Circle]) -> Iterator[Point]:
    """Yield the points of a rectangle where its sides and some circles (x, y, radius) meet.

    Points are rounded to the nearest micrometre, and nothing is said about circles that a point does not lie on: the
    caller tests each point.
    """
    x0, y0, x1, y1 = bounds
    for point in _all_corners(bounds, circles):
        if x0 <= point[0] <= x1 and y0 <= point[1] <= y1:
            yield point


def _all_corners(bounds: Bounds, circles: Sequence[Circle]) -> Iterator[Point]:
    x0, y0, x1, y1 = bounds
    yield from ((x0, y0), (x0, y1), (x1, y0), (x1, y1))
    for number, (cx, cy, radius) in enumerate(circles):
        yield cx + radius, cy
        for x in (x0, x1):
            if abs(x - cx) <= radius:
                half = isqrt(radius * radius - (x - cx) ** 2)
                yield from ((x, cy - half), (x, cy + half))
        for y in (y0, y1):
            if abs(y - cy) <= radius:
                half = isqrt(radius * radius - (y - cy) ** 2)
                yield from ((cx - half, y), (cx + half, y))
        for other in circles[:number]:
            yield from _crossings((cx, cy, radius), other)


def _crossings(one: Circle, other: Circle) -> Iterator[Point]:
    """Yield the two points in which circles cross; none if they do not."""
    (x1, y1, r1), (x2, y2, r2) = one, other
    dx, dy = x2 - x1, y2 - y1
    square = dx * dx + dy * dy
    along = square + r1 * r1 - r2 * r2
    across_square = 4 * r1 * r1 * square - along * along
    if not square or across_square < 0:
        return
    across = isqrt(across_square)
    for sign in (1, -1):
        x, y = along * dx - sign * across * dy, along * dy + sign * across * dx
        yield x1 + (x + square) // (2 * square), y1 + (y + square) // (2 * square)
