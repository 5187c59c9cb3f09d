// The luck of each seat: what was rolled, what was to be expected, and how rarely chance alone does worse.

import { foldRecord, type BoardState, type MatchState, type RecordBody } from "../client/records/match.js";
import type { Draw, diskwars } from "../protocol/types";

export interface Roll {
  readonly kind: string;
  readonly seat: number;
  /** How many of the equally likely outcomes have each value; more is better. */
  readonly weights: ReadonlyArray<number>;
  readonly rolled: number;
}
export interface LuckLine {
  readonly seat: number;
  /** Empty for all rolls that could only fail or succeed. */
  readonly kind: string;
  readonly rolls: number;
  readonly expected: number;
  readonly rolled: number;
  /** From 0 to 1; one half is what chance gives on average, more is better luck. */
  readonly percentile: number;
}

export interface LuckCurve {
  readonly seat: number;
  readonly steps: ReadonlyArray<readonly [seq: number, more: number]>;
}
interface CountedRoll {
  readonly seq: number;
  readonly roll: Roll;
}

/** The rolls in an event, for a board on which owners can be looked up. `before` gives the board as the event found it. */
// The rulesets' boards and events meet here only.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type RollReader = (board: any, event: any, before: () => any) => Roll[];

/** Return the lines of every seat: all tests first, then each kind of roll. What was taken back does not count. */
export function luckReport(
  bodies: ReadonlyArray<RecordBody>,
  read: RollReader = rollsOf,
  boardAt: (seq: number) => BoardState | null = () => null,
): LuckLine[] {
  const rolls = countedRolls(bodies, read, boardAt).map(({ roll }) => roll);
  const lines: LuckLine[] = [];
  for (const seat of [...new Set(rolls.map((roll) => roll.seat))].sort((one, other) => one - other)) {
    const own = rolls.filter((roll) => roll.seat === seat);
    const tests = own.filter(({ weights }) => weights.length === 2);
    if (tests.length) lines.push(luckLine(seat, "", tests));
    for (const kind of [...new Set(own.map((roll) => roll.kind))].sort())
      lines.push(
        luckLine(
          seat,
          kind,
          own.filter((roll) => roll.kind === kind),
        ),
      );
  }
  return lines;
}

/** Return the curves of the seats that rolled tests: how many more succeeded than were to be expected, after each record. */
export function luckCurves(
  bodies: ReadonlyArray<RecordBody>,
  read: RollReader = rollsOf,
  boardAt: (seq: number) => BoardState | null = () => null,
): LuckCurve[] {
  const tests = countedRolls(bodies, read, boardAt).filter(({ roll }) => roll.weights.length === 2);
  return [...new Set(tests.map(({ roll }) => roll.seat))].sort().map((seat) => {
    let sum = 0;
    const steps = tests
      .filter(({ roll }) => roll.seat === seat)
      .map(({ seq, roll }) => [seq, (sum += roll.rolled - mean(roll.weights))] as const);
    return { seat, steps };
  });
}

export function luckLine(seat: number, kind: string, rolls: ReadonlyArray<Roll>): LuckLine {
  const rolled = rolls.reduce((sum, roll) => sum + roll.rolled, 0);
  const expected = rolls.reduce((sum, { weights }) => sum + mean(weights), 0);
  let chances = [1];
  for (const { weights } of rolls) chances = convolved(chances, weights);
  const below = chances.slice(0, rolled).reduce((sum, chance) => sum + chance, 0);
  return { seat, kind, rolls: rolls.length, expected, rolled, percentile: below + (chances[rolled] ?? 0) / 2 };
}

const total = (weights: ReadonlyArray<number>): number => weights.reduce((sum, weight) => sum + weight, 0);
const mean = (weights: ReadonlyArray<number>): number =>
  weights.reduce((sum, weight, value) => sum + value * weight, 0) / total(weights);

/** Return the distribution of the sum of what was before and of one more roll. */
function convolved(chances: ReadonlyArray<number>, weights: ReadonlyArray<number>): number[] {
  const found = new Array<number>(chances.length + weights.length - 1).fill(0);
  const all = total(weights);
  for (const [value, chance] of chances.entries()) {
    for (const [more, weight] of weights.entries())
      found[value + more] = (found[value + more] ?? 0) + (chance * weight) / all;
  }
  return found;
}

