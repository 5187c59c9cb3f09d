"""Places for a disk of the reserve: areas to choose from, and one legal example.

These are hints for options; `movement` judges every place. The search tries a bounded grid, so it can miss a legal
place on a crowded field.
"""

from collections.abc import Callable, Iterator

from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars import effects, movement, zones
from diskwars_engine.rulesets.diskwars.tasks import ReinforcementTask
from diskwars_protocol import geometry
from diskwars_protocol.match import Seat, seat_letter
from diskwars_protocol.rulesets.diskwars import keywords, terrain
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.options import Area

Point = tuple[int, int]
Span = tuple[int, int]
COLUMNS, ROWS = 24, 6
"""Steps of the grid that the search tries along and across each area."""


def areas(board: Board, disk: int) -> list[Area]:
    """List the rectangles that a reinforced disk may lie in (R9.1, R9.5, R9.6).

    They are the seat's zones, areas around its windmills and, with Flank, strips along the edges. The whole disk has
    to be inside.
    """
    seat = board.disks[disk].seat
    own = [Area(*zones.reinforcement_rectangle(board, zone)) for zone in board.zones if zone.seat == seat]
    windmills = [_windmill_area(board, disk, number) for number in terrain.reinforcement_pieces(board, seat)]
    return own + windmills + (_edge_strips(board, disk) if keywords.can_flank(board.profile(disk)) else [])


def _windmill_area(board: Board, disk: int, number: int) -> Area:
    """Return the area that contains every place at which a disk overlaps a piece of terrain (R9.6)."""
    corners, field, diameter = board.terrain[number].corners, board.field, 2 * board.profile(disk).radius
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    low, high = (max(0, min(xs) - diameter), max(0, min(ys) - diameter)), (max(xs) + diameter, max(ys) + diameter)
    return Area(*low, min(field.width, high[0]), min(field.height, high[1]))


def _edge_strips(board: Board, disk: int) -> list[Area]:
    """List the strips along every edge, one diameter deep, with the stretches of enemy zones left out."""
    diameter, field = 2 * board.profile(disk).radius, board.field
    edges = (
        Area(0, 0, field.width, diameter),
        Area(0, field.height - diameter, field.width, field.height),
        Area(0, 0, diameter, field.height),
        Area(field.width - diameter, 0, field.width, field.height),
    )
    strips: list[Area] = []
    for number, edge in enumerate(edges):
        is_horizontal = number < 2
        taken = [
            (zone.x0, zone.x1) if is_horizontal else (zone.y0, zone.y1)
            for zone in board.zones
            if zone.seat != board.disks[disk].seat
            and (zone.x0 < edge.x1 and zone.x1 > edge.x0 and zone.y0 < edge.y1 and zone.y1 > edge.y0)
        ]
        for low, high in _free_spans((edge.x0, edge.x1) if is_horizontal else (edge.y0, edge.y1), taken):
            if high - low >= diameter:
                strips.append(Area(low, edge.y0, high, edge.y1) if is_horizontal else Area(edge.x0, low, edge.x1, high))
    return strips


def _free_spans(whole: Span, taken: list[Span]) -> Iterator[Span]:
    """Yield the parts of a span that the taken spans leave free."""
    low, end = whole
    for start, stop in sorted(taken):
        if start > low:
            yield low, start
        low = max(low, stop)
    if low < end:
        yield low, end


def reinforcement_place(board: Board, seat: Seat, disk: int) -> Point | None:
    """Find a legal place for a disk: the middle of an area, else the first of a grid; None if all are illegal."""

    def check(x: int, y: int) -> None:
        movement.check_reinforcement(board, seat, disk, x, y)

    return _first_legal(_candidate_places(board, disk), check)


def reinforcement_refusal(board: Board, seat: Seat, disk: int) -> Illegal | None:
    """Return why a disk cannot be reinforced: the refusal of the first place tried; None if it can be."""
    if reinforcement_place(board, seat, disk) is not None:
        return None
    for x, y in _candidate_places(board, disk):
        try:
            movement.check_reinforcement(board, seat, disk, x, y)
        except Illegal as refused:
            return refused
    return Illegal(
        "outside_zone",
        f"no zone of seat {seat_letter(seat)} has room for disk {disk}",
        "R9.1",
        "$.action",
        numbers={"disk": disk},
    )


def _candidate_places(board: Board, disk: int) -> Iterator[Point]:
    """Yield the middles of all areas that are large enough, then the places of a grid in each."""
    radius = board.profile(disk).radius
    fitting = [area for area in areas(board, disk) if min(area.x1 - area.x0, area.y1 - area.y0) >= 2 * radius]
    for area in fitting:
        yield (area.x0 + area.x1) // 2, (area.y0 + area.y1) // 2
    for area in fitting:
        width, height = area.x1 - area.x0 - 2 * radius, area.y1 - area.y0 - 2 * radius
        for row in range(ROWS + 1):
            for column in range(COLUMNS + 1):
                yield area.x0 + radius + width * column // COLUMNS, area.y0 + radius + height * row // ROWS


def ability_place(board: Board, task: ReinforcementTask, disk: int) -> Point | None:
    """Find a place where an ability can bring a disk in: beside its user or, without room there, on top of it."""
    user = board.disks[task.source]

    def candidates() -> Iterator[Point]:
        # Touching the user. `flip_at` gives vectors of any even length.
        distance = 2 * ((board.profile(user.id).radius + board.profile(disk).radius + 1) // 2)
        for step in range(len(geometry.DIRECTIONS)):
            dx, dy = geometry.flip_at(step, distance)
            yield user.x + dx, user.y + dy
        yield user.x, user.y

    def check(x: int, y: int) -> None:
        movement.check_ability_reinforcement(board, task, disk, x, y)

    return _first_legal(candidates(), check)


def ability_places(board: Board, task: ReinforcementTask) -> dict[int, Point]:
    """Return the disks that an ability can bring in, each with one legal place (R9.6)."""
    places = {
        disk: ability_place(board, task, disk)
        for disk in effects.reinforcement_disks(board, task.source, task.selector)
    }
    return {disk: place for disk, place in places.items() if place is not None}


def _first_legal(places: Iterator[Point], check: Callable[[int, int], None]) -> Point | None:
    for x, y in places:
        try:
            check(x, y)
        except Illegal:
            continue
        return x, y
    return None
