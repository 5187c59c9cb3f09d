"""What the greedy bot of the pit does about the task of a scenario: where its fighters go, and which wait (A-25)."""

from collections import deque
from collections.abc import Mapping
from functools import lru_cache

from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.tasks import BattleTask, ScenarioArea
from diskwars_protocol.rulesets.pit import position
from diskwars_protocol.rulesets.pit.board import Fighter, PitBoard

EAGER = 0.5
"""The loss that a charge may bring, for each round, to a side that loses by waiting."""
PATIENT = 0.3
"""What a charge has to bring to a side that wins by waiting, or by getting past the enemy."""
LAST_ROUNDS = 2
"""The rounds at the end in which a place that others hold is worth any charge."""
ANY_LOSS = 3.0


def least_gain(board: PitBoard, task: BattleTask, seat: Seat) -> float:
    """Return what a plan of charges has to gain for a side to be carried out."""
    match task.kind:
        case "hold":
            return -ANY_LOSS if board.rounds - board.round < LAST_ROUNDS else 0.0
        case "last_stand" | "break_through":
            return PATIENT if seat == task.side else -EAGER * board.round
        case "rescue":
            return -EAGER * board.round


def may_charge(board: PitBoard, task: BattleTask, fighter: Fighter) -> bool:
    """Return whether a fighter may be used for charges: those who are to get somewhere keep going."""
    if fighter.seat != task.side or task.zone is None:
        return True
    if task.kind == "rescue":
        return fighter.id != _piece(board, task).id
    return task.kind != "break_through"


def weigh_cells(board: PitBoard, task: BattleTask, fighter: Fighter, cells: list[position.Cell]) -> list[int] | None:
    """Return by how much each cell is better than where a fighter is; None where the task asks for nothing."""
    here = (fighter.x, fighter.y)
    ways = steps_to(board.width, board.height, board.walls, task.zone) if task.zone is not None else {}
    match task.kind:
        case "hold":
            return [_steps(ways, here) - _steps(ways, cell) for cell in cells]
        case "last_stand":
            return [0 for _ in cells] if fighter.seat == task.side else None
        case _:
            if fighter.seat != task.side:
                return _interceptions(board, task, fighter, cells, ways)
            if task.kind == "break_through" or fighter.id == _piece(board, task).id:
                return [_steps(ways, here) - _steps(ways, cell) for cell in cells]
            return _towards_threat(board, _piece(board, task), here, cells)


def _interceptions(
    board: PitBoard,
    task: BattleTask,
    fighter: Fighter,
    cells: list[position.Cell],
    ways: Mapping[position.Cell, int],
) -> list[int] | None:
    """Return how much nearer cells are to the enemy that is nearest to its goal, and between it and that."""
    enemies = [other for other in position.fielded(board) if other.seat != fighter.seat]
    if task.kind == "rescue":
        enemies = [_piece(board, task)]
    first = min(enemies, key=lambda other: (_steps(ways, (other.x, other.y)), other.id), default=None)
    if first is None:
        return None
    aim, left = (first.x, first.y), _steps(ways, (first.x, first.y))

    def worth(cell: position.Cell) -> int:
        return -_distance(cell, aim) - 2 * max(0, _steps(ways, cell) - left + 1)

    here = worth((fighter.x, fighter.y))
    return [worth(cell) - here for cell in cells]


def _towards_threat(
    board: PitBoard, piece: Fighter, here: position.Cell, cells: list[position.Cell]
) -> list[int] | None:
    """Return how much nearer cells are to the enemy that is nearest to the one who is to be brought home."""
    enemies = [other for other in position.fielded(board) if other.seat != piece.seat]
    if not enemies:
        return None
    threat = min(enemies, key=lambda other: (_distance((other.x, other.y), (piece.x, piece.y)), other.id))
    aim = (threat.x, threat.y)
    return [_distance(here, aim) - _distance(cell, aim) for cell in cells]


def progress(board: PitBoard, seat: Seat) -> float:
    """Return how far the task has come for a seat, from -1 to 1: for the value of a position."""
    task = board.task
    if task is None or seat > 1:
        return 0.0
    own, other = (position.task_standings(board)[side] for side in (seat, 1 - seat))
    if task.kind == "hold":
        return (own.in_zone - other.in_zone) / max(1, own.pieces + other.pieces)
    sign = 1 if seat == task.side else -1
    if task.kind == "last_stand" or task.zone is None:
        return 0.0
    ways = steps_to(board.width, board.height, board.walls, task.zone)
    runners = [one for one in position.fielded(board) if one.seat == task.side and not one.is_down]
    if task.kind == "rescue":
        runners = [_piece(board, task)]
    left = sorted(_steps(ways, (one.x, one.y)) for one in runners)[: task.count]
    whole = board.width + board.height
    return sign * (sum(whole - steps for steps in left) / (task.count * whole) - 0.5)


def _piece(board: PitBoard, task: BattleTask) -> Fighter:
    return [fighter for fighter in board.fighters if fighter.seat == task.side][task.piece or 0]


def _steps(ways: Mapping[position.Cell, int], cell: position.Cell) -> int:
    return ways.get(cell, 2 * len(ways))


def _distance(one: position.Cell, other: position.Cell) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


@lru_cache(maxsize=64)
def steps_to(
    width: int, height: int, walls: tuple[ScenarioArea, ...], zone: ScenarioArea
) -> Mapping[position.Cell, int]:
    """Return how many steps each cell is from the place of a task, round walls (A-24)."""
    cells = [(x, y) for x in range(width) for y in range(height) if not any(wall.contains(x, y) for wall in walls)]
    free = set(cells)
    steps = {cell: 0 for cell in cells if zone.contains(*cell)}
    waiting = deque(steps)
    while waiting:
        x, y = waiting.popleft()
        for near in ((x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)):
            if near in free and near not in steps:
                steps[near] = steps[x, y] + 1
                waiting.append(near)
    return steps
