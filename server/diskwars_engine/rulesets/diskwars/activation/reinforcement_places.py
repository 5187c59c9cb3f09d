"""Places for a disk of the reserve: areas to choose from, and one legal example.

The areas are exact. The example is searched for among places of a grid, corners of areas and gaps between disks, and
avoids other disks where that is possible; `movement` judges every place.
"""

from collections.abc import Callable, Iterator
from typing import ParamSpec

from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars import effects, free_places, zones
from diskwars_engine.rulesets.diskwars.activation import movement
from diskwars_engine.rulesets.diskwars.tasks import ReinforcementTask
from diskwars_engine.work_budget import WorkBudget
from diskwars_protocol import geometry
from diskwars_protocol.geometry import Point
from diskwars_protocol.match.ids import Seat, seat_letter
from diskwars_protocol.rulesets.diskwars import keywords, position, terrain
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.options import Area

P = ParamSpec("P")
COLUMNS, ROWS = 24, 6
"""Steps of the grid that the search tries along and across each area."""
TOUCHING = geometry.OVERLAP_TOLERANCE_UM // 2
"""The search places disks this much closer than touching: less than an overlap (R5.3), more than the rounding."""


def areas(board: Board, disk: int) -> list[Area]:
    """List the areas that a reinforced disk may lie in (R9.1, R9.5, R9.6).

    They are the seat's zones, the surroundings of its windmills and, with Flank, strips along the edges.
    """
    seat = board.disks[disk].seat
    own = [
        Area(
            *zones.reinforcement_rectangle(board, zone),
            zone=number,
            enemies="any" if board.settings.reinforce_onto_enemy else "not_overlapped",  # R9.3, R-11
        )
        for number, zone in enumerate(board.zones)
        if zone.seat == seat and movement.limit_refusal(board, disk, number) is None
    ]
    windmills = [_windmill_area(board, disk, number) for number in terrain.reinforcement_pieces(board, seat)]
    return own + windmills + (_edge_strips(board, disk) if keywords.can_flank(board.profile(disk)) else [])


def _windmill_area(board: Board, disk: int, number: int) -> Area:
    """Return the area in which a disk overlaps a piece of terrain, in the field and pinning no enemy (R9.6, R-51)."""
    corners, field, diameter = board.terrain[number].corners, board.field, 2 * board.profile(disk).radius
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    low, high = (max(0, min(xs) - diameter), max(0, min(ys) - diameter)), (max(xs) + diameter, max(ys) + diameter)
    width, height = min(field.width, high[0]), min(field.height, high[1])
    return Area(*low, width, height, piece=number, enemies="not_pinned")


def _edge_strips(board: Board, disk: int) -> list[Area]:
    """List the strips along the edges, exactly as deep as the disk, so that it touches the edge (R9.5, R-73)."""
    depth, field = 2 * board.profile(disk).radius, board.field
    strips = (
        (0, 0, field.width, depth),
        (0, field.height - depth, field.width, field.height),
        (0, 0, depth, field.height),
        (field.width - depth, 0, field.width, field.height),
    )
    return [Area(*strip, enemies="not_pinned", outside_enemy_zones=True) for strip in strips]


def can_be_reinforced(board: Board, seat: Seat, disk: int) -> bool:
    """Return whether the search finds any legal place for a disk: `reinforcement_place` without the choice of one."""
    return any(_is_legal(movement.check_reinforcement, board, seat, disk, x, y) for x, y in _places(board, disk))


def reinforcement_place(board: Board, seat: Seat, disk: int, work: WorkBudget) -> Point | None:
    """Find a legal place for a disk, on no other disk if possible; None if the search finds none.

    The middle of an area comes first, then a grid, then the gaps.
    """

    def is_legal(x: int, y: int) -> bool:
        return _is_legal(movement.check_reinforcement, board, seat, disk, x, y)

    return _best_place(board, disk, work.each(_places(board, disk)), is_legal)


def reinforcement_refusal(board: Board, seat: Seat, disk: int, work: WorkBudget) -> Illegal | None:
    """Return why a disk cannot be reinforced: the refusal of the first place tried; None if it can be.

    Zones that are full are no areas, so no place in them is tried (R-12).
    """
    first: Illegal | None = None
    for x, y in work.each(_places(board, disk)):
        try:
            movement.check_reinforcement(board, seat, disk, x, y)
        except Illegal as refused:
            first = first or refused
        else:
            return None
    own = [number for number, zone in enumerate(board.zones) if zone.seat == seat]
    text = f"no zone of seat {seat_letter(seat)} has room for disk {disk}"
    full = [limit for number in own if (limit := movement.limit_refusal(board, disk, number)) is not None]
    return next(
        (refusal for refusal in (first, *full) if refusal is not None),
        Illegal("outside_zone", text, "R9.1", "$.action", numbers={"disk": disk}),
    )


