"""Checks of the pit: the number that each needs, and its meaning (A-1 to A-6)."""

from diskwars_protocol.rulesets.pit.board import Fighter, PitBoard
from diskwars_protocol.rulesets.pit.events import Check, Status
from diskwars_protocol.rulesets.pit.stats import ARMOUR_BONUS, SHIELD_BONUS, FighterProfile

SIDES = 20
DAZED_UP_TO, STUNNED_UP_TO = 14, 17
"""A-6: the injury chart; above, a fighter is incapacitated."""
DEFENCE_FROM_NOTHING = 21
"""The first +1 turns a missing defence into 20."""


def balance(advantage: bool, disadvantage: bool) -> int:
    """Return 1 for Advantage, -1 for Disadvantage, 0 for neither; A-2: both at once cancel each other."""
    return int(advantage) - int(disadvantage)


def judge(faces: tuple[int, ...], modifier: int, needed: int, mode: int) -> Check:
    """Return the check that these faces make: a natural 20 passes and a natural 1 fails with any modifier (A-1)."""
    kept = max(faces) if mode > 0 else min(faces)  # A-2; of one die, both are the die
    passed = kept == SIDES or (kept > 1 and kept + modifier >= needed)
    return Check(faces, kept, needed, passed, modifier)


def melee_mode(board: PitBoard, fighter: Fighter, target: Fighter) -> int:
    """Return Advantage or Disadvantage of the Melee Checks.

    A-16: Advantage against a dazed target. Disadvantage while staggered (A-8) or without a weapon (A-3).
    """
    profile = board.profile(fighter)
    is_unarmed = not profile.weapons and not profile.natural_weapons
    return balance(target.status == "dazed", fighter.status == "staggered" or is_unarmed)


def defence_needed(board: PitBoard, target: Fighter) -> tuple[int | None, int]:
    """Return the target number of Defence Checks and the bonus to the roll; None if no check is made (A-4)."""
    bonus = defence_bonus(board.profile(target))
    if target.defence is not None:
        return target.defence, bonus
    return (DEFENCE_FROM_NOTHING - bonus, 0) if bonus else (None, 0)


def defence_bonus(profile: FighterProfile) -> int:
    """Return what shield and armour add to the defence of a fighter (A-4)."""
    shield = SHIELD_BONUS[profile.shield] if profile.shield else 0
    return shield + (ARMOUR_BONUS[profile.armour] if profile.armour else 0)


def is_critical(check: Check) -> bool:
    """Return whether a hit counts twice (A-5)."""
    return check.kept == SIDES


def injury_status(value: int) -> Status:
    """Read the injury chart (A-6)."""
    if value <= DAZED_UP_TO:
        return "dazed"
    return "stunned" if value <= STUNNED_UP_TO else "incapacitated"
