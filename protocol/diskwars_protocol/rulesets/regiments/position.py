"""Queries on a board of regiments: arcs, sight, distances, ways to march and to charge, and who fights whom."""

from collections import deque
from collections.abc import Container, Iterator

from diskwars_protocol.match.tasks import Standing
from diskwars_protocol.rulesets.regiments.actions import MarchStep
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard, Unit
from diskwars_protocol.rulesets.regiments.events import Arc, Facing
from diskwars_protocol.search_steps import CountSteps, count_nothing

Cell = tuple[int, int]
Pose = tuple[int, int, Facing]
"""Column, row, and where the front is."""

FACINGS: tuple[Facing, ...] = ("north", "east", "south", "west")
"""Clockwise."""
AHEAD: dict[Facing, Cell] = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
ARCS: tuple[Arc, ...] = ("front", "right", "rear", "left")
"""Clockwise, from the front."""
STEPS: tuple[MarchStep, ...] = ("forward", "left", "right")


# ---------------------------------------------------------------- units


def fielded(board: RegimentsBoard) -> list[Unit]:
    """List the units on the field, by number."""
    return [unit for unit in board.units if unit.is_fielded]


def enemies(board: RegimentsBoard, unit: Unit) -> list[Unit]:
    """List the enemies of a unit on the field, by number."""
    return [other for other in fielded(board) if board.side(other) != board.side(unit)]


def occupied(board: RegimentsBoard) -> dict[Cell, Unit]:
    """Return the units on the field by cell."""
    return {unit.cell: unit for unit in fielded(board)}


def opponents(board: RegimentsBoard, unit: Unit) -> list[Unit]:
    """List the enemies in contact with a unit, by number."""
    ids = {contact.target for contact in board.contacts if contact.charger == unit.id}
    ids |= {contact.charger for contact in board.contacts if contact.target == unit.id}
    return [board.units[id] for id in sorted(ids)]


def is_in_melee(board: RegimentsBoard, unit: Unit) -> bool:
    return any(unit.id in (contact.charger, contact.target) for contact in board.contacts)


def combats(board: RegimentsBoard) -> list[tuple[int, ...]]:
    """Return the groups of units connected by contacts, each and all by number (C-10)."""
    groups: list[tuple[int, ...]] = []
    placed: set[int] = set()
    for unit in fielded(board):
        if unit.id in placed or not is_in_melee(board, unit):
            continue
        group, waiting = {unit.id}, [unit]
        while waiting:
            for other in opponents(board, waiting.pop()):
                if other.id not in group:
                    group.add(other.id)
                    waiting.append(other)
        placed |= group
        groups.append(tuple(sorted(group)))
    return groups


# ---------------------------------------------------------------- directions and distances


def turn(facing: Facing, quarters: int) -> Facing:
    """Return a facing after some clockwise quarter turns."""
    return FACINGS[(FACINGS.index(facing) + quarters) % 4]


def arc_of(unit: Unit, cell: Cell) -> Arc:
    """Return the arc of a unit in which a cell is; a diagonal belongs to the front, then to the rear (C-19)."""
    dx, dy = cell[0] - unit.x, cell[1] - unit.y
    ahead_x, ahead_y = AHEAD[unit.facing]
    ahead = dx * ahead_x + dy * ahead_y
    to_the_left = dy * ahead_x - dx * ahead_y
    if ahead >= abs(to_the_left):
        return "front"
    if -ahead >= abs(to_the_left):
        return "rear"
    return "left" if to_the_left > 0 else "right"


def beside(unit: Unit, arc: Arc) -> Cell:
    """Return the cell next to a unit on one of its sides."""
    dx, dy = AHEAD[turn(unit.facing, ARCS.index(arc))]
    return unit.x + dx, unit.y + dy


def distance(one: Cell, other: Cell) -> int:
    """Return how many steps to one of four neighbours lead from a cell to another (C-14)."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def nearest_enemy(board: RegimentsBoard, unit: Unit) -> Unit | None:
    """Return the nearest enemy; of several the one with more models, then with the lower number (C-14)."""
    return min(
        enemies(board, unit),
        key=lambda enemy: (distance(unit.cell, enemy.cell), -enemy.size, enemy.id),
        default=None,
    )


def facing_towards(start: Cell, end: Cell) -> Facing:
    """Return the direction along the axis of the larger distance; along the rows if both are equal (C-14)."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    if abs(dx) >= abs(dy):
        return "east" if dx > 0 else "west"
    return "north" if dy > 0 else "south"


def is_in_sight(board: RegimentsBoard, start: Cell, end: Cell) -> bool:
    """Return whether the line between the centres of two cells crosses nothing; corners may be touched (C-20, C-31)."""
    if any(_crosses(start, end, cell) for cell in occupied(board) if cell not in (start, end)):
        return False
    return not any(_crosses(start, end, cell) for cell in obstacle_cells(board))


