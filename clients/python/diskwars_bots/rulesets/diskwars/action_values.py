"""Value of shots, abilities and blows: what they do to enemies and to own disks."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import comb

from diskwars_bots.rulesets.diskwars import weights
from diskwars_bots.rulesets.diskwars.evaluation import cover_cost, early_damage_value, fight_value, mean_amount
from diskwars_bots.rulesets.diskwars.situation import (
    FightingDisk,
    Situation,
    damage_worth,
    denied,
    reduced,
    typed_damage_worth,
)
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import effective_stats, position, terrain
from diskwars_protocol.rulesets.diskwars import stats as f
from diskwars_protocol.rulesets.diskwars.board import Board

FACES = 6
IDLE = -1
"""Value of help or harm for a fight that cannot come this round: less than that of ending a card."""


@lru_cache(maxsize=64)
def hit_chances(dice: int, striking: int) -> tuple[int, ...]:
    """Return the chance of 0, 1, 2, … strikes in thousandths, with `striking` faces of six."""
    whole = FACES**dice
    return tuple(
        1000 * comb(dice, hits) * striking**hits * (FACES - striking) ** (dice - hits) // whole
        for hits in range(dice + 1)
    )


def shot_value(situation: Situation, action: a.Shoot) -> int:
    """Return the value of a ranged attack: over all numbers of hits, added to the blows that the target will take."""
    board, target = situation.board, situation.fighters[action.target]
    shot = effective_stats.shot(board, action.disk, action.shot)
    dice = terrain.dice_after_cover(board, action.target, shot.dice)
    strength = max(1, mean_amount(shot.strength))
    is_siege = position.range_band(board, action.disk, action.target) == "siege"
    striking = sum(face == "critical" or (face == "hit" and not is_siege) for face in board.battle_die)
    value = sum(
        chance * early_damage_value(situation, target, reduced(target, hits * strength, shot.damage_type, "ranged"))
        for hits, chance in enumerate(hit_chances(dice, striking))
    )
    value = value // 1000 + denied(target) * dice // FACES
    if target.is_own:
        return -value
    return value - _scatter_cost(situation, action, target, dice, strength)


def _scatter_cost(situation: Situation, action: a.Shoot, target: FightingDisk, dice: int, strength: int) -> int:
    """Return the risk for an own disk nearest to the target (R12.3)."""
    others = [other for other in situation.fighters.values() if other.id not in (action.disk, target.id)]
    near = position.within_reach(
        situation.board, target.id, [situation.board.disks[fighter.id] for fighter in others], "short"
    )
    if not near:
        return 0
    nearest = min(near, key=lambda id: position.distance(situation.board, target.id, id))
    other = situation.fighters[nearest]
    risk = damage_worth(other, strength) * dice // (FACES * 3)
    return risk if other.is_own else -risk


def effect_value(situation: Situation, user: int, effect: f.Effect, target: int | None) -> int:
    """Return the value of a focus, battle or engage ability that is used now."""
    board = situation.board
    aimed = situation.fighters.get(target) if target is not None else None
    match effect:
        case f.DealDamage() if aimed is not None:
            hit = [aimed] if effect.around is None else [aimed, *_near(situation, aimed.id, effect.around)]
            return sum(
                _damage_value(situation, fighter, mean_amount(effect.amount), effect.damage_type) for fighter in hit
            )
        case f.DealDamageNear():
            near = [fighter for fighter in _near(situation, user, effect.reach) if not fighter.is_own]
            return sum(
                _damage_value(situation, fighter, mean_amount(effect.amount), effect.damage_type) for fighter in near
            )
        case f.Empower() if aimed is not None:
            if not situation.engaged_enemies(aimed) and not may_meet(situation, aimed):
                return IDLE
            value = weights.EMPOWER_FIGHTING if situation.engaged_enemies(aimed) else weights.EMPOWER_IDLE
            return value * aimed.worth // 300
        case f.Heal() if aimed is not None:
            damage = min(board.disks[aimed.id].damage, mean_amount(effect.amount))
            return (weights.HEAL_FIGHTING if situation.engaged_enemies(aimed) else 2) * damage
        case f.AddActivationToken() if aimed is not None:
            return denied(aimed)
        case f.ReduceToughness() if aimed is not None:
            return _weakening_value(situation, aimed, effect.toughness)
        case f.RemoveActivationToken():
            return weights.ANOTHER_ACTIVATION
        case f.ReinforceNear():
            return weights.REINFORCE
        case f.FightEngagement():
            return _early_fight_value(situation, user)
        case _:
            return 1


def _near(situation: Situation, number: int, reach: f.Reach) -> list[FightingDisk]:
    others = [situation.board.disks[id] for id in situation.fighters if id != number]
    return [situation.fighters[id] for id in position.within_reach(situation.board, number, others, reach)]


def _damage_value(situation: Situation, fighter: FightingDisk, amount: int, damage_type: f.DamageType) -> int:
    damage = reduced(fighter, amount, damage_type)
    return -damage_worth(fighter, damage) if fighter.is_own else early_damage_value(situation, fighter, damage)


def _weakening_value(situation: Situation, aimed: FightingDisk, toughness: int) -> int:
    """Return what less toughness adds to the blows that an enemy will take."""
    if aimed.left <= toughness:
        return damage_worth(aimed, aimed.left)
    blows = sum(other.strength for other in situation.engaged_enemies(aimed))
    if blows:
        return damage_worth(aimed, blows + toughness) - damage_worth(aimed, blows)
    # Without a fight yet: only where it lets a blow wound that otherwise would not.
    likely = [fighter.strength for fighter in situation.own if fighter.is_ready and _can_land_on(fighter, aimed)]
    if aimed.is_ready and not aimed.shot_length:  # one that shoots or casts does not come by itself
        likely += [fighter.counter for fighter in situation.own if _can_land_on(aimed, fighter)]
    decides = any(strength < aimed.left <= strength + toughness for strength in [*likely, sum(likely)])
    return weights.WEAKEN_LIKELY if decides else IDLE


def _can_land_on(mover: FightingDisk, target: FightingDisk) -> bool:
    span = mover.reach + mover.radius + target.radius
    return (mover.x - target.x) ** 2 + (mover.y - target.y) ** 2 < span * span


def may_meet(situation: Situation, fighter: FightingDisk) -> bool:
    """Return whether a disk can fight an enemy in this round, by its own move or by the enemy's."""
    return any(
        (other.is_ready and _can_land_on(other, fighter)) or (fighter.is_ready and _can_land_on(fighter, other))
        for other in situation.fighters.values()
        if other.is_own != fighter.is_own
    )


