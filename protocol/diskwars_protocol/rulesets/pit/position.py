"""Queries on a board of the pit: contact, paths, targets, and the groups that fight one another."""

from collections.abc import Iterable, Set
from functools import lru_cache

from diskwars_protocol.rulesets.pit.board import CombatState, Fighter, PitBoard
from diskwars_protocol.search_steps import CountSteps, count_nothing

Cell = tuple[int, int]


def fielded(board: PitBoard) -> list[Fighter]:
    """List the fighters on the field, by number."""
    return [fighter for fighter in board.fighters if fighter.is_fielded]


def are_adjacent(one: Cell, other: Cell) -> bool:
    """Return whether two cells are among the eight neighbours of each other."""
    return one != other and abs(one[0] - other[0]) <= 1 and abs(one[1] - other[1]) <= 1


def enemies_beside(board: PitBoard, cell: Cell, seat: int) -> list[Fighter]:
    """List the enemies of a seat in the eight cells around this one, by number. They are in base contact with it."""
    return [
        fighter
        for fighter in board.fighters
        if fighter.seat != seat and are_adjacent(cell, (fighter.x, fighter.y)) and fighter.is_fielded
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
    occupied = {(other.x, other.y): other for other in fielded(board) if other.id != fighter.id}
    passable = {
        cell
        for cell, other in occupied.items()
        if other.seat == fighter.seat and not other.is_down and cell not in contact
    }
    blocked = occupied.keys() - passable
    width, height = board.width, board.height
    start = (fighter.x, fighter.y)
    reached, edge = {start}, {start}
    for _ in range(steps):
        count(len(edge))
        edge = {near for cell in edge for near in _neighbours(width, height, cell)} - reached - blocked
        if not edge:
            break
        reached |= edge
    return reached - occupied.keys() - {start}


@lru_cache(maxsize=16384)
def _neighbours(width: int, height: int, cell: Cell) -> tuple[Cell, ...]:
    x, y = cell
    return tuple(
        (near_x, near_y)
        for near_x in range(max(0, x - 1), min(width, x + 2))
        for near_y in range(max(0, y - 1), min(height, y + 2))
        if (near_x, near_y) != cell
    )


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
