// How far a revealed card is resolved: from the open question where it says so, else from the records.

import type { Decision, RecordBody } from "../core/match.js";

export interface CardProgress {
  readonly done: number;
  readonly isOver: boolean;
}

/** Return how many activations of its revealed card a seat has begun, up to a record. */
export function cardProgress(bodies: ReadonlyArray<RecordBody>, seq: number, seat: number, total: number, decisions: ReadonlyArray<Decision>): CardProgress {
  const open = decisions.find((one) => one.seat === seat)?.question;
  let [done, hasBegun, isOver] = [0, false, false];
  const from = bodies.findLastIndex(({ events = [] }, place) => place < seq && events.some(({ type }) => type === "cards_revealed"));
  for (const event of from < 0 ? [] : bodies.slice(from, seq).flatMap(({ events = [] }) => events)) {
    if (event.type === "cards_revealed") [done, hasBegun, isOver] = [0, false, false];
    else if (event.type === "card_began") {
      isOver = hasBegun && event.seat !== seat;
      hasBegun ||= event.seat === seat;
    } else if (event.type === "activation_began" && event.seat === seat) done += 1;
    else if (event.type === "cards_discarded") isOver = true;
  }
  return { done: open?.type === "activation" ? total - open.activations_left : Math.min(total, done), isOver };
}
