// The rolls in the events of close quarters, for the luck report: as the Python module `rolls` of the ruleset counts them.

import type { Draw, close_quarters } from "../../protocol/types";
import { test, type Roll } from "../../replay/luck";
import { D6, lowRolls, ordered, type Seated } from "../small/rolls";

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
