"""The numbers that dice of regiments need: to hit, to wound, to save (C-6 to C-8)."""

from diskwars_protocol.rulesets.regiments.board import RegimentsBoard, Unit
from diskwars_protocol.rulesets.regiments.events import Needs

CHARGE_PRIORITY = 11
CHARGE_STRENGTH = 1
WOUND_TABLE = {1: 3, 0: 4, -1: 5, -2: 6, -3: 6}
"""C-7: what a wound needs, by strength less toughness; above 2+, below no die wounds."""
WORST_SAVE = 5
"""C-8: a save of 6 always fails."""
UNPIERCED_STRENGTH = 3


def to_hit(attacker_skill: int, defender_skill: int) -> int:
    """Return the least d6 that hits (C-6)."""
    if attacker_skill > defender_skill:
        return 3
    return 4 if 2 * attacker_skill >= defender_skill else 5


def to_wound(strength: int, toughness: int) -> int | None:
    """Return the least d6 that wounds; None if none does (C-7)."""
    excess = strength - toughness
    return 2 if excess >= 2 else WOUND_TABLE.get(excess)


def to_save(armour: int, strength: int) -> int:
    """Return the highest d6 that saves; 0 if no die is rolled (C-8)."""
    left = armour - max(0, strength - UNPIERCED_STRENGTH)
    return max(0, min(left, WORST_SAVE))


def strength_of(board: RegimentsBoard, unit: Unit, is_charging: bool) -> int:
    """Return the strength of a unit's attacks: its own, its weapon's, and C-1: one more on the charge."""
    profile = board.profile(unit)
    return profile.strength + board.weapon(profile.weapon).strength + (CHARGE_STRENGTH if is_charging else 0)


def needs_of(board: RegimentsBoard, unit: Unit, target: Unit, is_charging: bool, is_hack: bool = False) -> Needs:
    """Return what attacks of a unit on another need; C-14: those on a unit that flees hit by themselves."""
    attacker, defender = board.profile(unit), board.profile(target)
    strength = strength_of(board, unit, is_charging)
    hit = None if is_hack else to_hit(attacker.weapon_skill, defender.weapon_skill)
    wound = to_wound(strength, defender.toughness)
    return Needs(target.id, hit, wound, to_save(defender.armour, strength))


def priority_of(board: RegimentsBoard, unit: Unit) -> int:
    """Return the step in which a unit strikes: chargers before everything, then by initiative (C-5)."""
    return CHARGE_PRIORITY if unit.has_charged else board.profile(unit).initiative