def _places(board: Board, disk: int) -> Iterator[Point]:
    """Yield the middles of all areas that are large enough, the places of a grid in each, and the gaps in each."""
    radius = board.profile(disk).radius
    fitting = [
        (area.x0 + radius, area.y0 + radius, area.x1 - radius, area.y1 - radius)
        for area in areas(board, disk)
        if min(area.x1 - area.x0, area.y1 - area.y0) >= 2 * radius
    ]
    for x0, y0, x1, y1 in fitting:
        yield (x0 + x1) // 2, (y0 + y1) // 2
    for x0, y0, x1, y1 in fitting:
        for row in range(ROWS + 1):
            for column in range(COLUMNS + 1):
                yield x0 + (x1 - x0) * column // COLUMNS, y0 + (y1 - y0) * row // ROWS
    for bounds in fitting:
        yield from free_places.free_corners(bounds, _touching_circles(board, disk, bounds))


def _touching_circles(board: Board, disk: int, bounds: free_places.Bounds) -> list[geometry.Circle]:
    """List the circles on which a disk touches another one, of those that reach into the bounds of its centre."""
    radius, (x0, y0, x1, y1) = board.profile(disk).radius, bounds
    circles = [
        (other.x, other.y, radius + board.profile(other.id).radius - TOUCHING)
        for other in position.fielded_disks(board)
    ]
    return [(x, y, r) for x, y, r in circles if x0 - r <= x <= x1 + r and y0 - r <= y <= y1 + r]


# ---------------------------------------------------------------- brought in by an ability


def ability_area(board: Board, task: ReinforcementTask) -> Area:
    """Return the area in which an ability may bring a disk in: within reach of its user, pinning no enemy (R9.6)."""
    reach, field = position.reach_length(board, task.reach), board.field
    near = None if reach is None else task.source
    return Area(0, 0, field.width, field.height, near=near, reach=reach, enemies="not_pinned")


def _ability_candidates(board: Board, task: ReinforcementTask, disk: int) -> Iterator[Point]:
    """Yield places all around the user, touching it, then the gaps within its reach, then the place on top of it."""
    user, radius, field = board.disks[task.source], board.profile(disk).radius, board.field
    # `flip_at` gives vectors of any even length.
    distance = 2 * ((board.profile(user.id).radius + radius + 1) // 2)
    for step in range(len(geometry.DIRECTIONS)):
        dx, dy = geometry.flip_at(step, distance)
        yield user.x + dx, user.y + dy
    reach = position.reach_length(board, task.reach)
    outer = None if reach is None else board.profile(user.id).radius + radius + reach - 1
    low_x, low_y, high_x, high_y = radius, radius, field.width - radius, field.height - radius
    bounds = (low_x, low_y, high_x, high_y)
    if outer is not None:
        low, high = (user.x - outer, user.y - outer), (user.x + outer, user.y + outer)
        bounds = (max(low_x, low[0]), max(low_y, low[1]), min(high_x, high[0]), min(high_y, high[1]))
    limit = [] if outer is None else [(user.x, user.y, outer)]
    yield from free_places.free_corners(bounds, [*limit, *_touching_circles(board, disk, bounds)])
    yield user.x, user.y


def ability_place(board: Board, task: ReinforcementTask, disk: int, work: WorkBudget) -> Point | None:
    """Find a place where an ability can bring a disk in, on no other disk if possible; None if there is none."""

    def is_legal(x: int, y: int) -> bool:
        return _is_legal(movement.check_ability_reinforcement, board, task, disk, x, y)

    return _best_place(board, disk, work.each(_ability_candidates(board, task, disk)), is_legal)


def ability_places(board: Board, task: ReinforcementTask, work: WorkBudget) -> dict[int, Point]:
    """Return the disks that an ability can bring in, each with one legal place (R9.6)."""
    places = {
        disk: ability_place(board, task, disk, work)
        for disk in effects.reinforcement_disks(board, task.source, task.selector)
    }
    return {disk: place for disk, place in places.items() if place is not None}


# ---------------------------------------------------------------- the search


def _is_legal(check: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> bool:
    try:
        check(*args, **kwargs)
    except Illegal:
        return False
    return True


def _best_place(board: Board, disk: int, places: Iterator[Point], is_legal: Callable[[int, int], bool]) -> Point | None:
    """Return the first legal place on no disk or, if there is none, the first on the fewest own disks."""
    radius, seat = board.profile(disk).radius, board.disks[disk].seat
    crowded: list[tuple[int, int, Point]] = []
    for number, (x, y) in enumerate(places):
        under = position.overlapped_disks(board, disk, x, y, radius)
        if under:
            own = sum(board.disks[other[0]].seat == seat for other in under)
            crowded.append((own, number, (x, y)))
        elif is_legal(x, y):
            return x, y
    return next((place for _, _, place in sorted(crowded) if is_legal(*place)), None)