def _crosses(start: Cell, end: Cell, cell: Cell) -> bool:
    """Return whether a segment meets the inside of a cell: no axis separates them. Lengths are doubled."""
    dx, dy = 2 * (end[0] - start[0]), 2 * (end[1] - start[1])
    to_x, to_y = 2 * (cell[0] - start[0]), 2 * (cell[1] - start[1])
    return (
        min(0, dx) < to_x + 1
        and max(0, dx) > to_x - 1
        and min(0, dy) < to_y + 1
        and max(0, dy) > to_y - 1
        and abs(dx * to_y - dy * to_x) < abs(dx) + abs(dy)
    )


def is_on_field(board: RegimentsBoard, cell: Cell) -> bool:
    return 0 <= cell[0] < board.width and 0 <= cell[1] < board.height


# ---------------------------------------------------------------- ground and task


def is_obstacle(board: RegimentsBoard, cell: Cell) -> bool:
    """Return whether no unit can be on a cell (C-31)."""
    return any(obstacle.contains(*cell) for obstacle in board.obstacles)


def obstacle_cells(board: RegimentsBoard) -> list[Cell]:
    """Return the cells of the field on which obstacles are; a position from elsewhere may have larger ones."""
    return [
        (x, y)
        for obstacle in board.obstacles
        for x in range(max(0, obstacle.x0), min(board.width, obstacle.x1 + 1))
        for y in range(max(0, obstacle.y0), min(board.height, obstacle.y1 + 1))
    ]


def is_free(board: RegimentsBoard, cell: Cell, taken: Container[Cell]) -> bool:
    """Return whether a unit can step on a cell of the field: neither a unit nor an obstacle is there (C-31)."""
    return cell not in taken and not is_obstacle(board, cell)


def task_standings(board: RegimentsBoard) -> tuple[Standing, Standing]:
    """Return how both sides stand to the task of the scenario (C-32). Units that flee hold no ground."""
    first, second = (_standing(board, side) for side in (0, 1))
    return first, second


def _standing(board: RegimentsBoard, side: int) -> Standing:
    task = board.task
    own = [unit for unit in board.units if board.side(unit) == side]
    left = [unit for unit in own if unit.is_fielded]
    if task is None or task.zone is None:
        return Standing(len(left), 0)
    zone = task.zone
    inside = {
        unit.id
        for unit in left
        if zone.contains(*unit.cell)
        and unit.status == "steady"
        and (task.kind == "hold" or not is_in_melee(board, unit))
    }
    # A position that a branch begins with may name a piece that its side does not have.
    if task.piece is None or side != task.side or task.piece >= len(own):
        return Standing(len(left), len(inside))
    piece = own[task.piece]
    return Standing(len(left), len(inside), piece.is_fielded, piece.id in inside)


# ---------------------------------------------------------------- marching


def march_points(board: RegimentsBoard, unit: Unit) -> int:
    """Return how many steps a unit may march: half its movement, rounded down (C-24)."""
    return board.profile(unit).movement // 2


def after_step(pose: Pose, step: MarchStep) -> Pose:
    """Return the pose of a unit after one step."""
    x, y, facing = pose
    if step == "forward":
        dx, dy = AHEAD[facing]
        return x + dx, y + dy, facing
    return x, y, turn(facing, -1 if step == "left" else 1)


def marches(board: RegimentsBoard, unit: Unit, count: CountSteps = count_nothing) -> dict[Pose, tuple[MarchStep, ...]]:
    """Return every pose that a unit can reach by marching, with a shortest path to it (C-24)."""
    taken = occupied(board)
    start: Pose = (unit.x, unit.y, unit.facing)
    paths: dict[Pose, tuple[MarchStep, ...]] = {start: ()}
    waiting = deque([start])
    while waiting:
        count(1)
        pose = waiting.popleft()
        if len(paths[pose]) == march_points(board, unit):
            continue
        for step in STEPS:
            there = after_step(pose, step)
            cell = there[:2]
            if there not in paths and is_on_field(board, cell) and (cell == unit.cell or is_free(board, cell, taken)):
                paths[there] = (*paths[pose], step)
                waiting.append(there)
    del paths[start]
    return paths


# ---------------------------------------------------------------- charging


def charge_arc(unit: Unit, target: Unit) -> Arc:
    """Return the side of the target that a charge hits: that on which the charger starts (C-26)."""
    return arc_of(target, unit.cell)


def charge_path(
    board: RegimentsBoard, unit: Unit, end: Cell, count: CountSteps = count_nothing
) -> tuple[Cell, ...] | None:
    """Return the cells of a shortest way to a free cell; None if there is none within the movement (C-26)."""
    taken, steps = occupied(board), board.profile(unit).movement
    paths: dict[Cell, tuple[Cell, ...]] = {unit.cell: ()}
    waiting = deque([unit.cell])
    while waiting:
        count(1)
        cell = waiting.popleft()
        if cell == end:
            return paths[cell]
        if len(paths[cell]) == steps:
            continue
        for near in _neighbours(board, cell):
            if near not in paths and is_free(board, near, taken):
                paths[near] = (*paths[cell], near)
                waiting.append(near)
    return None


def _neighbours(board: RegimentsBoard, cell: Cell) -> Iterator[Cell]:
    for dx, dy in AHEAD.values():
        near = cell[0] + dx, cell[1] + dy
        if is_on_field(board, near):
            yield near
