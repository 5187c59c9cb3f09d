"""Deployment of disks before round 1 (R3.6)."""

from collections.abc import Iterator

from diskwars_engine.ruleset import Dice, Illegal
from diskwars_engine.rulesets.diskwars.resolution import Resolution
from diskwars_engine.rulesets.diskwars.setup import setup_turns
from diskwars_engine.rulesets.diskwars.task_rules import MAX_SEARCH_STEPS, OpenQuestions, wrong_action
from diskwars_engine.rulesets.diskwars.tasks import DeploymentTask
from diskwars_engine.work_budget import WorkBudget
from diskwars_protocol import geometry
from diskwars_protocol.match.decisions import Reason
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars import position, terrain
from diskwars_protocol.rulesets.diskwars.actions import Action, Deploy, DeploymentQuestion, Placement, ZoneLimit
from diskwars_protocol.rulesets.diskwars.board import RESERVE, Board
from diskwars_protocol.rulesets.diskwars.events import DeployedDisk, DisksDeployed
from diskwars_protocol.rulesets.diskwars.options import Area, DiskwarsOption, DiskwarsOptions
from diskwars_protocol.rulesets.diskwars.setup_cards import Zone

GRID_SIZE = 12
"""Rows and columns of the grid in a zone that the example tries for free places."""


def questions(board: Board, task: DeploymentTask) -> OpenQuestions:
    """Ask the next seat to deploy, unless it has nothing to deploy (R19.9)."""
    if not task.seats:
        return ()
    question = deployment_question(board, task.seats[0])
    return ((task.seats[0], question),) if question.disk_count else ()


def options(
    board: Board, seat: Seat, task: DeploymentTask, question: DeploymentQuestion, work: WorkBudget
) -> DiskwarsOptions:
    """Offer the seat's own zones and disks, with one legal deployment."""
    areas = tuple(
        Area(z.x0, z.y0, z.x1, z.y1, zone=number, enemies="not_overlapped", outside_enemy_zones=True)  # R3.6, R3.6.3
        for number, z in enumerate(board.zones)
        if z.seat == seat
    )
    disks = tuple(disk.id for disk in position.reserve_disks(board, seat))
    heroes = tuple(disk for disk in disks if board.profile(disk).kind == "hero")  # R3.6.4
    action = example(board, seat, work)
    covers, pins = _covered_and_pinned(board, action)
    option = DiskwarsOption(action, areas=areas, disks=disks, required=heroes, covers=covers, pins=pins)
    return DiskwarsOptions(parametric=(option,))


def default(board: Board, seat: Seat, task: DeploymentTask, question: DeploymentQuestion, dice: Dice) -> Action:
    """Return the deployment that the options give as an example."""
    return example(board, seat, WorkBudget(MAX_SEARCH_STEPS))


def answer(
    resolution: Resolution, seat: Seat, task: DeploymentTask, question: DeploymentQuestion, action: Action
) -> None:
    """Deploy the disks of a seat, and pass the turn to the next seat."""
    if not isinstance(action, Deploy):
        raise wrong_action(question, action)
    deploy(resolution, seat, question, action)
    resolution.push(*setup_turns.remaining(task))


def run(resolution: Resolution, task: DeploymentTask) -> None:
    """Skip a seat that has nothing to deploy."""
    resolution.push(*setup_turns.remaining(task))


def deployment_question(board: Board, seat: Seat) -> DeploymentQuestion:
    """Build the question for a seat: the value of each own zone, and the number of disks to place (R3.6, R3.6.1)."""
    limits = tuple(ZoneLimit(number, zone.value) for number, zone in enumerate(board.zones) if zone.seat == seat)
    capacity = sum(limit.count for limit in limits)
    return DeploymentQuestion(limits, min(capacity, len(position.reserve_disks(board, seat))))


