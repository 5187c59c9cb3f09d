"""Gaps between outlines, measured in full: what the shortcuts of `geometry` are held against."""

from itertools import pairwise
from math import isqrt

from diskwars_protocol.geometry import Point, Polygon, point_gap_sq


def disk_polygon_gap(x: int, y: int, r: int, corners: Polygon) -> int:
    """Return how far apart a disk and a piece are, rounded up; 0 where they overlap."""
    square = point_gap_sq(x, y, corners)
    return max(0, (isqrt(square - 1) + 1 if square else 0) - r)


def polygon_gap_sq(one: Polygon, other: Polygon) -> int:
    """Return the square of the distance of two pieces, rounded up; 0 where they touch or overlap."""
    if any(_cross(*side, *other_side) for side in _sides(one) for other_side in _sides(other)):
        return 0
    there = min(point_gap_sq(x, y, other) for x, y in one)
    return min(there, min(point_gap_sq(x, y, one) for x, y in other))


def _sides(corners: Polygon) -> list[tuple[Point, Point]]:
    return list(pairwise((*corners, corners[0])))


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Return whether each segment has the ends of the other on both of its sides."""
    return _turn(a, b, c) * _turn(a, b, d) < 0 and _turn(c, d, a) * _turn(c, d, b) < 0


def _turn(a: Point, b: Point, c: Point) -> int:
    across = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (across > 0) - (across < 0)
