"""Dice for checks: a d20 each, or two under Advantage and Disadvantage (A-1, A-2)."""

from collections.abc import Sequence

from diskwars_engine.ruleset import Dice
from diskwars_protocol.records.fairness import Draw
from diskwars_protocol.rulesets.pit.checks import SIDES, judge
from diskwars_protocol.rulesets.pit.events import Check


def roll_checks(dice: Dice, checks: Sequence[tuple[int, int]], mode: int, tag: str) -> tuple[Draw, tuple[Check, ...]]:
    """Roll checks in order; each is (modifier, needed). `mode` is that of `balance`, and the same for all."""
    per_check = 2 if mode else 1
    draw = dice.roll("number_dice", SIDES, per_check * len(checks), tag)
    results = []
    for place, (modifier, needed) in enumerate(checks):
        faces = draw.results[place * per_check : (place + 1) * per_check]
        results.append(judge(faces, modifier, needed, mode))
    return draw, tuple(results)
