"""Queries on a board of the pit: contact, paths, targets, and the groups that fight one another."""

from collections.abc import Iterable, Set
from functools import lru_cache

from diskwars_protocol.match.tasks import ScenarioArea, Standing
from diskwars_protocol.rulesets.pit.board import CombatState, Fighter, PitBoard
from diskwars_protocol.search_steps import CountSteps, count_nothing

Cell = tuple[int, int]


def fielded(board: PitBoard) -> list[Fighter]:
    """List the fighters on the field, by number."""
    return [fighter for fighter in board.fighters if fighter.is_fielded]


def enemies_beside(board: PitBoard, cell: Cell, seat: int) -> list[Fighter]:
    """List the enemies of a seat in the eight cells around this one, by number. They are in base contact with it."""
    x, y = cell
    return [
        fighter
        for fighter in board.fighters
        if fighter.seat != seat
        and -1 <= fighter.x - x <= 1
        and -1 <= fighter.y - y <= 1
        and (fighter.x != x or fighter.y != y)
        and fighter.is_fielded
    ]


def cells_beside_enemies(board: PitBoard, seat: int) -> frozenset[Cell]:
    """Return all cells in base contact with enemies of a seat: `enemies_beside` for many cells at once."""
    return frozenset(
        cell
        for enemy in board.fighters
        if enemy.seat != seat and enemy.is_fielded
        for cell in _neighbours(board.width, board.height, (enemy.x, enemy.y))
    )


def touched_enemies(board: PitBoard, fighter: Fighter) -> list[Fighter]:
    """List the enemies in base contact with a fighter, by number."""
    return enemies_beside(board, (fighter.x, fighter.y), fighter.seat)


def is_engaged(board: PitBoard, fighter: Fighter) -> bool:
    return bool(touched_enemies(board, fighter))


def reachable_cells(
    board: PitBoard, fighter: Fighter, steps: int, contact: Set[Cell], count: CountSteps = count_nothing
) -> set[Cell]:
    """Return the free cells that a fighter can reach in at most `steps` steps to one of eight neighbours (A-9).

    Never through enemies; through friends only if they are neither engaged, dazed nor stunned. `contact` are the
    `cells_beside_enemies` of its seat.
    """
    height, taken, blocked = board.height, 0, 0
    for other in board.fighters:
        if other.id == fighter.id or not other.is_fielded:
            continue
        bit = 1 << other.x * height + other.y
        taken |= bit
        if other.seat != fighter.seat or other.is_down or (other.x, other.y) in contact:
            blocked |= bit
    whole, after_first, before_last = _masks(board.width, height)
    walls = _wall_mask(board.width, height, board.walls) if board.walls else 0
    taken |= walls
    blocked |= walls
    start = 1 << fighter.x * height + fighter.y
    free, reached, edge = whole & ~blocked, start, start
    for _ in range(steps):
        count(edge.bit_count())
        line = edge | (edge & before_last) << 1 | (edge & after_first) >> 1
        edge = (line | line << height | line >> height) & free & ~reached
        if not edge:
            break
        reached |= edge
    return _cells_of(reached & ~taken & ~start, height)


@lru_cache(maxsize=64)
def _masks(width: int, height: int) -> tuple[int, int, int]:
    """Return the cells of a board as bits, column after column: all, all but the first and all but the last row."""
    whole = (1 << width * height) - 1
    first = sum(1 << column * height for column in range(width))
    return whole, whole & ~first, whole & ~(first << height - 1)


@lru_cache(maxsize=64)
def _wall_mask(width: int, height: int, walls: tuple[ScenarioArea, ...]) -> int:
    """Return the cells of walls as bits (A-24)."""
    return sum(
        1 << x * height + y for x in range(width) for y in range(height) if any(wall.contains(x, y) for wall in walls)
    )


def _cells_of(bits: int, height: int) -> set[Cell]:
    cells = set()
    while bits:
        lowest = bits & -bits
        cells.add(divmod(lowest.bit_length() - 1, height))
        bits ^= lowest
    return cells


