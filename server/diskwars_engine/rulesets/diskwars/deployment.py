"""Deploying disks (R3.6)."""

from collections.abc import Iterator

from diskwars_engine.ruleset import Dice, Illegal
from diskwars_engine.rulesets.diskwars import setup_turns, zones
from diskwars_engine.rulesets.diskwars.play import Play
from diskwars_engine.rulesets.diskwars.task_rules import OpenQuestions, wrong_action
from diskwars_engine.rulesets.diskwars.tasks import DeploymentTask
from diskwars_protocol import geometry
from diskwars_protocol.match import Reason, Seat
from diskwars_protocol.rulesets.diskwars import position, terrain
from diskwars_protocol.rulesets.diskwars.actions import Action, Deploy, DeploymentQuestion, Placement, ZoneLimit
from diskwars_protocol.rulesets.diskwars.board import RESERVE, Board
from diskwars_protocol.rulesets.diskwars.events import DeployedDisk, DisksDeployed
from diskwars_protocol.rulesets.diskwars.options import Area, DiskwarsOption, DiskwarsOptions
from diskwars_protocol.rulesets.diskwars.setup_cards import Zone

GRID_SIZE = 12
"""Rows and columns of a zone that an example tries for a free place."""


def questions(board: Board, task: DeploymentTask) -> OpenQuestions:
    """Ask the next seat, unless it has nothing to deploy (R19.9)."""
    if not task.seats:
        return ()
    question = deployment_question(board, task.seats[0])
    return ((task.seats[0], question),) if question.disk_count else ()


def options(board: Board, seat: Seat, task: DeploymentTask, question: DeploymentQuestion) -> DiskwarsOptions:
    """Offer the own zones, with an example."""
    areas = tuple(Area(z.x0, z.y0, z.x1, z.y1) for z in board.zones if z.seat == seat)
    return DiskwarsOptions(parametric=(DiskwarsOption(example(board, seat), areas=areas),))


def default(board: Board, seat: Seat, task: DeploymentTask, question: DeploymentQuestion, dice: Dice) -> Action:
    """Deploy as in the example."""
    return example(board, seat)


def answer(play: Play, seat: Seat, task: DeploymentTask, question: DeploymentQuestion, action: Action) -> None:
    """Deploy the army of a seat; the next seat follows."""
    if not isinstance(action, Deploy):
        raise wrong_action(question, action)
    deploy(play, seat, question, action)
    play.push(*setup_turns.remaining(task))


def run(play: Play, task: DeploymentTask) -> None:
    """Pass over a seat that has nothing to deploy."""
    play.push(*setup_turns.remaining(task))


def deployment_question(board: Board, seat: Seat) -> DeploymentQuestion:
    """R3.6, R3.6.1: the value of each own zone, and how many disks have to be placed in all."""
    limits = tuple(ZoneLimit(number, zone.value) for number, zone in enumerate(board.zones) if zone.seat == seat)
    room = sum(limit.count for limit in limits)
    return DeploymentQuestion(limits, min(room, len(position.reserve_disks(board, seat))))


def deploy(play: Play, seat: Seat, question: DeploymentQuestion, action: Deploy) -> None:
    """R3.6: wholly inside own zones, in the right number, every hero among them. A later disk lies higher (R3.6.2)."""
    _check(play.board, seat, question, action)
    height = play.board.top_z
    # R3.6.6 no Impact, no dangerous ground; and no engage event, as nobody lies on an enemy
    laid = tuple(
        DeployedDisk(p.disk, p.x, p.y, height + n, terrain.pieces_under(play.board, p.disk, p.x, p.y))
        for n, p in enumerate(action.disks, 1)
    )
    table = [
        *position.stacked_disks(play.board),
        *((p.disk, p.x, p.y, play.board.profile(p.disk).radius, p.z) for p in laid),
    ]
    pins = position.to_pins(geometry.find_pins(table, play.board.settings.pins))
    because = (Reason("R3.6", {"disks": question.disk_count}),)
    play.emit(DisksDeployed(seat, laid, tuple(sorted(set(pins) - set(play.board.pins))), because))


def _check(board: Board, seat: Seat, question: DeploymentQuestion, action: Deploy) -> None:
    found = {limit.zone: 0 for limit in question.zone_limits}
    for n, placing in enumerate(action.disks):
        found[_check_place(board, seat, placing, f"$.action.disks[{n}]")] += 1
    named = [placing.disk for placing in action.disks]
    if len(set(named)) != len(named):
        raise Illegal("not_legal", "a disk is placed twice", "R3.6", "$.action.disks")
    if len(named) != question.disk_count:
        text = f"{question.disk_count} disks have to be deployed, not {len(named)}"
        raise Illegal(
            "wrong_count", text, "R3.6", "$.action.disks", {"found": len(named), "needed": question.disk_count}
        )
    for limit in question.zone_limits:
        number, value = limit.zone, limit.count
        if found[number] > value:
            text = f"zone {number} takes {value} disks, not {found[number]}"
            raise Illegal(
                "wrong_count", text, "R3.6", "$.action.disks", {"zone": number, "found": found[number], "most": value}
            )
    _check_heroes(board, seat, question, set(named))


