"""Exact chances of attacks in the pit, as fractions: for defaults, bots and the page."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from math import comb

from diskwars_protocol.rulesets.pit import checks, position
from diskwars_protocol.rulesets.pit.actions import Attack
from diskwars_protocol.rulesets.pit.board import Fighter, PitBoard

Chances = dict[int, Fraction]


def faces(mode: int) -> Chances:
    """Return the chance of each natural value of one check; `mode` as in `checks.balance`."""
    if not mode:
        return {face: Fraction(1, 20) for face in range(1, 21)}
    # the higher of two dice is at most f in f * f of 400 cases
    chances = {face: Fraction(2 * face - 1, 400) for face in range(1, 21)}
    return chances if mode > 0 else {21 - face: chance for face, chance in chances.items()}


def pass_chance(modifier: int, needed: int, mode: int) -> Fraction:
    """Return the chance to pass a check."""
    return sum(
        (chance for face, chance in faces(mode).items() if checks.judge((face,), modifier, needed, 0).passed),
        Fraction(0),
    )


def save_chance(board: PitBoard, fighter: Fighter, target: Fighter, attack: Attack) -> Fraction:
    """Return the chance that a target saves one hit."""
    needed, bonus = checks.defence_needed(board, target)
    if needed is None:
        return Fraction(0)
    pierce = board.weapon(attack.weapon).pierce if attack.weapon else 0
    return pass_chance(bonus - fighter.pierce - pierce, needed, checks.balance(False, target.status == "staggered"))


def unsaved_hits(board: PitBoard, fighter: Fighter, target: Fighter, attack: Attack) -> dict[tuple[int, int], Fraction]:
    """Return the chance of each (injury value, unsaved hits) of one attack; no hit is (0, 0)."""
    save = save_chance(board, fighter, target, attack)
    weapon = board.weapon(attack.weapon) if attack.weapon else None
    found: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for face, chance in faces(checks.melee_mode(board, fighter, target)).items():
        if not checks.judge((face,), weapon.melee if weapon else 0, fighter.melee, 0).passed:
            found[0, 0] += chance
            continue
        value = face + fighter.injury + (weapon.injury if weapon else 0)
        tries = 2 if face == checks.SIDES else 1
        for unsaved in range(tries + 1):
            found[value if unsaved else 0, unsaved] += (
                chance * comb(tries, unsaved) * (1 - save) ** unsaved * save ** (tries - unsaved)
            )
    return dict(found)


def removal_chance(board: PitBoard, fighter: Fighter, target: Fighter, declared: Sequence[Attack]) -> Fraction:
    """Return the chance that these attacks on one target take it out of the fight (A-16)."""
    if not declared:
        return Fraction(0)
    if target.status == "stunned":
        return Fraction(1)
    lethal = checks.STUNNED_UP_TO + 1
    # chance of each (unsaved hits, those of them that would take it out)
    totals: dict[tuple[int, int], Fraction] = {(0, 0): Fraction(1)}
    for attack in declared:
        after: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
        for (hits, fatal), chance in totals.items():
            for (value, unsaved), likely in unsaved_hits(board, fighter, target, attack).items():
                after[hits + unsaved, fatal + (unsaved if value >= lethal else 0)] += chance * likely
        totals = after
    if target.status == "dazed":
        return sum((chance for (hits, _), chance in totals.items() if hits), Fraction(0))
    return sum((chance * _kept(hits, fatal, target.wounds) for (hits, fatal), chance in totals.items()), Fraction(0))


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