@lru_cache(maxsize=16384)
def _neighbours(width: int, height: int, cell: Cell) -> tuple[Cell, ...]:
    x, y = cell
    return tuple(
        (near_x, near_y)
        for near_x in range(max(0, x - 1), min(width, x + 2))
        for near_y in range(max(0, y - 1), min(height, y + 2))
        if (near_x, near_y) != cell
    )


def task_standings(board: PitBoard) -> tuple[Standing, Standing]:
    """Return how both sides stand to the task (A-25). Fighters that are down or engaged hold no ground."""
    first, second = (_standing(board, side) for side in (0, 1))
    return first, second


def _standing(board: PitBoard, side: int) -> Standing:
    task = board.task
    own = [fighter for fighter in board.fighters if fighter.seat == side]
    left = [fighter for fighter in own if fighter.is_fielded]
    if task is None or task.zone is None:
        return Standing(len(left), 0)
    zone = task.zone
    inside = {
        fighter.id
        for fighter in left
        if zone.contains(fighter.x, fighter.y)
        and not fighter.is_down
        and (task.kind == "hold" or not is_engaged(board, fighter))
    }
    # A position that a branch begins with may name a piece that its side does not have.
    if task.piece is None or side != task.side or task.piece >= len(own):
        return Standing(len(left), len(inside))
    piece = own[task.piece]
    return Standing(len(left), len(inside), piece.is_fielded, piece.id in inside)


def combats(board: PitBoard) -> list[tuple[int, ...]]:
    """Return the groups of fighters that are connected by contact between enemies, each and all by number (A-11)."""
    groups: list[tuple[int, ...]] = []
    placed: set[int] = set()
    for fighter in fielded(board):
        if fighter.id in placed or not is_engaged(board, fighter):
            continue
        group = _connected(board, fighter)
        placed |= group
        groups.append(tuple(sorted(group)))
    return groups


def _connected(board: PitBoard, first: Fighter) -> set[int]:
    group, waiting = {first.id}, [first]
    while waiting:
        for enemy in touched_enemies(board, waiting.pop()):
            if enemy.id not in group:
                group.add(enemy.id)
                waiting.append(enemy)
    return group


def movement(board: PitBoard, fighter: Fighter) -> int:
    """Return how many cells a fighter may move. A-8: half, rounded up, while it is staggered."""
    printed = board.profile(fighter).movement
    return (printed + 1) // 2 if fighter.status == "staggered" else printed


def valid_targets(board: PitBoard, fighter: Fighter, members: Iterable[int]) -> list[Fighter]:
    """List whom a fighter may attack in a combat, by number (A-15).

    They are the enemies in contact; dazed and stunned ones only if it touches no other.
    """
    inside = frozenset(members)
    touched = [enemy for enemy in touched_enemies(board, fighter) if enemy.id in inside]
    return [enemy for enemy in touched if not enemy.is_down] or touched


def attack_count(board: PitBoard, fighter: Fighter) -> int:
    """Return how many attacks a fighter declares; two weapons give one more (A-15)."""
    return fighter.attacks + (len(board.profile(fighter).weapons) == 2)


def weapons_of(board: PitBoard, fighter: Fighter) -> list[str | None]:
    """List the different weapons of a fighter; None stands for bare hands or natural weapons."""
    return list(dict.fromkeys(board.profile(fighter).weapons)) or [None]


def targets(board: PitBoard, fighter: Fighter) -> list[Fighter]:
    """List the valid targets of a fighter in the combat that is being fought."""
    combat = board.combat
    members: Iterable[int] = () if combat is None else board.combats[combat.id]
    return valid_targets(board, fighter, members)


def leading_run(board: PitBoard, combat: CombatState) -> list[int]:
    """List the fighters of the slots that one owner has in a row, from the next slot on (A-13)."""
    if not combat.waiting:
        return []
    owner = board.fighters[combat.waiting[0]].seat
    run: list[int] = []
    for id in combat.waiting:
        if board.fighters[id].seat != owner:
            break
        run.append(id)
    return run


def declared_targets(combat: CombatState) -> list[int]:
    """List the targets that are still to be resolved, in declared order."""
    return list(dict.fromkeys(attack.target for attack in combat.declared))