def deploy(resolution: Resolution, seat: Seat, question: DeploymentQuestion, action: Deploy) -> None:
    """Place disks wholly inside own zones, in the right number, every hero among them (R3.6). Raises `Illegal`.

    Disks are placed in the order given, so a later one lies higher (R3.6.2).
    """
    _check(resolution.board, seat, question, action)
    height = resolution.board.top_z
    # R3.6.6: neither Impact nor dangerous ground applies. Engage events cannot happen, as no disk may lie on an enemy,
    # so no tasks are queued.
    laid = tuple(
        DeployedDisk(p.disk, p.x, p.y, height + n, terrain.pieces_under(resolution.board, p.disk, p.x, p.y))
        for n, p in enumerate(action.disks, 1)
    )
    table = [
        *position.stacked_disks(resolution.board),
        *((p.disk, p.x, p.y, resolution.board.profile(p.disk).radius, p.z) for p in laid),
    ]
    pins = position.to_pins(geometry.find_pins(table, resolution.board.settings.pins))
    reasons = (Reason("R3.6", {"disks": question.disk_count}),)
    resolution.emit(DisksDeployed(seat, laid, tuple(sorted(set(pins) - set(resolution.board.pins))), reasons))


def _check(board: Board, seat: Seat, question: DeploymentQuestion, action: Deploy) -> None:
    counts = {limit.zone: 0 for limit in question.zone_limits}
    for n, placement in enumerate(action.disks):
        counts[_check_place(board, seat, placement, f"$.action.disks[{n}]")] += 1
    placed = [placement.disk for placement in action.disks]
    if len(set(placed)) != len(placed):
        raise Illegal("not_legal", "a disk is placed twice", "R3.6", "$.action.disks")
    if len(placed) != question.disk_count:
        text = f"{question.disk_count} disks have to be deployed, not {len(placed)}"
        raise Illegal(
            "wrong_count", text, "R3.6", "$.action.disks", {"found": len(placed), "needed": question.disk_count}
        )
    for limit in question.zone_limits:
        number, value = limit.zone, limit.count
        if counts[number] > value:
            text = f"zone {number} takes {value} disks, not {counts[number]}"
            raise Illegal(
                "wrong_count", text, "R3.6", "$.action.disks", {"zone": number, "found": counts[number], "most": value}
            )
    _check_heroes(board, seat, question, set(placed))


def _check_heroes(board: Board, seat: Seat, question: DeploymentQuestion, placed: set[int]) -> None:
    """Check that every hero is deployed, or as many as the zones can take (R3.6.4)."""
    heroes = [disk.id for disk in position.reserve_disks(board, seat) if board.profile(disk.id).kind == "hero"]
    left = [disk for disk in heroes if disk not in placed]
    if len(heroes) - len(left) < min(len(heroes), question.disk_count):
        text = f"disk {left[0]}, {board.profile(left[0]).name}, is a hero"
        text = f"every hero has to be deployed: {text}"
        raise Illegal("not_legal", text, "R3.6.4", "$.action.disks", {"disk": left[0]})


def _check_place(board: Board, seat: Seat, placement: Placement, place: str) -> int:
    """Check one placement and return the number of its zone; `place` locates it in the action."""
    if not 0 <= placement.disk < len(board.disks):
        raise Illegal(
            "unknown_disk", f"there is no disk {placement.disk}", place=place, numbers={"disk": placement.disk}
        )
    disk = board.disks[placement.disk]
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
    zone = position.zone_of(board, disk.id, placement.x, placement.y)
    if zone is None:
        raise Illegal(
            "outside_zone",
            f"disk {disk.id} would not lie wholly inside an own zone",
            "R3.6",
            place,
            numbers={"disk": disk.id},
        )
    if position.overlaps_enemy_zone(board, disk.id, placement.x, placement.y):
        raise Illegal(
            "outside_zone", f"disk {disk.id} would overlap an enemy zone", "R3.6.3", place, numbers={"disk": disk.id}
        )
    radius = board.profile(disk.id).radius
    for other in position.fielded_disks(board):
        other_radius = board.profile(other.id).radius
        if other.seat != seat and geometry.disks_overlap(
            placement.x, placement.y, radius, other.x, other.y, other_radius
        ):
            raise Illegal(
                "overlaps_enemy",
                f"disk {disk.id} would lie on disk {other.id}",
                "R3.6.3",
                place,
                numbers={"disk": disk.id, "other_disk": other.id},
            )
    return zone


