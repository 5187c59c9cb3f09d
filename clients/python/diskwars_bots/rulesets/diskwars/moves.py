"""Generator of moves: places worth landing on, and paths of flips that lead to them.

It proposes and checks what is possible; what a place is worth is left to the evaluation.
"""

from collections.abc import Iterator
from math import isqrt
from typing import TypeAlias

from diskwars_bots.rulesets.diskwars.evaluation import danger_cost, impact_value, is_rough
from diskwars_bots.rulesets.diskwars.situation import FightingDisk, Situation
from diskwars_protocol import geometry
from diskwars_protocol.geometry import Point
from diskwars_protocol.rulesets.diskwars import keywords, position
from diskwars_protocol.rulesets.diskwars import setup_cards as s

Path: TypeAlias = tuple[Point, ...]

CONTACT_PERCENT = 85
"""The distance of such a landing from the middle of an enemy, in percent of just touching it."""


def landing_places(situation: Situation, fighter: FightingDisk, flips: int, length: int) -> Iterator[Point]:
    """Yield places that a fighter may want to land on: on enemies, in the open, and where the objective pays."""
    reach = flips * length
    yield from _contact_places(situation, fighter, reach)
    for step in situation.effort.direction_steps:
        for part in (flips, (flips + 1) // 2):
            dx, dy = geometry.flip_at(step, part * length // 2 * 2)
            yield fighter.x + dx, fighter.y + dy
    for enemy in sorted(situation.enemies, key=lambda enemy: (enemy.x - fighter.x) ** 2 + (enemy.y - fighter.y) ** 2)[
        :2
    ]:
        for part in range(1, flips):
            yield _toward(fighter, enemy.x, enemy.y, part * length)
    for x, y in _paying_places(situation, fighter):
        yield _toward(fighter, x, y, reach)


def _contact_places(situation: Situation, fighter: FightingDisk, reach: int) -> Iterator[Point]:
    """Yield places on enemies within reach: their middles, off their middles, and on two at once."""
    near: list[FightingDisk] = []
    for enemy in situation.enemies:
        touch = fighter.radius + enemy.radius
        gap_square = (enemy.x - fighter.x) ** 2 + (enemy.y - fighter.y) ** 2
        if gap_square >= (reach + touch) ** 2:
            continue
        near.append(enemy)
        if gap_square <= reach * reach:
            yield enemy.x, enemy.y
        offset = touch * CONTACT_PERCENT // 100 // 2 * 2
        for step in situation.effort.contact_steps:
            dx, dy = geometry.flip_at(step, offset)
            if (enemy.x + dx - fighter.x) ** 2 + (enemy.y + dy - fighter.y) ** 2 <= reach * reach:
                yield enemy.x + dx, enemy.y + dy
    for number, enemy in enumerate(near):
        for other in near[:number]:
            if (enemy.x - other.x) ** 2 + (enemy.y - other.y) ** 2 < (
                2 * fighter.radius + enemy.radius + other.radius
            ) ** 2:
                yield (enemy.x + other.x) // 2, (enemy.y + other.y) // 2


def _paying_places(situation: Situation, fighter: FightingDisk) -> Iterator[Point]:
    """Yield the nearest places that score for the own objective."""
    board, radius = situation.board, fighter.radius
    for part in situation.objective:
        if isinstance(part, s.HoldMiddle):
            yield board.field.width // 2, board.field.height // 2
        elif isinstance(part, s.HoldZones):
            for zone in situation.enemy_zones:
                low_x, high_x = zone.x0 + radius, zone.x1 - radius
                low_y, high_y = zone.y0 + radius, zone.y1 - radius
                yield min(max(fighter.x, low_x), high_x), min(max(fighter.y, low_y), high_y)
                yield (zone.x0 + zone.x1) // 2, (zone.y0 + zone.y1) // 2
        elif isinstance(part, s.HoldTerrain):
            for piece in board.terrain:
                x0, y0, x1, y1 = geometry.bounding_box(piece.corners)
                yield (x0 + x1) // 2, (y0 + y1) // 2


def _toward(fighter: FightingDisk, x: int, y: int, reach: int) -> Point:
    """Return a place, or the point within reach on the way to it."""
    dx, dy = x - fighter.x, y - fighter.y
    gap = isqrt(dx * dx + dy * dy)
    if gap <= reach:
        return x, y
    return fighter.x + dx * reach // gap, fighter.y + dy * reach // gap


# ---------------------------------------------------------------- paths


def paths_to(fighter: FightingDisk, x: int, y: int, flips: int, length: int) -> Iterator[Path]:
    """Yield paths of whole flips that end at (x, y): straight, then in two legs that bend to either side, ever wider.

    The two legs are of equal length, and one flip of an odd number goes straight before or after them.
    """
    dx, dy = x - fighter.x, y - fighter.y
    gap = isqrt(dx * dx + dy * dy)
    if not gap:
        return
    straight = geometry.flip_toward(dx, dy, length)
    if abs(gap - length) <= 2:
        yield (straight,)
    for count in range(max(2, -(-gap // length)), flips + 1):
        ahead = (straight,) * (count % 2)
        rest = (dx - straight[0], dy - straight[1]) if ahead else (dx, dy)
        for side in (1, -1):
            legs = _two_legs(rest, count // 2, length, side)
            if legs is not None:
                yield ahead + legs
                if ahead:
                    yield legs + ahead


def _two_legs(rest: Point, flips: int, length: int, side: int) -> Path | None:
    """Return two legs of as many flips each that add up to a vector, the first bending to one side of it."""
    dx, dy = rest
    square, leg = dx * dx + dy * dy, flips * length
    if square == 0 or square > 4 * leg * leg:
        return None
    # The legs and the vector form a triangle with two equal sides; its height begins in the middle of the vector.
    height, base = isqrt(leg * leg - square // 4), isqrt(square)
    there = geometry.flip_toward(dx // 2 - side * dy * height // base, dy // 2 + side * dx * height // base, length)
    back = dx - there[0] * flips, dy - there[1] * flips
    if back == (0, 0):
        return None
    return (there,) * flips + (geometry.flip_toward(*back, length),) * flips


def cost_of_path(situation: Situation, fighter: FightingDisk, path: Path) -> int | None:
    """Return what the landings before the last cost, by Impact and Dangerous ground; None if the path does not work.

    A landing that leaves the field is illegal; one on an enemy or on rough ground would end the move too early.
    """
    board, x, y, cost = situation.board, fighter.x, fighter.y, 0
    is_flying = keywords.is_flying(fighter.profile)
    for dx, dy in path[:-1]:
        x, y = x + dx, y + dy
        if not position.is_on_field(board, fighter.id, x, y):
            return None
        if is_flying:
            continue
        under = situation.overlapped(fighter.id, x, y, fighter.radius)
        if any(not other.is_own for other in under) or is_rough(board, fighter, x, y):
            return None
        cost += danger_cost(board, fighter, x, y) - (impact_value(situation, fighter, under) if under else 0)
    x, y = x + path[-1][0], y + path[-1][1]
    return cost if position.is_on_field(board, fighter.id, x, y) else None
