// The rolls in the events of the smaller games, for the luck report: as the Python module `rolls` of each ruleset counts them.

import type { Draw, close_quarters, pit, regiments } from "../../protocol/types";
import { faceRoll, test, type Roll } from "../../replay/luck";

/** Of the dice of the pit, of close quarters (B-2) and of regiments. */
const [D20, D6] = [20, 6];

type Seated = { readonly seat: number };
type PitBoard = {
  readonly fighters: ReadonlyArray<Seated & { readonly profile: number; readonly status: string }>;
  readonly profiles: ReadonlyArray<pit.FighterProfile>;
};

/** Read the rolls of the pit; `before` is the table as the event found it, which decides where two equal dice do not. */
export function pitRolls(board: PitBoard, event: pit.Event, before: () => PitBoard): Roll[] {
  const seatOf = (fighter: number) => board.fighters[fighter]?.seat ?? 0;
  switch (event.type) {
    case "turn_order_rolled":
      return ordered("turn_order", event.seats, event.dice);
    case "agility_rolled":
      return ordered("agility", event.fighters.map(seatOf), event.dice);
    case "morale_checked":
      return event.dice === undefined || event.needed === undefined
        ? []
        : [check("morale", event.seat, 0, event.needed, 0, event.passed)];
    case "melee_rolled":
      return checks("melee", seatOf(event.fighter), event.checks, () =>
        meleeMode(before(), event.fighter, event.target),
      );
    case "defence_rolled":
      // two dice in defence are always a Disadvantage.
      return checks("defence", seatOf(event.target), event.checks ?? [], () => -1);
    case "fighter_improved":
      return event.dice === undefined || event.needed === undefined
        ? []
        : lowRolls("improvement", seatOf(event.fighter), event.dice.results, event.dice.size, event.needed);
    default:
      return [];
  }
}

/** Advantage against a dazed target; Disadvantage while staggered or without a weapon. */
function meleeMode(board: PitBoard, fighter: number, target: number): number {
  const own = board.fighters[fighter];
  const profile = board.profiles[own?.profile ?? 0];
  const isUnarmed = !profile?.weapons?.length && !profile?.natural_weapons;
  return Number(board.fighters[target]?.status === "dazed") - Number(own?.status === "staggered" || isUnarmed);
}

function checks(kind: string, seat: number, all: ReadonlyArray<pit.Check>, otherwise: () => number): Roll[] {
  const telling = all.find(({ faces }) => faces.length === 1 || faces[0] !== faces[1]);
  const mode =
    telling === undefined
      ? otherwise()
      : telling.faces.length === 1
        ? 0
        : telling.kept === Math.max(...telling.faces)
          ? 1
          : -1;
  return all.map(({ modifier, needed, passed }) => check(kind, seat, modifier ?? 0, needed, mode, passed));
}

/** A natural 20 passes and a natural 1 fails with any modifier; of two dice the better or the worse counts. */
function check(kind: string, seat: number, modifier: number, needed: number, mode: number, isPassed: boolean): Roll {
  const winning = Math.min(D20 - 1, Math.max(1, D20 + 1 - needed + modifier));
  if (mode === 0) return test(kind, seat, winning, D20, isPassed);
  return test(kind, seat, mode > 0 ? D20 ** 2 - (D20 - winning) ** 2 : winning ** 2, D20 ** 2, isPassed);
}

type CloseQuartersBoard = {
  readonly units: ReadonlyArray<Seated>;
  readonly models: ReadonlyArray<{ readonly unit: number }>;
  readonly sides: ReadonlyArray<ReadonlyArray<number>>;
};

