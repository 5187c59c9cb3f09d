// What fire and melee of close quarters are likely to do: exact chances, as the engine rolls them (B-1 to B-3, B-8, B-10, B-12).

import type { close_quarters } from "../../protocol/types";
import { isStanding, modelsOf, profileOf, type Board, type Model } from "./board";

const SIDES = 6;
const [EQUAL_NEEDED, LEAST_NEEDED, MOST_NEEDED] = [3, 1, 5];
/** Of two centres whose bases touch; points are whole hundredths of an inch, so that contact needs a tolerance. */
const CONTACT_SQUARED = 104 ** 2;
/** Of a base and the barricade, and of two bases that engage each other across it (B-26). */
const [TOUCH_SQUARED, ACROSS_SQUARED] = [56 ** 2, 200 ** 2];
const [INCH, BASE, COMBAT_RANGE] = [100, 100, 6];

export interface AttackOdds {
  readonly dice: number;
  /** A die of at most this hits; one of at most `saveNeeded` saves. Null where what is hit depends on how hits are dealt. */
  readonly hitNeeded: number;
  readonly saveNeeded: number | null;
  /** That a hit which is not saved kills. */
  readonly kill: number | null;
  /** That one die or more hits. */
  readonly anyHit: number;
  readonly hits: number;
  /** That one model or more falls. */
  readonly anyFalls: number | null;
}

const comparative = (own: number, opposing: number): number =>
  Math.max(LEAST_NEEDED, Math.min(MOST_NEEDED, EQUAL_NEEDED + own - opposing));
const squared = (one: Model, other: Model): number => (one.x - other.x) ** 2 + (one.y - other.y) ** 2;
const isWithin = (one: Model, other: Model, inches: number): boolean =>
  squared(one, other) <= (INCH * inches + BASE) ** 2;
const sideOf = (board: Board, model: Model) => board.units[model.unit]?.side;

function oddsOf(
  dice: number,
  hitNeeded: number,
  strength: number,
  piercing: number,
  targets: ReadonlyArray<close_quarters.UnitProfile>,
): AttackOdds {
  const hit = hitNeeded / SIDES;
  const all = targets.map((target) => ({
    saveNeeded: target.armour ? comparative(target.armour, piercing) : 0,
    kill: (Math.max(0, Math.min(SIDES, strength)) / SIDES) ** target.toughness,
  }));
  const [first] = all;
  const same =
    first && all.every((one) => one.saveNeeded === first.saveNeeded && one.kill === first.kill) ? first : null;
  return {
    dice,
    hitNeeded,
    saveNeeded: same?.saveNeeded ?? null,
    kill: same?.kill ?? null,
    anyHit: 1 - (1 - hit) ** dice,
    hits: dice * hit,
    anyFalls: same ? 1 - (1 - hit * (1 - same.saveNeeded / SIDES) * same.kill) ** dice : null,
  };
}

/** Return what snap-fire of some models of a unit at another unit is likely to do (B-8); null for a unit without a ranged weapon. */
export function fireOdds(board: Board, unit: number, target: number, models: number): AttackOdds | null {
  const [own, other] = [profileOf(board, unit), profileOf(board, target)];
  const weapon = board.ranged_weapons.find(({ id }) => id === own.ranged_weapon);
  if (!weapon) return null;
  const each = weapon.one_handed ? weapon.rate_of_fire : Math.max(1, Math.floor(weapon.rate_of_fire / 2));
  return oddsOf(
    models * each,
    comparative(own.ballistic_skill, other.evasion),
    weapon.strength,
    weapon.armour_piercing,
    [other],
  );
}

/** Return how many models of a unit fire before the combat at an attacking unit: those in range of one of its models (B-7, B-8). */
export function defensiveFirers(board: Board, unit: number, target: number): number {
  const inches = board.combat?.units.includes(unit) ? COMBAT_RANGE : profileOf(board, unit).awareness_inches;
  const aimed = modelsOf(board, target);
  return modelsOf(board, unit).filter((one) => aimed.some((other) => isWithin(one, other, inches))).length;
}

/** Return the chance that a unit passes the leadership test without which it does not fire (B-3, B-7). */
export function leadershipChance(board: Board, id: number): number {
  const [unit, profile] = [board.units[id], profileOf(board, id)];
  if (!unit?.markers) return 1;
  const needed = Math.max(0, Math.min(SIDES, profile.nerve - (unit.markers - 1)));
  const dice = modelsOf(board, id).some(({ is_leader }) => is_leader)
    ? profile.leadership
    : Math.max(1, profile.leadership - 1);
  return 1 - (1 - needed / SIDES) ** dice;
}

/** Return what one model is likely to do in melee with a weapon, against the enemies that it touches (B-10); null if it touches none. */
export function meleeOdds(board: Board, model: Model, weaponId: string): AttackOdds | null {
  const own = profileOf(board, model.unit);
  const weapon = board.melee_weapons.find(({ id }) => id === weaponId);
  const touching = touched(board, model);
  const enemies = touching.map(({ unit }) => profileOf(board, unit));
  if (!weapon || !enemies.length) return null;
  const needed = comparative(
    own.weapon_skill + (weapon.weapon_skill ?? 0) + heightBonus(board, model, touching),
    Math.max(...enemies.map(({ weapon_skill: skill }) => skill)),
  );
  return oddsOf(weapon.attacks, needed, own.strength + (weapon.strength ?? 0), weapon.armour_piercing, enemies);
}

/** Return what high ground adds to the weapon skill of a model: 1 above all that it touches, -1 below all (B-28). */
function heightBonus({ high_ground: hills = [] }: Board, model: Model, touching: ReadonlyArray<Model>): number {
  const isHigh = ({ x, y }: Model) => hills.some(({ x0, y0, x1, y1 }) => x0 <= x && x <= x1 && y0 <= y && y <= y1);
  const own = isHigh(model);
  return touching.some((one) => isHigh(one) === own) ? 0 : own ? 1 : -1;
}

/** List the enemies in contact with a model; units that fell back take no part (B-17). */
export function touched(board: Board, model: Model): Model[] {
  return board.models.filter(
    (one) =>
      isStanding(one) &&
      sideOf(board, one) !== sideOf(board, model) &&
      !board.units[one.unit]?.has_fallen_back &&
      isInContact(board, one, model),
  );
}

function isInContact({ barricade }: Board, one: Model, other: Model): boolean {
  if (squared(one, other) <= CONTACT_SQUARED) return true;
  return (
    barricade !== null &&
    squared(one, other) <= ACROSS_SQUARED &&
    sideways(barricade, one) * sideways(barricade, other) < 0 &&
    touches(barricade, one) &&
    touches(barricade, other)
  );
}

/** On which side of the barricade a point lies, and how far: in hundredths of an inch times its length. */
const sideways = ({ x0, y0, x1, y1 }: close_quarters.Barricade, { x, y }: Model): number =>
  (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0);

function touches(barricade: close_quarters.Barricade, point: Model): boolean {
  const { x0, y0, x1, y1 } = barricade;
  const length = (x1 - x0) ** 2 + (y1 - y0) ** 2;
  const along = (point.x - x0) * (x1 - x0) + (point.y - y0) * (y1 - y0);
  if (along <= 0) return (point.x - x0) ** 2 + (point.y - y0) ** 2 <= TOUCH_SQUARED;
  if (along >= length) return (point.x - x1) ** 2 + (point.y - y1) ** 2 <= TOUCH_SQUARED;
  return sideways(barricade, point) ** 2 <= TOUCH_SQUARED * length;
}
