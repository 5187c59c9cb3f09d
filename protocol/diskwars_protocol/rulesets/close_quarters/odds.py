"""Exact chances in close quarters, as fractions: for defaults, bots and the page."""

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

from diskwars_protocol.rulesets.close_quarters import checks, position
from diskwars_protocol.rulesets.close_quarters.actions import ModelShot, UnitId
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard, Model
from diskwars_protocol.rulesets.close_quarters.stats import MeleeWeapon, UnitProfile

LAST_FACE = checks.SIDES


def kill_chance(strength: int, toughness: int) -> Fraction:
    """Return the chance that a failed save kills (B-2)."""
    return Fraction(max(0, min(LAST_FACE, strength)), LAST_FACE) ** toughness


def pass_chance(needed: int, dice: int) -> Fraction:
    """Return the chance that at least one die is at most `needed` (B-3)."""
    return 1 - Fraction(LAST_FACE - needed, LAST_FACE) ** dice


def leadership_chance(board: CloseQuartersBoard, unit: UnitId, more_markers: int = 0) -> Fraction:
    """Return the chance that a unit passes a leadership test, with some more markers."""
    tested = board.units[unit]
    markers = tested.markers + more_markers
    if not markers:
        return Fraction(1)
    needed = max(0, min(LAST_FACE, board.profile(tested).nerve - (markers - 1)))
    return pass_chance(needed, checks.leadership_dice(board, tested))


@lru_cache(maxsize=4096)
def casualties_per_die(hit_needed: int, save_needed: int, strength: int, toughness: int) -> Fraction:
    """Return the expected casualties of one die: the chances of a hit, of a failed save and of a kill."""
    fails = Fraction(LAST_FACE - save_needed, LAST_FACE)
    return Fraction(hit_needed, LAST_FACE) * fails * kill_chance(strength, toughness)


def melee_casualties(
    board: CloseQuartersBoard, model: Model, weapon: MeleeWeapon, touched: Iterable[Model]
) -> Fraction:
    """Return the expected casualties of one model's attacks; its hits fall evenly on the models that it touches."""
    enemies = list(touched)
    hit_needed = checks.melee_needed(board, model, weapon, enemies)
    strength = checks.melee_strength(board, model, weapon)
    total = Fraction(0)
    for enemy in enemies:
        target = board.profile(board.units[enemy.unit])
        save_needed = checks.save_needed(target, weapon.armour_piercing)
        total += casualties_per_die(hit_needed, save_needed, strength, target.toughness)
    return total * Fraction(weapon.attacks, len(enemies))


def best_weapon(board: CloseQuartersBoard, model: Model) -> MeleeWeapon:
    """Return the weapon with most expected casualties; of equals, the first that the model carries."""
    enemies = position.touched(board, model)
    return max(checks.melee_weapons(board, model), key=lambda weapon: melee_casualties(board, model, weapon, enemies))


def shot_casualties(board: CloseQuartersBoard, unit: UnitId, target: UnitId) -> Fraction:
    """Return the expected casualties of the snap-fire of one model at a unit."""
    shooter: UnitProfile = board.profile(board.units[unit])
    aimed: UnitProfile = board.profile(board.units[target])
    weapon = board.ranged_weapon(board.units[unit])
    if weapon is None:
        return Fraction(0)
    save_needed = checks.save_needed(aimed, weapon.armour_piercing)
    per_die = casualties_per_die(checks.shot_needed(shooter, aimed), save_needed, weapon.strength, aimed.toughness)
    return checks.snap_dice(weapon) * per_die


def nearest_shots(board: CloseQuartersBoard, unit: UnitId) -> tuple[ModelShot, ...]:
    """Return the fire of all models at the nearest unit each (B-9)."""
    return tuple(
        ModelShot(model.id, position.nearest_unit(board, model, units, free_only=True))
        for model, units in position.shooting_targets(board, unit)
    )
