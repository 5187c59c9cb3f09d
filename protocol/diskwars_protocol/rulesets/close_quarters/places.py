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

    def farthest_squared(self, point: Point) -> int:
        """Return the greatest squared distance of a point from one in the square."""
        last = self.size - 1
        dx = max(point[0] - self.x, self.x + last - point[0])
        dy = max(point[1] - self.y, self.y + last - point[1])
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
    near = [base for base in bases if square.nearest_squared(base) < OVERLAP_SQUARED]
    if any(square.farthest_squared(base) < OVERLAP_SQUARED for base in near) or _is_out(square, terms):
        return
    is_point = square.size == 1
    # Of squares and points equally far away the squares come first: a point in one of them could precede the others.
    rank = (square.nearest_squared(start), square.x, square.y)
    heappush(waiting, (square.nearest_squared(aim), int(is_point), rank, square, near))


def _is_out(square: Square, terms: Terms) -> bool:
    if square.x > terms.width or square.y > terms.height or square.x + square.size <= 0 or square.y + square.size <= 0:
        return True
    if any(square.nearest_squared(centre) > squared for centre, squared in terms.circles):
        return True
    if terms.enemies is not None and not _may_touch(square, terms):
        return True
    # The points where a base is on the barricade are convex: they hold a square whose corners they hold.
    line = terms.line
    return line is not None and all(barricade.lies_on(line, corner) for corner in square.corners)


def _may_touch(square: Square, terms: Terms) -> bool:
    if any(square.nearest_squared(enemy) <= CONTACT_SQUARED for enemy in terms.enemies or ()):
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
