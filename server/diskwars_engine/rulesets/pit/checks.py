"""Checks of the pit: a d20 and a modifier against a target number (A-1, A-2)."""

from collections.abc import Sequence

from diskwars_engine.ruleset import Dice
from diskwars_protocol.fairness import Draw
from diskwars_protocol.rulesets.pit.events import Check

SIDES = 20


def balance(advantage: bool, disadvantage: bool) -> int:
    """Return 1 for Advantage, -1 for Disadvantage, 0 for neither; A-2: both at once cancel each other."""
    return int(advantage) - int(disadvantage)


def roll_checks(dice: Dice, checks: Sequence[tuple[int, int]], mode: int, tag: str) -> tuple[Draw, tuple[Check, ...]]:
    """Roll checks in order; each is (modifier, needed). `mode` is that of `balance`, and the same for all."""
    per_check = 2 if mode else 1
    draw = dice.roll("number_dice", SIDES, per_check * len(checks), tag)
    results = []
    for place, (modifier, needed) in enumerate(checks):
        faces = draw.results[place * per_check : (place + 1) * per_check]
        results.append(judge(faces, modifier, needed, mode))
    return draw, tuple(results)


def judge(faces: tuple[int, ...], modifier: int, needed: int, mode: int) -> Check:
    """Return the check that these faces make: a natural 20 passes and a natural 1 fails with any modifier (A-1)."""
    kept = max(faces) if mode > 0 else min(faces)  # A-2; of one die, both are the die
    passed = kept == SIDES or (kept > 1 and kept + modifier >= needed)
    return Check(faces, kept, needed, passed, modifier)
