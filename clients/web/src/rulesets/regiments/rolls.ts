// The rolls in the events of regiments, for the luck report: as the Python module `rolls` of the ruleset counts them.

import type { regiments } from "../../protocol/types";
import { test, type Roll } from "../../replay/luck";
import { D6, highRolls, lowRolls, ordered, sumTest, type Seated } from "../small/rolls";

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
