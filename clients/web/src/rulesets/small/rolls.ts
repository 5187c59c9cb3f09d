// Rolls of the luck report that the small games have in common.

import type { Draw } from "../../protocol/types";
import { faceRoll, test, type Roll } from "../../replay/luck";

/** Of the dice of close quarters (B-2) and of regiments. */
export const D6 = 6;

export type Seated = { readonly seat: number };

export const ordered = (kind: string, seats: ReadonlyArray<number>, dice: Draw): Roll[] =>
  dice.results.map((face, place) => faceRoll(kind, seats[place] ?? 0, face, dice.size));
const clamped = (count: number, size: number): number => Math.max(0, Math.min(size, count));
export const lowRolls = (
  kind: string,
  seat: number,
  faces: ReadonlyArray<number>,
  size: number,
  needed: number,
): Roll[] => faces.map((face) => test(kind, seat, clamped(needed, size), size, face <= needed));
export const highRolls = (kind: string, seat: number, face: number | undefined, needed: number | undefined): Roll[] =>
  face === undefined || needed === undefined ? [] : [test(kind, seat, D6 + 1 - needed, D6, face >= needed)];

/** A test whose dice have to add up to at most the number that is needed. */
export function sumTest(kind: string, seat: number, dice: Draw, needed: number, isPassed: boolean): Roll {
  let ways = [1];
  for (const _ of dice.results)
    ways = Array.from({ length: ways.length + dice.size }, (_, sum) =>
      ways.slice(Math.max(0, sum - dice.size), sum).reduce((all, one) => all + one, 0),
    );
  return test(
    kind,
    seat,
    ways.slice(0, needed + 1).reduce((all, one) => all + one, 0),
    dice.size ** dice.results.length,
    isPassed,
  );
}