def _check_heroes(board: Board, seat: Seat, question: DeploymentQuestion, named: set[int]) -> None:
    """R3.6.4: every hero, or as many as there is room for."""
    heroes = [disk.id for disk in position.reserve_disks(board, seat) if board.profile(disk.id).kind == "hero"]
    left = [disk for disk in heroes if disk not in named]
    if len(heroes) - len(left) < min(len(heroes), question.disk_count):
        text = f"disk {left[0]}, {board.profile(left[0]).name}, is a hero"
        text = f"every hero has to be deployed: {text}"
        raise Illegal("not_legal", text, "R3.6.4", "$.action.disks", {"disk": left[0]})


def _check_place(board: Board, seat: Seat, placing: Placement, place: str) -> int:
    if not 0 <= placing.disk < len(board.disks):
        raise Illegal("unknown_disk", f"there is no disk {placing.disk}", place=place, numbers={"disk": placing.disk})
    disk = board.disks[placing.disk]
    if disk.seat != seat:
        raise Illegal("not_your_disk", f"disk {disk.id} is another player's", "R3.6", place, numbers={"disk": disk.id})
    if disk.place != RESERVE:
        raise Illegal(
            "not_in_reserve",
            f"disk {disk.id} lies on the battlefield already",
            "R3.6",
            place,
            numbers={"disk": disk.id},
        )
    zone = position.zone_of(board, disk.id, placing.x, placing.y)
    if zone is None:
        raise Illegal(
            "outside_zone",
            f"disk {disk.id} would not lie wholly inside an own zone",
            "R3.6",
            place,
            numbers={"disk": disk.id},
        )
    if zones.overlaps_enemy_zone(board, disk.id, placing.x, placing.y):
        raise Illegal(
            "outside_zone", f"disk {disk.id} would overlap an enemy zone", "R3.6.3", place, numbers={"disk": disk.id}
        )
    radius = board.profile(disk.id).radius
    for other in position.fielded_disks(board):
        far = board.profile(other.id).radius
        if other.seat != seat and geometry.disks_overlap(placing.x, placing.y, radius, other.x, other.y, far):
            raise Illegal(
                "overlaps_enemy",
                f"disk {disk.id} would lie on disk {other.id}",
                "R3.6.3",
                place,
                numbers={"disk": disk.id, "other_disk": other.id},
            )
    return zone


# ---------------------------------------------------------------- an example


def example(board: Board, seat: Seat) -> Deploy:
    """A legal deployment: heroes first, then by number, side by side in each zone where there is room."""
    question = deployment_question(board, seat)
    waiting = sorted(position.reserve_disks(board, seat), key=lambda disk: board.profile(disk.id).kind != "hero")[
        : question.disk_count
    ]
    placings: list[Placement] = []
    for limit in question.zone_limits:
        number, value = limit.zone, limit.count
        there, waiting = [disk.id for disk in waiting[:value]], waiting[value:]
        placings += _lay_out(board, board.zones[number], there)
    return Deploy(tuple(placings))


def _lay_out(board: Board, zone: Zone, disks: list[int]) -> list[Placement]:
    """Side by side along the front if they fit there; else each in the first place of a grid that is clear."""
    row = [Placement(disk, *_place_in_row(board, zone, disk, n, len(disks))) for n, disk in enumerate(disks)]
    if all(_is_clear(board, one, row[:n]) for n, one in enumerate(row)):
        return row
    placings: list[Placement] = []
    for disk in sorted(disks, key=lambda disk: -board.profile(disk).radius):
        places = [Placement(disk, *place) for place in _grid_places(board, zone, board.profile(disk).radius)]
        placings.append(next((one for one in places if _is_clear(board, one, placings)), places[-1]))
    return placings


def _is_clear(board: Board, placing: Placement, others: list[Placement]) -> bool:
    radius = board.profile(placing.disk).radius
    return not any(
        geometry.disks_overlap(placing.x, placing.y, radius, p.x, p.y, board.profile(p.disk).radius) for p in others
    )


def _place_in_row(board: Board, zone: Zone, disk: int, n: int, count: int) -> tuple[int, int]:
    """Place n of count, evenly along the zone, at its border to the field."""
    radius = board.profile(disk).radius
    start, end = _edge_extent(zone)
    even = min(max(start + (end - start) * (2 * n + 1) // (2 * count), start + radius), end - radius)
    return _point(zone, even, _rows(board, zone, radius)[0])


def _grid_places(board: Board, zone: Zone, radius: int) -> Iterator[tuple[int, int]]:
    """Places in the zone, the rows near the middle of the field first."""
    start, end = _edge_extent(zone)
    for row in _rows(board, zone, radius):
        yield from (_point(zone, column, row) for column in _evenly_spaced(start + radius, end - radius))


def _is_upright(zone: Zone) -> bool:
    return zone.edge in ("east", "west")


def _edge_extent(zone: Zone) -> tuple[int, int]:
    return (zone.y0, zone.y1) if _is_upright(zone) else (zone.x0, zone.x1)


def _point(zone: Zone, column: int, row: int) -> tuple[int, int]:
    return (row, column) if _is_upright(zone) else (column, row)


def _rows(board: Board, zone: Zone, radius: int) -> list[int]:
    """Return how far into the field the centres may lie, the front first."""
    low, high = (zone.x0, zone.x1) if _is_upright(zone) else (zone.y0, zone.y1)
    middle = (board.field.width if _is_upright(zone) else board.field.height) // 2
    return sorted(_evenly_spaced(low + radius, high - radius), key=lambda row: abs(row - middle))


def _evenly_spaced(start: int, end: int) -> list[int]:
    """Places from start to end, both included."""
    return sorted({start + (end - start) * n // (GRID_SIZE - 1) for n in range(GRID_SIZE)})