# ---------------------------------------------------------------- an example


def example(board: Board, seat: Seat, work: WorkBudget) -> Deploy:
    """Construct a legal deployment: heroes first, then by number, side by side in each zone that has room."""
    question = deployment_question(board, seat)
    waiting = sorted(position.reserve_disks(board, seat), key=lambda disk: board.profile(disk.id).kind != "hero")[
        : question.disk_count
    ]
    placements: list[Placement] = []
    for limit in question.zone_limits:
        number, value = limit.zone, limit.count
        in_zone, waiting = [disk.id for disk in waiting[:value]], waiting[value:]
        placements += _lay_out(board, board.zones[number], in_zone, work)
    return Deploy(tuple(placements))


def _lay_out(board: Board, zone: Zone, disks: list[int], work: WorkBudget) -> list[Placement]:
    """Place disks side by side along the front of a zone if they fit, else each in the first free place of a grid.

    The largest disks get their places first. When the grid is full, a disk lies on another, which is legal.
    """
    row = [Placement(disk, *_place_in_row(board, zone, disk, n, len(disks))) for n, disk in enumerate(disks)]
    work.spend(len(disks) ** 2)  # each may be held against each other one
    if all(_is_clear(board, placement, row[:n]) for n, placement in enumerate(row)):
        return row
    placements: list[Placement] = []
    for disk in sorted(disks, key=lambda disk: -board.profile(disk).radius):
        work.spend(len(disks))
        places = [Placement(disk, *place) for place in _grid_places(board, zone, board.profile(disk).radius)]
        placements.append(next((place for place in places if _is_clear(board, place, placements)), places[-1]))
    return placements


def _covered_and_pinned(board: Board, action: Deploy) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the disks of a deployment that later ones of it lie on, and those of them that are pinned (R3.6.2)."""
    covered = {low.disk for n, low in enumerate(action.disks) if not _is_clear(board, low, list(action.disks[n + 1 :]))}
    table = [(p.disk, p.x, p.y, board.profile(p.disk).radius, n) for n, p in enumerate(action.disks)]
    pins = position.to_pins(geometry.find_pins(table, board.settings.pins))
    return tuple(sorted(covered)), tuple(sorted({pin.bottom for pin in pins}))


def _is_clear(board: Board, placement: Placement, others: list[Placement]) -> bool:
    x, y, radius = placement.x, placement.y, board.profile(placement.disk).radius
    return not any(geometry.disks_overlap(x, y, radius, p.x, p.y, board.profile(p.disk).radius) for p in others)


def _place_in_row(board: Board, zone: Zone, disk: int, n: int, count: int) -> tuple[int, int]:
    """Return the centre of disk `n` of `count`, spaced evenly along the front of a zone."""
    radius = board.profile(disk).radius
    start, end = _edge_extent(zone)
    column = min(max(start + (end - start) * (2 * n + 1) // (2 * count), start + radius), end - radius)
    return _point(zone, column, _rows(board, zone, radius)[0])


def _grid_places(board: Board, zone: Zone, radius: int) -> Iterator[tuple[int, int]]:
    """Yield the places of the grid in a zone, rows near the middle of the field first."""
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
    """Return the rows on which centres may lie, as coordinates across the zone, the front row first."""
    low, high = (zone.x0, zone.x1) if _is_upright(zone) else (zone.y0, zone.y1)
    middle = (board.field.width if _is_upright(zone) else board.field.height) // 2
    return sorted(_evenly_spaced(low + radius, high - radius), key=lambda row: abs(row - middle))


def _evenly_spaced(start: int, end: int) -> list[int]:
    """Return up to `GRID_SIZE` coordinates from start to end, both included."""
    return sorted({start + (end - start) * n // (GRID_SIZE - 1) for n in range(GRID_SIZE)})
