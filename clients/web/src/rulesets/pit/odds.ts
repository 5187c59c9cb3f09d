// What attacks of the pit are likely to do: exact chances, as the engine rolls them.

import type { pit } from "../../protocol/types";
import type { Board, Fighter } from "./pit";

const SIDES = 20;
const SHIELD_BONUS = { shield: 4, tower_shield: 6 } as const;
const ARMOUR_BONUS = { light: 1, heavy: 2, fine: 3 } as const;
/** The first +1 turns a missing defence into 20. */
const DEFENCE_FROM_NOTHING = 21;
/** The least injury value that takes a fighter out. */
const LETHAL_VALUE = 18;
const FACES = Array.from({ length: SIDES }, (_, k) => k + 1);

/** Of one or two dice: the higher, the only one, or the lower is kept. */
type Mode = -1 | 0 | 1;

export interface Blow {
  /** The lowest faces that hit and that save; without a save, null. */
  readonly hitNeeded: number;
  readonly mode: Mode;
  readonly saveNeeded: number | null;
  readonly hit: number;
  readonly save: number;
  readonly injury: number;
}

export interface AttackOdds {
  /** That one hit or more is not saved. */
  readonly unsaved: number;
  /** That the target is taken out of the fight. */
  readonly out: number;
}

/** The lowest face that passes a check: a 1 never does, a 20 always. */
const lowestFace = (needed: number): number => Math.min(Math.max(needed, 2), SIDES);

/** The chance that the die kept shows exactly this face. */
function faceChance(face: number, mode: Mode): number {
  // The higher of two dice is at most f in f * f of 400 cases.
  const rank = mode < 0 ? SIDES + 1 - face : face;
  return mode === 0 ? 1 / SIDES : (2 * rank - 1) / SIDES ** 2;
}

function passChance(lowest: number, mode: Mode): number {
  const share = (SIDES + 1 - lowest) / SIDES;
  return mode === 0 ? share : mode > 0 ? 1 - (1 - share) ** 2 : share ** 2;
}

/** Return what one attack on a target needs. */
export function blowOf(board: Board, fighter: Fighter, target: Fighter, weaponId: string | undefined): Blow {
  const [own, other] = [board.profiles[fighter.profile], board.profiles[target.profile]];
  const weapon = board.weapons.find(({ id }) => id === weaponId);
  const isUnarmed = !own?.weapons?.length && !own?.natural_weapons;
  const mode = (Number(target.status === "dazed") - Number(fighter.status === "staggered" || isUnarmed)) as Mode;
  const hitNeeded = lowestFace(fighter.melee - (weapon?.melee ?? 0));
  const bonus = (other?.shield ? SHIELD_BONUS[other.shield] : 0) + (other?.armour ? ARMOUR_BONUS[other.armour] : 0);
  const defence = target.defence ?? (bonus ? DEFENCE_FROM_NOTHING : null);
  const saveNeeded = defence === null ? null : lowestFace(defence - bonus + fighter.pierce + (weapon?.pierce ?? 0));
  return {
    hitNeeded,
    mode,
    saveNeeded,
    hit: passChance(hitNeeded, mode),
    save: saveNeeded === null ? 0 : passChance(saveNeeded, target.status === "staggered" ? -1 : 0),
    injury: fighter.injury + (weapon?.injury ?? 0),
  };
}

/** Return what attacks on one target are likely to do, rolled together. */
export function attackOdds(
  board: Board,
  fighter: Fighter,
  target: Fighter,
  attacks: ReadonlyArray<pit.Attack>,
): AttackOdds {
  if (target.status === "stunned") return { unsaved: 1, out: 1 };
  // The chance of each number of unsaved hits, and of how many of these would take the target out.
  let totals = new Map<string, readonly [unsaved: number, lethal: number, chance: number]>([["0,0", [0, 0, 1]]]);
  for (const { weapon } of attacks) {
    const blow = blowOf(board, fighter, target, weapon);
    const next: typeof totals = new Map();
    for (const [unsaved, lethal, before] of totals.values()) {
      for (const [more, isLethal, chance] of outcomesOf(blow)) {
        const [hits, fatal] = [unsaved + more, lethal + (isLethal ? more : 0)];
        next.set(`${hits},${fatal}`, [hits, fatal, (next.get(`${hits},${fatal}`)?.[2] ?? 0) + before * chance]);
      }
    }
    totals = next;
  }
  const all = [...totals.values()];
  const unsaved = all.reduce((sum, [hits, , chance]) => sum + (hits ? chance : 0), 0);
  const out = all.reduce((sum, [hits, lethal, chance]) => sum + chance * keptChance(hits, lethal, target.wounds), 0);
  return { unsaved, out: target.status === "dazed" ? unsaved : out };
}

/** The unsaved hits of one attack, whether they would take the target out, and how likely that is. */
function* outcomesOf({
  hitNeeded,
  mode,
  hit,
  save,
  injury,
}: Blow): Generator<readonly [unsaved: number, isLethal: boolean, chance: number]> {
  yield [0, false, 1 - hit];
  for (const face of FACES.slice(hitNeeded - 1)) {
    const chance = faceChance(face, mode);
    const isLethal = face + injury >= LETHAL_VALUE;
    // a critical hit makes two saves.
    if (face === SIDES)
      yield* [
        [0, false, chance * save ** 2],
        [1, isLethal, chance * 2 * save * (1 - save)],
        [2, isLethal, chance * (1 - save) ** 2],
      ] as const;
    else
      yield* [
        [0, false, chance * save],
        [1, isLethal, chance * (1 - save)],
      ] as const;
  }
}

/** The chance that a lethal hit is left once all wounds but the last have taken hits at random. */
function keptChance(hits: number, lethal: number, wounds: number): number {
  if (hits < wounds || !lethal) return 0;
  let allDropped = 1;
  for (let k = 0; k < lethal; k += 1) allDropped *= Math.max(0, wounds - 1 - k) / (hits - k);
  return 1 - allDropped;
}
