"""Places for a disk of the reserve: areas to choose from, and one legal place.

These are hints for options; `movement` judges every place.
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
"""How many places are tried along an area and across it."""


def areas(board: Board, disk: int) -> list[Area]:
    """R9.1, R9.5, R9.6: rectangles that have to hold the whole disk: zones, areas around windmills, edges."""
    seat = board.disks[disk].seat
    own = [Area(*zones.reinforcement_rectangle(board, zone)) for zone in board.zones if zone.seat == seat]
    gates = [_windmill_area(board, disk, number) for number in terrain.reinforcement_pieces(board, seat)]
    return own + gates + (_edge_strips(board, disk) if keywords.can_flank(board.profile(disk)) else [])


def _windmill_area(board: Board, disk: int, number: int) -> Area:
    """R9.6: return an area that holds every disk that overlaps a piece of terrain."""
    corners, field, wide = board.terrain[number].corners, board.field, 2 * board.profile(disk).radius
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    low, high = (max(0, min(xs) - wide), max(0, min(ys) - wide)), (max(xs) + wide, max(ys) + wide)
    return Area(*low, min(field.width, high[0]), min(field.height, high[1]))


def _edge_strips(board: Board, disk: int) -> list[Area]:
    """Yield strips along every edge, as wide as the disk, without enemy zones."""
    wide, field = 2 * board.profile(disk).radius, board.field
    edges = (
        Area(0, 0, field.width, wide),
        Area(0, field.height - wide, field.width, field.height),
        Area(0, 0, wide, field.height),
        Area(field.width - wide, 0, field.width, field.height),
    )
    found: list[Area] = []
    for number, edge in enumerate(edges):
        lies = number < 2
        taken = [
            (zone.x0, zone.x1) if lies else (zone.y0, zone.y1)
            for zone in board.zones
            if zone.seat != board.disks[disk].seat
            and (zone.x0 < edge.x1 and zone.x1 > edge.x0 and zone.y0 < edge.y1 and zone.y1 > edge.y0)
        ]
        for low, high in _free_spans((edge.x0, edge.x1) if lies else (edge.y0, edge.y1), taken):
            if high - low >= wide:
                found.append(Area(low, edge.y0, high, edge.y1) if lies else Area(edge.x0, low, edge.x1, high))
    return found


def _free_spans(whole: Span, taken: list[Span]) -> Iterator[Span]:
    """Yield the parts of a stretch that others leave free."""
    low, end = whole
    for start, stop in sorted(taken):
        if start > low:
            yield low, start
        low = max(low, stop)
    if low < end:
        yield low, end


def reinforcement_place(board: Board, seat: Seat, disk: int) -> Point | None:
    """Return a place for the disk: the middle of an area if it is legal, else the first found."""

    def check(x: int, y: int) -> None:
        movement.check_reinforcement(board, seat, disk, x, y)

    return _first_legal(_candidate_places(board, disk), check)


def reinforcement_refusal(board: Board, seat: Seat, disk: int) -> Illegal | None:
    """Return why the disk cannot be reinforced: the refusal of the first place tried; None if there is a place."""
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
    radius = board.profile(disk).radius
    rooms = [area for area in areas(board, disk) if min(area.x1 - area.x0, area.y1 - area.y0) >= 2 * radius]
    for area in rooms:
        yield (area.x0 + area.x1) // 2, (area.y0 + area.y1) // 2
    for area in rooms:
        wide, high = area.x1 - area.x0 - 2 * radius, area.y1 - area.y0 - 2 * radius
        for row in range(ROWS + 1):
            for column in range(COLUMNS + 1):
                yield area.x0 + radius + wide * column // COLUMNS, area.y0 + radius + high * row // ROWS


def ability_place(board: Board, task: ReinforcementTask, disk: int) -> Point | None:
    """Yield a place where an ability can bring the disk in: beside its user or, where there is no room, on it."""
    by = board.disks[task.source]

    def beside() -> Iterator[Point]:
        # touching the user; flips are vectors of any even length
        across = 2 * ((board.profile(by.id).radius + board.profile(disk).radius + 1) // 2)
        for step in range(len(geometry.DIRECTIONS)):
            dx, dy = geometry.flip_at(step, across)
            yield by.x + dx, by.y + dy
        yield by.x, by.y

    def check(x: int, y: int) -> None:
        movement.check_ability_reinforcement(board, task, disk, x, y)

    return _first_legal(beside(), check)


def ability_places(board: Board, task: ReinforcementTask) -> dict[int, Point]:
    """R9.6: the disks that can be brought in, each with one place."""
    found = {
        disk: ability_place(board, task, disk) for disk in effects.reinforcement_disks(board, task.source, task.of)
    }
    return {disk: place for disk, place in found.items() if place is not None}


def _first_legal(places: Iterator[Point], check: Callable[[int, int], None]) -> Point | None:
    for x, y in places:
        try:
            check(x, y)
        except Illegal:
            continue
        return x, y
    return None
