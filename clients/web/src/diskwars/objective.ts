// What an objective scores, and the order in which revealed cards are resolved, for the panel beside the table.

import type { BoardState, RecordBody } from "../core/match.js";
import { t } from "../messages";
import type { diskwars } from "../protocol/types";

export type ObjectivePart = diskwars.Scenario["objective"][number];

/** R20.2: what a quick set-up scores; no card of the match names it. */
export const QUICK_OBJECTIVE: ReadonlyArray<ObjectivePart> = [
  { type: "slay_units", cost: 1 }, { type: "slay_heroes", points: 5 }, { type: "hold_zones", points: 1 },
];

/** Return one sentence for a part of an objective. */
export function objectiveText(part: ObjectivePart): string {
  if (part.type === "slay_units") return t(part.cost === 1 ? "objective.slay_units.one" : "objective.slay_units", { cost: part.cost });
  return t(part.points === 1 ? `objective.${part.type}.one` : `objective.${part.type}`, { points: part.points });
}

/** Return the seats whose cards lie open, in order of resolution. A branch has no reveal of its own: there it is that of the players. */
export function orderOfCards({ sides, order }: BoardState, bodies: ReadonlyArray<RecordBody>, seq: number): ReadonlyArray<number> {
  const open = (seat: number) => Boolean(sides[seat]?.revealed_card);
  const revealed = revealedSeats(bodies, seq).filter(open);
  return revealed.length ? revealed : (order.length ? order : sides.map(({ seat }) => seat)).filter(open);
}

/** Return the seats whose cards the last reveal up to a record turned up, in order of resolution. */
export function revealedSeats(bodies: ReadonlyArray<RecordBody>, seq: number): ReadonlyArray<number> {
  for (let at = Math.min(seq, bodies.length) - 1; at >= 0; at -= 1) {
    for (const event of bodies[at]?.events ?? []) {
      if (event.type === "cards_revealed") return event.cards.map(({ seat }) => seat);
    }
  }
  return [];
}
