"""The nearest place for a base: an exact search on whole points, by ever smaller squares.

Squares of the table are looked at nearest first. One in which no point can be free is dropped whole, any other is cut
in four, down to single points, so that the first point that is free is the nearest. A formula would have to round.
"""

from collections.abc import Callable, Iterable, Sequence
from heapq import heappop, heappush

from msgspec import Struct

from diskwars_protocol.rulesets.close_quarters import barricade
from diskwars_protocol.rulesets.close_quarters.position import CONTACT_SQUARED, OVERLAP_SQUARED
from diskwars_protocol.rulesets.close_quarters.stats import Barricade
from diskwars_protocol.search_steps import CountSteps, count_nothing

Point = tuple[int, int]


class Square(Struct, frozen=True, gc=False):
    """The points from (x, y) to (x + size - 1, y + size - 1)."""

    x: int
    y: int
    size: int

    def nearest_squared(self, point: Point) -> int:
        """Return the least squared distance of a point from one in the square."""
        last = self.size - 1
        dx = max(self.x - point[0], 0, point[0] - self.x - last)
        dy = max(self.y - point[1], 0, point[1] - self.y - last)
        return dx * dx + dy * dy

    def quarters(self) -> Iterable["Square"]:
        half = self.size // 2
        return (Square(self.x + dx, self.y + dy, half) for dx in (0, half) for dy in (0, half))

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        x, y, last = self.x, self.y, self.size - 1
        return (x, y), (x + last, y), (x, y + last), (x + last, y + last)


class Terms(Struct, frozen=True):
    """What a place has to fulfil: near enough to some points, clear of bases, and touching an enemy if any is named.

    `circles` are points with the greatest squared distance from them. `enemies` are those to be touched, `across` those
    of them that can be engaged across the barricade `line`; with no enemies any place does.
    """

    width: int
    height: int
    circles: tuple[tuple[Point, int], ...]
    bases: tuple[Point, ...]
    enemies: tuple[Point, ...] | None
    line: Barricade | None
    across: tuple[Point, ...]
    is_barred: Callable[[Point], bool]
    """Whether a model may not go to a point because of the barricade."""


def find_nearest(aim: Point, start: Point, terms: Terms, count: CountSteps = count_nothing) -> Point | None:
    """Return the free point nearest to `aim`; of equals that nearest to `start`, then the first by x and y."""
    waiting: list[tuple[int, int, tuple[int, int, int], Square, Sequence[Point]]] = []
    _consider(waiting, _root(terms), aim, start, terms, terms.bases)
    while waiting:
        count(1)
        _, is_point, _, square, bases = heappop(waiting)
        if is_point:
            if _is_free((square.x, square.y), terms):
                return square.x, square.y
            continue
        for quarter in square.quarters():
            _consider(waiting, quarter, aim, start, terms, bases)
    return None


def _root(terms: Terms) -> Square:
    """Return a square around all points that are near enough."""
    centre, squared = min(terms.circles, key=lambda circle: circle[1])
    size = 2
    while (size // 2) ** 2 <= squared:
        size *= 2
    return Square(centre[0] - size // 2, centre[1] - size // 2, size)


def _consider(
    waiting: list[tuple[int, int, tuple[int, int, int], Square, Sequence[Point]]],
    square: Square,
    aim: Point,
    start: Point,
    terms: Terms,
    bases: Sequence[Point],
) -> None:
    """Queue a square, with the bases that reach into it, unless no point of it can be free."""
    # The distances are written out: calls of `nearest_squared` took two thirds of the time of a search.
    x, y, last = square.x, square.y, square.size - 1
    end_x, end_y = x + last, y + last
    near = []
    for base in bases:
        base_x, base_y = base
        dx = x - base_x if base_x < x else base_x - end_x if base_x > end_x else 0
        dy = y - base_y if base_y < y else base_y - end_y if base_y > end_y else 0
        if dx * dx + dy * dy < OVERLAP_SQUARED:
            far_x = max(base_x - x, end_x - base_x)
            far_y = max(base_y - y, end_y - base_y)
            if far_x * far_x + far_y * far_y < OVERLAP_SQUARED:
                return
            near.append(base)
    if _is_out(square, terms):
        return
    # Of squares and points equally far away the squares come first: a point in one of them could precede the others.
    rank = (square.nearest_squared(start), x, y)
    heappush(waiting, (square.nearest_squared(aim), int(not last), rank, square, near))


def _is_out(square: Square, terms: Terms) -> bool:
    x, y, size = square.x, square.y, square.size
    if x > terms.width or y > terms.height or x + size <= 0 or y + size <= 0:
        return True
    end_x, end_y = x + size - 1, y + size - 1
    for (centre_x, centre_y), squared in terms.circles:
        dx = x - centre_x if centre_x < x else centre_x - end_x if centre_x > end_x else 0
        dy = y - centre_y if centre_y < y else centre_y - end_y if centre_y > end_y else 0
        if dx * dx + dy * dy > squared:
            return True
    if terms.enemies is not None and not _may_touch(square, terms):
        return True
    # The points where a base is on the barricade are convex: they hold a square whose corners they hold.
    line = terms.line
    return line is not None and all(barricade.lies_on(line, corner) for corner in square.corners)


def _may_touch(square: Square, terms: Terms) -> bool:
    x, y = square.x, square.y
    end_x, end_y = x + square.size - 1, y + square.size - 1
    for enemy_x, enemy_y in terms.enemies or ():
        dx = x - enemy_x if enemy_x < x else enemy_x - end_x if enemy_x > end_x else 0
        dy = y - enemy_y if enemy_y < y else enemy_y - end_y if enemy_y > end_y else 0
        if dx * dx + dy * dy <= CONTACT_SQUARED:
            return True
    return terms.line is not None and any(
        barricade.may_reach_across(terms.line, (square.x, square.y), 2 * square.size, enemy) for enemy in terms.across
    )


def _is_free(point: Point, terms: Terms) -> bool:
    """Return whether a point is free, of which `_is_out` has found all but what holds for single points only."""
    if not (0 <= point[0] <= terms.width and 0 <= point[1] <= terms.height) or terms.is_barred(point):
        return False
    if terms.enemies is None:
        return True
    line = terms.line
    return any(_squared(point, enemy) <= CONTACT_SQUARED for enemy in terms.enemies) or (
        line is not None and any(barricade.reaches_across(line, point, enemy) for enemy in terms.across)
    )


def _squared(one: Point, other: Point) -> int:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2
