// The state of a match: the fold of its records. docs/match-state.md, "Records" and "Match".

import { isSealed } from "./records.mjs";
import { foldBoard, fullBoard, plainBoard } from "./board.mjs";

const emptySeat = () => ({
  player: "",
  loadout: null,
  chain: { head: "", new_head: "", new_from: 0 },
  ready: false,
  seat_nonce: null,
  resigned: false,
});

const MATCH_FOLDS = {
  seat_taken(match, event) {
    const fields = Object.entries(event.loadout).map(([name, value]) => [name, isSealed(value) ? { "#": "" } : value]);
    const seat = { ...emptySeat(), player: event.player, loadout: Object.fromEntries(fields) };
    seat.chain.head = event.chain_head;
    match.seats[event.seat] = seat;
  },
  seat_nonce_opened(match, event) {
    match.seats[event.seat].seat_nonce = isSealed(event.seat_nonce) ? null : event.seat_nonce;
  },
  seat_ready(match, event) {
    match.seats[event.seat].ready = true;
  },
  step_began(match, event) {
    match.step = event.step;
    match.draw_index = 0;
    match.anchor = event.server_link;
    match.seat_nonces.push(event.seat_nonces);
    for (const [number, seat] of match.seats.entries()) {
      seat.seat_nonce = null;
      if (!event.missing?.includes(number)) seat.chain.head = event.seat_nonces[number];
      if (seat.chain.new_head && event.step + 1 >= seat.chain.new_from) {
        seat.chain = { head: seat.chain.new_head, new_head: "", new_from: 0 };
      }
    }
  },
  chain_replaced(match, event) {
    Object.assign(match.seats[event.seat].chain, { new_head: event.chain_head, new_from: event.from_step });
  },
  seat_resigned(match, event) {
    match.seats[event.seat].resigned = true;
  },
  match_ended(match, event) {
    match.anchor = event.server_link;
    match.deal_secret = event.deal_secret;
  },
};

function openMatch(event) {
  return {
    id: event.match,
    ruleset: event.ruleset,
    settings: event.settings,
    seats: Array.from({ length: event.seats }, emptySeat),
    anchor: event.anchor,
    deal_commitment: event.deal_commitment,
    at_ms: 0,
    rules: event.rules,
    repeatable: event.repeatable ?? false,
    packs: event.packs ?? [],
    options: event.options,
    status: "open",
    step: 0,
    draw_index: 0,
    seat_nonces: [],
    decisions: [],
    result: null,
    deal_secret: "",
    board: null,
  };
}

/** Fold one event into a match, which is changed; the first one makes it. */
export function foldEvent(match, event) {
  if (isSealed(event)) return match;
  if (event.type === "match_opened") return openMatch(event);
  if (match === null) throw new Error("a match begins with match_opened");
  if (Object.hasOwn(MATCH_FOLDS, event.type)) MATCH_FOLDS[event.type](match, event);
  else match.board = foldBoard(match.board, event);
  return match;
}

/** Take up what a record says beside its events. */
export function closeRecord(match, body) {
  if (body.draw_index !== undefined) match.draw_index = body.draw_index;
  if (body.rules !== undefined) match.rules = body.rules;
  match.at_ms = body.at_ms;
  if (body.result !== undefined) {
    match.result = body.result;
    match.status = "ended";
    match.decisions = [];
  } else {
    match.decisions = body.decisions ?? match.decisions;
    if (match.board) match.status = "running";
  }
  if (body.cursor !== undefined && match.board) match.board.cursor = body.cursor;
  return match;
}

export function foldRecord(match, body) {
  for (const event of body.events ?? []) match = foldEvent(match, event);
  return closeRecord(match, body);
}

const FAIRNESS_EVENTS = ["seat_nonce_opened", "step_began", "chain_replaced"];

/** Fold a whole log, without what was taken back. */
export function foldLog(bodies) {
  let kept = [];
  for (const [place, body] of bodies.entries()) {
    const to = body.taken_back_to ?? 0;
    if (to) {
      kept = kept.map(({ seq, body: before }) =>
        seq <= to ? { seq, body: before } : { seq, body: fairnessOf(before) });
    }
    kept.push({ seq: place + 1, body });
  }
  return kept.reduce((match, { body }) => foldRecord(match, body), null);
}

function fairnessOf({ at_ms, rules, events = [] }) {
  return { at_ms, rules, events: events.filter((event) => FAIRNESS_EVENTS.includes(event.type)) };
}

/** The state as JSON, with its defaults left out where the page says so. */
export const plainMatch = (match) => ({ ...match, board: match.board && plainBoard(match.board) });

/** The other way round: the state that such JSON stands for. */
export const fullMatch = (plain) => ({ ...plain, board: plain.board && fullBoard(plain.board) });
