"""Numbers that the tests of close quarters need, and the dice that are rolled for them (B-1 to B-3, B-8)."""

from collections.abc import Iterable

from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard, Model, Unit
from diskwars_protocol.rulesets.close_quarters.position import is_on_high_ground, living_leader
from diskwars_protocol.rulesets.close_quarters.stats import MeleeWeapon, RangedWeapon, UnitProfile

SIDES = 6
EQUAL_NEEDED = 3
LEAST_NEEDED, MOST_NEEDED = 1, 5


def comparative(own: int, opposing: int) -> int:
    """Return what a comparative test needs: one die at most this (B-1)."""
    return max(LEAST_NEEDED, min(MOST_NEEDED, EQUAL_NEEDED + own - opposing))


def is_killing(faces: Iterable[int], strength: int) -> bool:
    """Return whether all dice are at most the strength (B-2)."""
    return all(face <= strength for face in faces)


def nerve(board: CloseQuartersBoard, unit: Unit) -> int:
    """Return the number that a leadership test needs: nerve, one less for each marker after the first (B-3)."""
    return max(0, min(SIDES, board.profile(unit).nerve - max(0, unit.markers - 1)))


def leadership_dice(board: CloseQuartersBoard, unit: Unit) -> int:
    """Return the dice of a leadership test: one less without a leader, but at least one (B-3)."""
    printed = board.profile(unit).leadership
    return printed if living_leader(board, unit.id) is not None else max(1, printed - 1)


def snap_dice(weapon: RangedWeapon) -> int:
    """Return the dice of one model that snap-fires (B-8)."""
    return weapon.rate_of_fire if weapon.one_handed else max(1, weapon.rate_of_fire // 2)


def shot_needed(shooter: UnitProfile, target: UnitProfile) -> int:
    """Return what a shot needs to hit (B-8)."""
    return comparative(shooter.ballistic_skill, target.evasion)


def melee_needed(board: CloseQuartersBoard, model: Model, weapon: MeleeWeapon, touched: Iterable[Model]) -> int:
    """Return what a model needs to hit, against the highest weapon skill among the enemies it touches (B-10)."""
    enemies = list(touched)
    own = board.profile(board.units[model.unit]).weapon_skill + weapon.weapon_skill
    own += height_bonus(board, model, enemies)
    return comparative(own, max(board.profile(board.units[enemy.unit]).weapon_skill for enemy in enemies))


def height_bonus(board: CloseQuartersBoard, model: Model, enemies: Iterable[Model]) -> int:
    """Return what high ground adds to the weapon skill of a model: 1 above all enemies, -1 below all of them (B-28)."""
    if not board.high_ground:
        return 0
    own = is_on_high_ground(board, model)
    heights = {is_on_high_ground(board, enemy) for enemy in enemies}
    return 0 if own in heights or not heights else (1 if own else -1)


def save_needed(target: UnitProfile, armour_piercing: int) -> int:
    """Return what a save needs; 0 if there is none (B-12)."""
    return comparative(target.armour, armour_piercing) if target.armour else 0


def melee_weapons(board: CloseQuartersBoard, model: Model) -> list[MeleeWeapon]:
    """List the melee weapons that a model carries."""
    profile = board.profile(board.units[model.unit])
    return [board.melee_weapon(id) for id in (profile.leader_weapons if model.is_leader else profile.weapons)]


def melee_strength(board: CloseQuartersBoard, model: Model, weapon: MeleeWeapon) -> int:
    """Return the strength of a model's hits in melee (B-12)."""
    return board.profile(board.units[model.unit]).strength + weapon.strength
