"""Geometry of the barricade: which bases touch it or lie on it, who reaches whom across it, and who crosses it.

Points are centres of bases. Everything is exact: whole numbers and fractions of them.
"""

from fractions import Fraction
from math import isqrt

from diskwars_protocol.rulesets.close_quarters.stats import Barricade

Point = tuple[int, int]

CLEAR_SQUARED = 48**2
"""A base that is nearer lies on the barricade."""
TOUCH_SQUARED = 56**2
"""Bases touch it from 48 to 56, so that two that touch each other across it touch it too."""
ACROSS_SQUARED = 200**2
"""Within an inch of each other, edge to edge."""
GUARDED_SQUARED = 250**2
"""Within two inches of the edge of a base."""


def squared_distance(barricade: Barricade, point: Point) -> Fraction:
    """Return the squared distance of a point from the barricade."""
    ux, uy = _direction(barricade)
    px, py = point[0] - barricade.x0, point[1] - barricade.y0
    length, along = ux * ux + uy * uy, px * ux + py * uy
    if along <= 0:
        return Fraction(px * px + py * py)
    if along >= length:
        return Fraction((point[0] - barricade.x1) ** 2 + (point[1] - barricade.y1) ** 2)
    return Fraction(_side(barricade, point) ** 2, length)


def lies_on(barricade: Barricade, point: Point) -> bool:
    """Return whether a base lies on the barricade, which it may not (B-26)."""
    return squared_distance(barricade, point) < CLEAR_SQUARED


def touches(barricade: Barricade, point: Point) -> bool:
    """Return whether a base is in contact with the barricade (B-26)."""
    return squared_distance(barricade, point) <= TOUCH_SQUARED


def are_on_both_sides(barricade: Barricade, one: Point, other: Point) -> bool:
    return _side(barricade, one) * _side(barricade, other) < 0


def reaches_across(barricade: Barricade, one: Point, other: Point) -> bool:
    """Return whether two bases engage each other across the barricade (B-26)."""
    return (
        (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 <= ACROSS_SQUARED
        and are_on_both_sides(barricade, one, other)
        and touches(barricade, one)
        and touches(barricade, other)
    )


def crosses_near(barricade: Barricade, start: Point, end: Point, guard: Point) -> bool:
    """Return whether a straight way crosses the barricade within two inches of a base (B-27)."""
    before, after = _side(barricade, start), _side(barricade, end)
    if before * after >= 0:
        return False
    ux, uy = _direction(barricade)
    part = Fraction(before, before - after)
    x, y = start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])
    along = (x - barricade.x0) * ux + (y - barricade.y0) * uy
    if not 0 <= along <= ux * ux + uy * uy:
        return False  # past one of its ends
    return (x - guard[0]) ** 2 + (y - guard[1]) ** 2 <= GUARDED_SQUARED


def may_reach_across(barricade: Barricade, point: Point, slack: int, enemy: Point) -> bool:
    """Return whether a base may engage an enemy across the barricade somewhere within `slack` of a point.

    Where it returns False, none does; it spares the exact test of many points.
    """
    near = isqrt(ACROSS_SQUARED) + slack
    if (point[0] - enemy[0]) ** 2 + (point[1] - enemy[1]) ** 2 > near**2:
        return False
    return squared_distance(barricade, point) <= (isqrt(TOUCH_SQUARED) + slack) ** 2


def _direction(barricade: Barricade) -> Point:
    return barricade.x1 - barricade.x0, barricade.y1 - barricade.y0


def _side(barricade: Barricade, point: Point) -> int:
    """Return a number above 0 to the left of the barricade, seen along it, and below 0 to the right."""
    ux, uy = _direction(barricade)
    return ux * (point[1] - barricade.y0) - uy * (point[0] - barricade.x0)
