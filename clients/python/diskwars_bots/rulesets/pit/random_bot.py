"""The random bot of the pit: any cell, any target, any weapon, so that over many matches everything happens."""

import random
from typing import Any

from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.rulesets.pit.actions import Action, Attack, DeclareAttacks, Engage, Move, Question
from diskwars_protocol.rulesets.pit.options import PitLimits, PitOptions


def choose_random(match: Any, decision: Decision[Question], options: PitOptions, rng: random.Random) -> Action:
    """Choose any legal action."""
    picked: Action | PitLimits = rng.choice([*options.actions, *options.parametric])
    if not isinstance(picked, PitLimits):
        return picked
    if isinstance(picked.example, Engage | Move):
        cell = rng.choice(picked.cells)
        return type(picked.example)(picked.fighter, cell.x, cell.y)
    return _declaration(picked, rng)


def _declaration(limits: PitLimits, rng: random.Random) -> Action:
    """Return attacks on random targets, with every weapon at least once."""
    count = limits.attacks or 1
    weapons: list[str | None] = list(limits.weapons) or [None]
    carried = [*dict.fromkeys(weapons), *rng.choices(weapons, k=count)][:count]
    rng.shuffle(carried)
    return DeclareAttacks(tuple(Attack(rng.choice(limits.targets), weapon) for weapon in carried))