def _early_fight_value(situation: Situation, user: int) -> int:
    """Return the value of fighting now what the user pins: it strikes again in the melee phase."""
    fighter = situation.fighters[user]
    below = [other for other in situation.pinned_by.get(user, []) if not other.is_own]
    return fight_value(situation, fighter, below) if below else -20


# ---------------------------------------------------------------- melee


def blows_value(situation: Situation, question: a.MeleeTargetsQuestion, action: a.ChooseTargets) -> int:
    """Return the value of a choice of targets. Blows on one target are added up, so disks combine to destroy it."""
    totals: dict[int, int] = {}
    for blow in action.targets:
        striker = situation.fighters[blow.disk]
        strength = striker.strength if question.role == "attacker" else striker.counter
        totals[blow.target] = totals.get(blow.target, 0) + strength
    return sum(typed_damage_worth(situation.fighters[target], dealt, "physical") for target, dealt in totals.items())


def landing_on(situation: Situation, targets: Iterable[int]) -> int:
    """Return the value of lying on these disks, for a flip that is forced."""
    under = [situation.fighters[target] for target in targets]
    return sum(-cover_cost(fighter) if fighter.is_own else fighter.worth // 4 for fighter in under)


# ---------------------------------------------------------------- cards


def card_value(situation: Situation, board: Board, card: f.CommandCard, hand: Sequence[int], ready: int) -> int:
    """Return the value of a card: the activations that find a disk, those that do not, and what its ability does now.

    `hand` are the activations of all cards in the hand: the larger card of a set that fits exactly comes first.
    """
    used = min(card.activations, ready)
    value = used * weights.ACTIVATION_USED - (card.activations - used) * weights.ACTIVATION_WASTED
    rest = ready - card.activations
    if rest > 0 and len(hand) > 1:
        value -= min((abs(rest - other) for other in hand), default=0) * weights.ACTIVATION_WASTED // 3
    return value + sum(_ability_value(situation, board, card, ability) for ability in card.abilities)


def _ability_value(situation: Situation, board: Board, card: f.CommandCard, ability: f.Ability) -> int:
    """Return the approximate value of an ability of a card in this position."""
    effect = ability.effect
    selector = getattr(effect, "selector", None)
    ready = [
        fighter
        for fighter in situation.own
        if fighter.is_ready and effective_stats.matches_selector(fighter.profile, selector)
    ]
    fighting = [fighter for fighter in situation.own if situation.engaged_enemies(fighter)]
    match effect:
        case f.IncreaseMovement():
            # Those that come from the reserve meanwhile make nothing of it.
            return 12 * min(card.activations, sum(not fighter.shot_length for fighter in ready)) * effect.flips
        case f.IncreaseRange():
            return 10 * sum(bool(fighter.profile.shots) for fighter in ready)
        case f.IncreaseShotStrength():
            return 20 * sum(bool(fighter.profile.shots) for fighter in ready) * effect.strength
        case f.IncreaseToughness() | f.IncreaseMeleeStrength():
            return 8 * len(ready)
        case _ if ability.timing == "battle":
            return _battle_value(situation, board, ability, bool(fighting))
        case _:
            return 0


def _battle_value(situation: Situation, board: Board, ability: f.Ability, is_fighting: bool) -> int:
    """Return the value of the best use of a battle ability that is in reach now; a little if it may come into reach."""
    users = [fighter for fighter in situation.own if effective_stats.matches_selector(fighter.profile, ability.user)]
    reach = getattr(ability.effect, "reach", None)
    if not users or reach is None:
        return 30 if users and is_fighting else 0
    is_harmful = isinstance(ability.effect, f.DealDamage | f.AddActivationToken | f.ReduceToughness)
    best = 10
    for user in users:
        others = _near(situation, user.id, reach)
        for other in others:
            if other.is_own != is_harmful:
                best = max(best, effect_value(situation, user.id, ability.effect, other.id))
    return best // 2
