"""Exact chances in regiments, as fractions: for bots, tests and the page."""

from fractions import Fraction
from functools import lru_cache
from itertools import product

from diskwars_protocol.rulesets.regiments.actions import BreakDie
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard, Unit
from diskwars_protocol.rulesets.regiments.checks import needs_of
from diskwars_protocol.rulesets.regiments.events import Needs

D6 = range(1, 7)
D12 = range(1, 13)


def wound_chance(needs: Needs) -> Fraction:
    """Return the chance that one attack takes a wound (C-6 to C-8)."""
    return _wound_chance(needs.hit, needs.wound, needs.save)


@lru_cache(512)
def _wound_chance(hit_needed: int | None, wound: int | None, save: int) -> Fraction:
    if wound is None:
        return Fraction(0)
    hit = Fraction(1) if hit_needed is None else Fraction(7 - hit_needed, 6)
    return hit * Fraction(7 - wound, 6) * (1 - Fraction(save, 6))


def attack_chance(board: RegimentsBoard, unit: Unit, target: Unit, is_charging: bool) -> Fraction:
    """Return the chance that one attack of a unit takes a wound of another."""
    return wound_chance(needs_of(board, unit, target, is_charging))


def hack_chance(board: RegimentsBoard, unit: Unit, target: Unit) -> Fraction:
    """Return the chance that one attack on a unit that flees takes a wound (C-14)."""
    return wound_chance(needs_of(board, unit, target, is_charging=False, is_hack=True))


@lru_cache(64)
def pass_chance(needed: int, die: BreakDie) -> Fraction:
    """Return the chance to roll at most `needed`; C-2, C-16: every test but that of a break is made with a d12."""
    rolls = list(D12) if die == "d12" else [sum(pair) for pair in product(D6, D6)]
    return Fraction(sum(roll <= needed for roll in rolls), len(rolls))


@lru_cache(64)
def catch_chance(pursuer_movement: int, fleer_movement: int) -> Fraction:
    """Return the chance that a pursuer catches a unit (C-15)."""
    caught = sum(pursuit + pursuer_movement >= flight + fleer_movement for pursuit, flight in product(D6, D6))
    return Fraction(caught, 36)
