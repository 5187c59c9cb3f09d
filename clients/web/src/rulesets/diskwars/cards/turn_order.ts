// The revealed cards of a turn in their order of resolution, and how far each is resolved. Order and progress follow from the board:
// a branch has the cards of a turn whose reveal is in another match.

import type { BoardState, RecordBody } from "../../../client/records/match.js";
import { goesBefore } from "./reveal";

export interface CardTurn {
  readonly seat: number;
  readonly state: "over" | "now" | "next";
  /** Activations that have begun; null where a branch began in the middle of one, for only the server knows how many came before it. */
  readonly done: number | null;
}

/** Return the seats whose cards lie open, in the order in which they are resolved after a record. */
export function cardTurns(board: BoardState, bodies: ReadonlyArray<RecordBody>, seq: number): ReadonlyArray<CardTurn> {
  const order = revealedSeats(board, bodies, seq) ?? resolutionOrder(board);
  const now = board.active_seat === null ? -1 : order.indexOf(board.active_seat);
  return order.flatMap<CardTurn>((seat, place) => {
    const card = cardOf(board, seat);
    if (!card) return []; // an eliminated seat has lost its card, and keeps its place in the order of the others
    if (place < now) return { seat, state: "over", done: card.activations };
    return place > now
      ? { seat, state: "next", done: 0 }
      : { seat, state: "now", done: activationsBegun(bodies.slice(0, seq), seat, card.activations) };
  });
}

/**
 * Return the seats with an open card in the order in which these are resolved (R7.17 to R7.21). Where the first player was eliminated
 * in this turn, the order may differ from that of the reveal, for the card that all others were compared with is lost.
 */
export function resolutionOrder(board: BoardState): ReadonlyArray<number> {
  const seats = board.order.filter((seat) => cardOf(board, seat));
  const first = board.order.find((seat) => !board.sides[seat]?.eliminated);
  const lead = first === undefined ? undefined : cardOf(board, first)?.strategy;
  const quick = [...new Set(seats.flatMap((seat) => cardOf(board, seat)?.strategy ?? []))].filter(
    (strategy) => strategy !== "slow",
  );
  // All three strategies form a circle with no first one: then initiative order stands (R7.21).
  const pivot =
    lead && lead !== "slow"
      ? lead
      : quick.length === 2
        ? quick.find((one) => quick.every((other) => goesBefore(one, other) !== false))
        : undefined;
  const rank = (seat: number) => {
    const strategy = cardOf(board, seat)?.strategy;
    if (strategy === undefined || strategy === "slow") return 3;
    return pivot === undefined || strategy === pivot ? 1 : goesBefore(strategy, pivot) ? 0 : 2;
  };
  return [...seats].sort((one, other) => rank(one) - rank(other));
}

function cardOf({ sides, cards }: BoardState, seat: number): BoardState["cards"][number] | undefined {
  const id = sides[seat]?.revealed_card;
  return id ? cards.find((card) => card.id === id) : undefined;
}

/** Return the seats of the last reveal of exactly these cards, eliminated ones among them; null where no record holds it. */
function revealedSeats(
  { sides }: BoardState,
  bodies: ReadonlyArray<RecordBody>,
  seq: number,
): ReadonlyArray<number> | null {
  for (let at = Math.min(seq, bodies.length) - 1; at >= 0; at -= 1) {
    for (const event of bodies[at]?.events ?? []) {
      if (event.type !== "cards_revealed") continue;
      const shown = new Map(event.cards.map(({ seat, card }) => [seat, card]));
      return sides.every(({ seat, revealed_card }) => !revealed_card || shown.get(seat) === revealed_card)
        ? [...shown.keys()]
        : null;
    }
  }
  return null;
}

/** Return how many activations of its card a seat has begun: by the last question for one, and the records since. */
function activationsBegun(bodies: ReadonlyArray<RecordBody>, seat: number, total: number): number | null {
  let done: number | null = null;
  const from = bodies.findLastIndex(({ events = [] }) =>
    events.some((event) => event.type === "card_began" && event.seat === seat),
  );
  for (const { events = [], decisions = [] } of bodies.slice(Math.max(0, from))) {
    for (const event of events) {
      if (event.type === "card_began" && event.seat === seat) done = 0;
      else if (event.type === "activation_began" && event.seat === seat && done !== null)
        done = Math.min(total, done + 1);
    }
    const question = decisions.find((open) => open.seat === seat)?.question;
    if (question?.type === "activation") done = total - question.activations_left;
  }
  return done;
}
