// The rolls in the events of the pit, for the luck report: as the Python module `rolls` of the ruleset counts them.

import type { pit } from "../../protocol/types";
import { test, type Roll } from "../../replay/luck";
import { lowRolls, ordered, type Seated } from "../small/rolls";

/** Of the dice of the pit. */
const D20 = 20;

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
