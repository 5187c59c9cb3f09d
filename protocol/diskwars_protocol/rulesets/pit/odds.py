"""Exact chances of attacks in the pit, as fractions: for defaults, bots and the page."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb

from msgspec import Struct

from diskwars_protocol.rulesets.pit import checks, position
from diskwars_protocol.rulesets.pit.actions import Attack
from diskwars_protocol.rulesets.pit.board import Fighter, PitBoard
from diskwars_protocol.rulesets.pit.stats import Weapon

Chances = dict[int, Fraction]
UNARMED = Weapon("", "")
"""Bare hands, claws and teeth add nothing."""


def faces(mode: int) -> Chances:
    """Return the chance of each natural value of one check; `mode` as in `checks.balance`."""
    if not mode:
        return {face: Fraction(1, 20) for face in range(1, 21)}
    # the higher of two dice is at most f in f * f of 400 cases
    chances = {face: Fraction(2 * face - 1, 400) for face in range(1, 21)}
    return chances if mode > 0 else {21 - face: chance for face, chance in chances.items()}


@lru_cache(maxsize=1024)
def pass_chance(modifier: int, needed: int, mode: int) -> Fraction:
    """Return the chance to pass a check."""
    return sum(
        (chance for face, chance in faces(mode).items() if checks.judge((face,), modifier, needed, 0).passed),
        Fraction(0),
    )


class MeleeAttackOdds(Struct, frozen=True, gc=False):
    """One attack on a target: its Melee Check, what is added to the injury value, and the chance of a save."""

    modifier: int
    needed: int
    mode: int
    injury: int
    save: Fraction


def blow(board: PitBoard, fighter: Fighter, target: Fighter, attack: Attack) -> MeleeAttackOdds:
    """Return what counts of an attack."""
    weapon = board.weapon(attack.weapon) if attack.weapon else UNARMED
    return MeleeAttackOdds(
        weapon.melee,
        fighter.melee,
        checks.melee_mode(board, fighter, target),
        fighter.injury + weapon.injury,
        save_chance(board, fighter, target, weapon),
    )


def save_chance(board: PitBoard, fighter: Fighter, target: Fighter, weapon: Weapon) -> Fraction:
    """Return the chance that a target saves one hit."""
    needed, bonus = checks.defence_needed(board, target)
    if needed is None:
        return Fraction(0)
    return pass_chance(
        bonus - fighter.pierce - weapon.pierce, needed, checks.balance(False, target.status == "staggered")
    )


@lru_cache(maxsize=1024)
def unsaved_hits(attack: MeleeAttackOdds) -> Mapping[tuple[int, int], Fraction]:
    """Return the chance of each (injury value, unsaved hits) of one attack; no unsaved hit is (0, 0)."""
    chances: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for face, chance in faces(attack.mode).items():
        if not checks.judge((face,), attack.modifier, attack.needed, 0).passed:
            chances[0, 0] += chance
            continue
        tries = 2 if face == checks.SIDES else 1
        for unsaved in range(tries + 1):
            likely = comb(tries, unsaved) * (1 - attack.save) ** unsaved * attack.save ** (tries - unsaved)
            chances[face + attack.injury if unsaved else 0, unsaved] += chance * likely
    return dict(chances)


def removal_chance(board: PitBoard, fighter: Fighter, target: Fighter, declared: Sequence[Attack]) -> Fraction:
    """Return the chance that these attacks on one target take it out of the fight (A-16)."""
    if not declared:
        return Fraction(0)
    if target.status == "stunned":
        return Fraction(1)
    blows = tuple(blow(board, fighter, target, attack) for attack in declared)
    return _removal_chance(blows, target.wounds, target.status == "dazed")


@lru_cache(maxsize=4096)
def _removal_chance(blows: tuple[MeleeAttackOdds, ...], wounds: int, is_dazed: bool) -> Fraction:
    lethal = checks.STUNNED_UP_TO + 1
    # chance of each (unsaved hits, those of them that would take it out)
    totals: dict[tuple[int, int], Fraction] = {(0, 0): Fraction(1)}
    for attack in blows:
        after: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
        for (hits, fatal), chance in totals.items():
            for (value, unsaved), likely in unsaved_hits(attack).items():
                after[hits + unsaved, fatal + (unsaved if value >= lethal else 0)] += chance * likely
        totals = after
    if is_dazed:
        return sum((chance for (hits, _), chance in totals.items() if hits), Fraction(0))
    return sum((chance * _kept(hits, fatal, wounds) for (hits, fatal), chance in totals.items()), Fraction(0))


def _kept(hits: int, fatal: int, wounds: int) -> Fraction:
    """Return the chance that a fatal hit is left when all but the last wound have taken hits at random."""
    if hits < wounds or not fatal:
        return Fraction(0)
    dropped = wounds - 1
    if fatal > dropped:
        return Fraction(1)
    return 1 - Fraction(comb(hits - fatal, dropped - fatal), comb(hits, dropped))


def best_declaration(board: PitBoard, fighter: Fighter) -> tuple[Attack, ...]:
    """Return all attacks on the target that they are most likely to take out; of equals, the lowest number."""
    declarations = [declaration_on(board, fighter, enemy.id) for enemy in position.targets(board, fighter)]
    return max(
        declarations,
        key=lambda declared: (
            removal_chance(board, fighter, board.fighters[declared[0].target], declared),
            -declared[0].target,
        ),
    )


def declaration_on(board: PitBoard, fighter: Fighter, target: int) -> tuple[Attack, ...]:
    """Return all attacks on one target; a second weapon strikes once."""
    first, *others = position.weapons_of(board, fighter)
    count = position.attack_count(board, fighter) - len(others)
    return (*(Attack(target, first),) * count, *(Attack(target, weapon) for weapon in others))
