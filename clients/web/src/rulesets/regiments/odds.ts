// What one attack of a unit of regiments is likely to do: exact chances, as the engine rolls them (C-1, C-6 to C-8, C-14).

import type { Board, Unit } from "./regiments";

const SIDES = 6;
/** What a wound needs, by strength less toughness; above 2 or more, below no die wounds (C-7). */
const WOUND_TABLE: Readonly<Record<number, number>> = { 1: 3, 0: 4, [-1]: 5, [-2]: 6, [-3]: 6 };
/** A save of 6 always fails (C-8), and strength above 3 pierces armour. */
const [WORST_SAVE, UNPIERCED_STRENGTH] = [5, 3];

export interface AttackOdds {
  /** The least face that hits; null for attacks that hit by themselves, on a unit that flees. */
  readonly hitNeeded: number | null;
  /** The least face that wounds; null if none does. */
  readonly woundNeeded: number | null;
  /** The highest face that saves; 0 if no die is rolled. */
  readonly saveNeeded: number;
  /** That one attack takes a wound. */
  readonly wound: number;
}

/** Return what one attack needs. `isCharging` adds strength, and attacks on a unit that flees hit by themselves. */
export function attackOdds(
  board: Board,
  unit: Unit,
  target: Unit,
  { isCharging = false, isHack = false }: { readonly isCharging?: boolean; readonly isHack?: boolean },
): AttackOdds {
  const [own, other] = [board.profiles[unit.profile], board.profiles[target.profile]];
  if (!own || !other) return { hitNeeded: null, woundNeeded: null, saveNeeded: 0, wound: 0 };
  const strength =
    own.strength + (board.weapons.find(({ id }) => id === (own.weapon ?? "hand"))?.strength ?? 0) + Number(isCharging);
  const excess = strength - other.toughness;
  const hitNeeded = isHack
    ? null
    : own.weapon_skill > other.weapon_skill
      ? 3
      : 2 * own.weapon_skill >= other.weapon_skill
        ? 4
        : 5;
  const woundNeeded = excess >= 2 ? 2 : (WOUND_TABLE[excess] ?? null);
  const saveNeeded = Math.max(0, Math.min(other.armour - Math.max(0, strength - UNPIERCED_STRENGTH), WORST_SAVE));
  const chanceOf = (needed: number | null) => (needed === null ? 1 : (SIDES + 1 - needed) / SIDES);
  return {
    hitNeeded,
    woundNeeded,
    saveNeeded,
    wound: woundNeeded === null ? 0 : chanceOf(hitNeeded) * chanceOf(woundNeeded) * (1 - saveNeeded / SIDES),
  };
}