function countedRolls(
  bodies: ReadonlyArray<RecordBody>,
  read: RollReader,
  boardAt: (seq: number) => BoardState | null,
): CountedRoll[] {
  let found: CountedRoll[] = [];
  let match: MatchState | null = null;
  let board: BoardState | null = null;
  // Owners of disks never change, so that a fold without takebacks names them as well.
  for (const [place, body] of bodies.entries()) {
    const back = body.taken_back_to;
    if (back !== undefined) found = found.filter(({ seq }) => seq <= back);
    if (!board) {
      match = foldRecord(match, body);
      board = match.board;
    }
    for (const event of body.events ?? [])
      for (const roll of read(board, event, () => boardAt(place) ?? board)) found.push({ seq: place + 1, roll });
  }
  return found;
}

function rollsOf(board: BoardState | null, event: diskwars.Event): Roll[] {
  const seatOf = (disk: number) => board?.disks[disk]?.seat ?? 0;
  switch (event.type) {
    case "initiative_rolled":
      return event.rolls.map(({ seat, face }) => faceRoll("initiative", seat, face, event.dice.size));
    case "shot_fired": {
      const seat = seatOf(event.attack.shooter);
      return [
        ...against("ranged_attack", seat, event.dice, event.needed),
        ...amounts("strength", seat, event.strength_dice),
      ];
    }
    case "shot_scattered": {
      if (event.disk === undefined) return [];
      const shooter = seatOf(event.attack.shooter);
      return seatOf(event.disk) === shooter
        ? spared("scatter", shooter, event.dice, event.needed)
        : against("scatter", shooter, event.dice, event.needed);
    }
    case "ability_used":
      return [
        ...amountsOrAgainst("ability", event.seat, event.dice, event.needed),
        ...spared("no_backfire", event.seat, event.unstable_dice, event.backfiring),
      ];
    case "impact_rolled":
      return amounts("impact", seatOf(event.disk), event.dice);
    case "guard_rolled":
      return amounts("guard", seatOf(event.disk), event.dice);
    case "danger_rolled": {
      const size = event.dice.size;
      return [
        {
          kind: "danger_spared",
          seat: seatOf(event.disk),
          weights: new Array<number>(size).fill(1),
          rolled: size - (event.dice.results[0] ?? size),
        },
      ];
    }
    case "trigger_resolved":
      return amountsOrAgainst("engage_ability", seatOf(event.trigger.disk), event.dice, event.needed);
    default:
      return [];
  }
}

type Faces = ReadonlyArray<number> | undefined;

export const faceRoll = (kind: string, seat: number, face: number, sides: number): Roll => ({
  kind,
  seat,
  weights: [0, ...new Array<number>(sides).fill(1)],
  rolled: face,
});
export const test = (kind: string, seat: number, favourable: number, outcomes: number, isPassed: boolean): Roll => ({
  kind,
  seat,
  weights: [outcomes - favourable, favourable],
  rolled: isPassed ? 1 : 0,
});
const against = (kind: string, seat: number, dice: Draw | undefined, needed: Faces): Roll[] =>
  (dice?.results ?? []).map((face) =>
    test(kind, seat, new Set(needed).size, dice?.size ?? 6, needed?.includes(face) ?? false),
  );
const spared = (kind: string, seat: number, dice: Draw | undefined, unwanted: Faces): Roll[] =>
  (dice?.results ?? []).map((face) =>
    test(kind, seat, (dice?.size ?? 6) - new Set(unwanted).size, dice?.size ?? 6, !unwanted?.includes(face)),
  );
const amounts = (kind: string, seat: number, dice: Draw | undefined): Roll[] =>
  (dice?.results ?? []).map((face) => faceRoll(kind, seat, face, dice?.size ?? 6));
const amountsOrAgainst = (kind: string, seat: number, dice: Draw | undefined, needed: Faces): Roll[] =>
  needed?.length ? against(kind, seat, dice, needed) : amounts(`${kind}_amount`, seat, dice);
