"""Evaluation of where a disk stands or lands: whom it fights, what it covers, what it risks and what it is near to."""

from math import isqrt
from typing import TypeVar

from diskwars_bots.rulesets.diskwars import weights
from diskwars_bots.rulesets.diskwars.situation import FightingDisk, Situation, damage_worth, denied, typed_damage_worth
from diskwars_protocol import geometry
from diskwars_protocol.rulesets.diskwars import keywords, terrain
from diskwars_protocol.rulesets.diskwars import setup_cards as s
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.stats import Amount, Profile

T = TypeVar("T")

DANGER = 4
"""The damage that a landing on Dangerous ground counts as: half of the dice deal as much or more."""


def mean_amount(amount: Amount) -> int:
    """Return the mean of an amount, rounded down."""
    return max(0, amount.flat + amount.d6 * 7 // 2)


def value_of_standing(situation: Situation, fighter: FightingDisk) -> int:
    """Return the value of a fighter where it is, with the pins that it has."""
    pinned = situation.pinned_by.get(fighter.id, [])
    return _value_at(situation, fighter, fighter.x, fighter.y, pinned)


def value_of_landing(situation: Situation, fighter: FightingDisk, x: int, y: int, *, is_flip: bool = True) -> int:
    """Return the value of a fighter that lands at (x, y), or that is placed there."""
    pinned = situation.pinned_at(fighter.id, x, y, fighter.radius)
    value = _value_at(situation, fighter, x, y, pinned) - danger_cost(situation.board, fighter, x, y)
    return value + impact_value(situation, fighter, pinned) if is_flip and pinned else value


def _value_at(situation: Situation, fighter: FightingDisk, x: int, y: int, pinned: list[FightingDisk]) -> int:
    enemies = [other for other in pinned if other.seat != fighter.seat]
    value = place_value(situation, fighter, x, y) - exposure_cost(situation, fighter, x, y, enemies)
    if pinned:
        value -= sum(cover_cost(other) for other in pinned if other.seat == fighter.seat)
    if enemies:
        return value + fight_value(situation, fighter, enemies) + advance_weight(situation)
    return value + advance_value(situation, fighter, x, y)


# ---------------------------------------------------------------- fights


def fight_value(situation: Situation, fighter: FightingDisk, enemies: list[FightingDisk]) -> int:
    """Return the value of pinning enemies: the best blow, less their blows in return, and what they cannot do now."""
    blows = [_blow_value(situation, fighter, enemy) for enemy in enemies]
    value = sum(blows) if keywords.is_frenzied(fighter.profile) else max(blows)
    own_step, returned, returned_before = _step(fighter.profile, "strength"), 0, 0
    for enemy in enemies:
        others = sum(other.id != fighter.id for other in _attackers(situation, enemy))
        blow = enemy.counter // (1 + others)
        returned += blow
        if _step(enemy.profile, "counter") < own_step:
            returned_before += blow
    if returned_before >= fighter.left and fighter.lives == 1:
        value = 0  # it falls before it strikes (R15.3.4)
    if not _strikes_first(fighter, enemies):
        value -= typed_damage_worth(fighter, returned, "physical")
    return value + sum(denied(enemy) for enemy in enemies)


def _blow_value(situation: Situation, fighter: FightingDisk, enemy: FightingDisk) -> int:
    """Return what a blow adds to those of the own disks that pin the enemy already."""
    before = sum(other.strength for other in _attackers(situation, enemy) if other.id != fighter.id)
    after = before + fighter.strength
    value = typed_damage_worth(enemy, after, "physical") - typed_damage_worth(enemy, before, "physical")
    if before < enemy.left <= after and enemy.lives == 1:
        # The pinned defend before they attack (R15.2.1): an enemy that falls strikes nothing below it.
        below = [other for other in situation.pinned_by.get(enemy.id, []) if other.seat == fighter.seat]
        value += sum(damage_worth(other, enemy.strength) for other in below) * weights.RESCUE_SHARE // 100
    return value


def early_damage_value(situation: Situation, enemy: FightingDisk, damage: int) -> int:
    """Return the value of damage before melee, by a shot or spell, added to the blows that the enemy will take."""
    attackers = _attackers(situation, enemy)
    if damage <= 0 or not attackers:
        return damage_worth(enemy, damage)
    blows = sum(other.strength for other in attackers)
    if damage < enemy.left:
        return damage_worth(enemy, blows + damage) - damage_worth(enemy, blows)
    if enemy.lives > 1 or blows < enemy.left:
        return damage_worth(enemy, damage)
    # It falls anyway; falling now it does not strike back.
    return max(damage_worth(other, enemy.counter) for other in attackers)


def _attackers(situation: Situation, enemy: FightingDisk) -> list[FightingDisk]:
    """List the fighters that pin an enemy and are not of its side."""
    return [other for other in situation.pinning.get(enemy.id, []) if other.seat != enemy.seat]


def _strikes_first(fighter: FightingDisk, enemies: list[FightingDisk]) -> bool:
    """Return whether a fighter destroys its only enemy in an earlier step than it would be struck (R15.3)."""
    if len(enemies) != 1 or enemies[0].lives > 1 or fighter.strength < enemies[0].left:
        return False
    return _step(fighter.profile, "strength") < _step(enemies[0].profile, "counter")


def _step(profile: Profile, kind: keywords.AttackKind) -> int:
    """Return the step of melee in which a disk strikes, from 0 (R15.3)."""
    return ("swift", "normal", "slow").index(keywords.speed(profile, kind))


def impact_value(situation: Situation, fighter: FightingDisk, pinned: list[FightingDisk]) -> int:
    """Return the value of Impact on the disks that a landing pins; own disks count against it (R-10)."""
    amount = keywords.impact_amount(fighter.profile)
    if amount is None:
        return 0
    value = 0
    for other in pinned:
        if not other.is_own:
            value += typed_damage_worth(other, mean_amount(amount), "physical", "impact")
        elif situation.board.settings.impact_own:
            # A hit that does not wound costs as much as one that takes half a life: it hurts in the melee that follows.
            value -= weights.COVERED + typed_damage_worth(other, mean_amount(amount), "physical", "impact")
    return value


def cover_cost(own: FightingDisk) -> int:
    """Return the cost of lying on an own disk."""
    if own.is_hero:
        return weights.COVERED_HERO
    return weights.COVERED_READY if own.is_ready else weights.COVERED


def exposure_cost(situation: Situation, fighter: FightingDisk, x: int, y: int, pinned: list[FightingDisk]) -> int:
    """Return the risk of standing where enemies can land: the worst of what they would do, by how soon they can.

    What the blows in return would do to the enemy lessens it.
    """
    worst = 0
    now_share, next_share = by_round(situation, weights.EXPOSED_SHARES)
    for enemy in situation.enemies:
        span = enemy.reach + enemy.radius + fighter.radius
        if (enemy.x - x) ** 2 + (enemy.y - y) ** 2 < span * span and enemy not in pinned:
            share = now_share if enemy.is_ready else next_share
            if not share or not (enemy.is_ready or situation.rounds_left):
                continue
            risk = damage_worth(fighter, enemy.strength)
            if risk * share > worst * 100:
                risk -= _return_value(situation, fighter, enemy, x, y) * weights.RETURN_SHARE // 100
            worst = max(worst, risk * share // 100)
    return worst


def _return_value(situation: Situation, fighter: FightingDisk, enemy: FightingDisk, x: int, y: int) -> int:
    """Return what an enemy that lands on a fighter at (x, y) would suffer from it and from own disks within reach.

    Before the enemy has acted only own disks that are ready can answer in this round; later all can.
    """
    strength = fighter.counter
    for own in situation.own:
        if own.id == fighter.id or (enemy.is_ready and not own.is_ready):
            continue
        span = own.reach + own.radius + enemy.radius
        if (own.x - x) ** 2 + (own.y - y) ** 2 < span * span:
            strength += own.strength
    return damage_worth(enemy, strength)


# ---------------------------------------------------------------- ground and places


def danger_cost(board: Board, fighter: FightingDisk, x: int, y: int) -> int:
    """Return the cost of a landing on Dangerous ground (R10.5)."""
    if not board.terrain or keywords.ignores_terrain(fighter.profile):
        return 0
    cost = 0
    for number in terrain.pieces_under(board, fighter.id, x, y):
        for keyword in board.terrain[number].terrain.keywords:
            if keyword.id == terrain.DANGEROUS and keyword.damage_type is not None:
                cost += typed_damage_worth(fighter, DANGER, keyword.damage_type)
    return cost


def is_rough(board: Board, fighter: FightingDisk, x: int, y: int) -> bool:
    """Return whether rough ground ends a move at a place (R10.9)."""
    if not board.terrain or keywords.ignores_terrain(fighter.profile):
        return False
    left = board.disks[fighter.id].terrain
    pieces = terrain.pieces_under(board, fighter.id, x, y)
    return any(terrain.has_keyword(board.terrain[n], terrain.ROUGH) and n not in left for n in pieces)


def place_value(situation: Situation, fighter: FightingDisk, x: int, y: int) -> int:
    """Return the value of a place for the own objective: held, or nearer to being held (R17.3)."""
    percent = weights.HOLD_PERCENT[min(situation.rounds_left, len(weights.HOLD_PERCENT) - 1)]
    value = 0
    for part in situation.objective:
        match part:
            case s.HoldZones():
                share = max(
                    (_share_in_zone(situation, zone, fighter, x, y) for zone in situation.enemy_zones), default=0
                )
            case s.HoldMiddle():
                field = situation.board.field
                gap = isqrt((x - field.width // 2) ** 2 + (y - field.height // 2) ** 2) - fighter.radius - field.short
                share = _near_share(gap, field.width)
            case s.HoldTerrain():
                share = _share_on_terrain(situation, fighter, x, y)
            case _:
                continue
        value += part.points * share * percent // 100
    return value


def _near_share(gap: int, width: int) -> int:
    """Return 100 for a place that is held, less for one that is `gap` away."""
    if gap <= 0:
        return 100
    return weights.HOLD_NEAR_SHARE - min(weights.HOLD_NEAR_SHARE, weights.HOLD_NEAR_SHARE * gap // width)


def _share_in_zone(situation: Situation, zone: s.Zone, fighter: FightingDisk, x: int, y: int) -> int:
    r = fighter.radius
    across = max(zone.x0 + r - x, x - (zone.x1 - r), 0)
    along = max(zone.y0 + r - y, y - (zone.y1 - r), 0)
    return _near_share(max(across, along), situation.board.field.width)


def _share_on_terrain(situation: Situation, fighter: FightingDisk, x: int, y: int) -> int:
    """Return the share for the nearest piece without another disk: one own disk is enough to control it (R10.2)."""
    board, best = situation.board, 0
    for number, piece in enumerate(board.terrain):
        on_it = [other for other in situation.on_terrain.get(number, ()) if other != fighter.id]
        if on_it:
            continue
        if geometry.disk_overlaps_polygon(x, y, fighter.radius, piece.corners):
            return 100
        x0, y0, x1, y1 = geometry.bounding_box(piece.corners)
        gap = isqrt(((x0 + x1) // 2 - x) ** 2 + ((y0 + y1) // 2 - y) ** 2) - fighter.radius
        best = max(best, _near_share(max(1, gap), board.field.width))
    return best


def advance_value(situation: Situation, fighter: FightingDisk, x: int, y: int) -> int:
    """Return the value of being near an enemy: within range for those that shoot, in contact for the others."""
    wanted = fighter.shot_length if _prefers_range(fighter) else 0
    nearest = min(
        (isqrt((enemy.x - x) ** 2 + (enemy.y - y) ** 2) - enemy.radius for enemy in situation.enemies), default=0
    )
    gap = max(0, nearest - fighter.radius - wanted)
    weight = advance_weight(situation)
    return weight - weight * gap // situation.board.field.width


def advance_weight(situation: Situation) -> int:
    """Return the value of having come to the enemy in this round."""
    return by_round(situation, weights.ADVANCE)


def by_round(situation: Situation, weights_by_round: tuple[T, ...]) -> T:
    """Return the weight of this round; rounds beyond the table have its last."""
    return weights_by_round[min(max(1, situation.board.round), len(weights_by_round)) - 1]


def _prefers_range(fighter: FightingDisk) -> bool:
    return fighter.shot_length > 0 and not (keywords.is_mobile(fighter.profile) and fighter.strength >= 4)