/** Read the rolls of close quarters. Those that decide who picks casualties are left out: who gains depends on both. */
export function closeQuartersRolls(board: CloseQuartersBoard, event: close_quarters.Event): Roll[] {
  const seatOf = (unit: number) => board.units[unit]?.seat ?? 0;
  switch (event.type) {
    case "turn_order_rolled":
      // The first seat of a side rolls for it.
      return ordered(
        "first_turn",
        event.sides.map((side) => board.sides[side]?.[0] ?? 0),
        event.dice,
      );
    case "leadership_tested": {
      const dice = event.dice.results.length;
      // B-3: one die of them that is low enough is enough.
      return [
        test("leadership", seatOf(event.unit), D6 ** dice - (D6 - event.needed) ** dice, D6 ** dice, event.passed),
      ];
    }
    case "shots_fired":
      return volleys("shooting", seatOf(event.unit), event.volleys ?? [], event.dice);
    case "melee_rolled":
      return volleys("melee", seatOf(event.unit), event.assaults, event.dice);
    case "saves_rolled":
      return (event.dice?.results ?? []).flatMap((face, place) =>
        lowRolls("save", seatOf(event.unit), [face], D6, event.needed[place] ?? 0),
      );
    case "kills_rolled":
      // B-2: all dice of a hit have to be at most its strength.
      return event.dice === undefined
        ? []
        : event.hits.map(({ model, strength }, place) => {
            const favourable = Math.max(0, Math.min(D6, strength)) ** event.toughness;
            return test(
              "kill",
              seatOf(board.models[model]?.unit ?? 0),
              favourable,
              D6 ** event.toughness,
              event.killing.includes(place),
            );
          });
    default:
      return [];
  }
}

/** The dice of several models, each of which needs its own number. */
function volleys(
  kind: string,
  seat: number,
  all: ReadonlyArray<close_quarters.Assault | close_quarters.Volley>,
  dice: Draw | undefined,
): Roll[] {
  let first = 0;
  return all.flatMap(({ dice_count, needed }) =>
    lowRolls(kind, seat, (dice?.results ?? []).slice(first, (first += dice_count)), D6, needed),
  );
}

type RegimentsBoard = { readonly units: ReadonlyArray<Seated> };

/** Read the rolls of regiments: attacks die by die, tests of leadership, pursuits, and who acts first. */
export function regimentsRolls(board: RegimentsBoard, event: regiments.Event): Roll[] {
  const seatOf = (unit: number) => board.units[unit]?.seat ?? 0;
  switch (event.type) {
    case "speed_rolled":
      return ordered("speed", event.units.map(seatOf), event.dice);
    case "flank_tested":
    case "break_tested":
    case "rout_tested":
    case "rally_tested":
      return [sumTest("leadership", seatOf(event.unit), event.dice, event.needed, event.passed)];
    case "attacks_rolled":
    case "hacks_rolled":
      return event.attacks.flatMap((attack) => {
        const needs = event.needs.find(({ target }) => target === attack.target);
        return [
          ...highRolls("hit", seatOf(event.unit), attack.hit, needs?.hit),
          ...highRolls("wound", seatOf(event.unit), attack.wound, needs?.wound),
          ...(attack.save === undefined
            ? []
            : lowRolls("save", seatOf(attack.target), [attack.save], D6, needs?.save ?? 0)),
        ];
      });
    case "pursuit_rolled":
      return [pursuit(seatOf(event.unit), event)];
    default:
      return [];
  }
}

/** A pursuit is a test of the pursuer, by all pairs of its die and that of the unit that flees (C-15). */
function pursuit(seat: number, event: regiments.PursuitRolled): Roll {
  const [own = 0, other = 0] = event.dice.results;
  const ahead = event.flight - other - (event.pursuit - own);
  const faces = Array.from({ length: D6 }, (_, place) => place + 1);
  const favourable = faces.reduce((sum, face) => sum + faces.filter((fled) => face >= fled + ahead).length, 0);
  return test("pursuit", seat, favourable, D6 ** 2, event.caught);
}

// ---------------------------------------------------------------- dice

const ordered = (kind: string, seats: ReadonlyArray<number>, dice: Draw): Roll[] =>
  dice.results.map((face, place) => faceRoll(kind, seats[place] ?? 0, face, dice.size));
const clamped = (count: number, size: number): number => Math.max(0, Math.min(size, count));
const lowRolls = (kind: string, seat: number, faces: ReadonlyArray<number>, size: number, needed: number): Roll[] =>
  faces.map((face) => test(kind, seat, clamped(needed, size), size, face <= needed));
const highRolls = (kind: string, seat: number, face: number | undefined, needed: number | undefined): Roll[] =>
  face === undefined || needed === undefined ? [] : [test(kind, seat, D6 + 1 - needed, D6, face >= needed)];

/** A test whose dice have to add up to at most the number that is needed. */
function sumTest(kind: string, seat: number, dice: Draw, needed: number, isPassed: boolean): Roll {
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
