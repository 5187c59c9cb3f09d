// The state of a match: the fold of its records. docs/match-state.md, "Records" and "Match".

import { isSealed } from "./records.mjs";
import { foldBoard, fullBoard, plainBoard, withDefaults, withoutDefaults } from "./board.mjs";

const CHAIN = { new_head: null, new_from: null };
const SEAT = { player: null, loadout: null, chain: null, ready: false, seat_nonce: null, resigned: false };
const MATCH = {
  at_ms: 0, rules_version: 0, repeatable: false, packs: [], status: "open", step: 0, draw_index: 0, seat_nonces: [],
  decisions: [], result: null, deal_secret: null, board: null,
};

const MATCH_FOLDS = {
  seat_taken(match, event) {
    const fields = Object.entries(event.loadout).map(([name, value]) => [name, isSealed(value) ? { "#": "" } : value]);
    const chain = { head: event.chain_head, ...CHAIN };
    match.seats[event.seat] = { ...SEAT, player: event.player, loadout: Object.fromEntries(fields), chain };
  },
  seat_nonce_opened(match, event) {
    match.seats[event.seat].seat_nonce = isSealed(event.seat_nonce) ? { "#": "" } : event.seat_nonce;
  },
  seat_ready(match, event) {
    match.seats[event.seat].ready = true;
  },
  step_began(match, event) {
    match.step = event.step;
    match.draw_index = 0;
    match.server_link = event.server_link;
    const nonces = event.seat_nonces ?? []; // none: no seat was asked
    match.seat_nonces.push(nonces);
    for (const [number, seat] of match.seats.entries()) {
      seat.seat_nonce = null;
      if (nonces.length && !event.missing?.includes(number)) seat.chain.head = nonces[number];
      if (seat.chain.new_head && event.step + 1 >= seat.chain.new_from) {
        seat.chain = { head: seat.chain.new_head, ...CHAIN };
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
    match.server_link = event.server_link;
    match.deal_secret = event.deal_secret;
  },
};

function openMatch(event) {
  return {
    match: event.match,
    ruleset: event.ruleset,
    settings: event.settings,
    seats: Array.from({ length: event.seat_count }, () => ({ ...SEAT })),
    server_link: event.anchor,
    deal_commitment: event.deal_commitment,
    match_options: event.match_options,
    ...structuredClone(MATCH),
    rules_version: event.rules_version,
    repeatable: event.repeatable ?? false,
    packs: event.packs ?? [],
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
  if (body.rules_version !== undefined) match.rules_version = body.rules_version;
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

/** The records that still count, with their numbers; throws where a takeback goes to one that does not. */
export function withoutTakebacks(bodies) {
  let kept = [];
  const undone = new Set();
  for (const [place, body] of bodies.entries()) {
    const to = body.taken_back_to ?? 0;
    if (to) {
      if (to < 1 || to > place || undone.has(to)) throw new Error(`record ${place + 1} takes back to record ${to}`);
      if (!opensItsDecisions(place + 1, body)) throw new Error(`record ${place + 1} does not open its decisions`);
      for (let seq = to + 1; seq <= place; seq += 1) undone.add(seq);
      kept = kept.map(({ seq, body: before }) =>
        seq <= to ? { seq, body: before } : { seq, body: fairnessOf(before) });
    }
    kept.push({ seq: place + 1, body });
  }
  return { kept, undone };
}

/** Whether the decisions after a takeback were opened by it. */
export const opensItsDecisions = (seq, { decisions }) =>
  decisions !== undefined && decisions.every(({ id }, slot) => id === `${seq}.${slot}`);

/** Fold a whole log, without what was taken back. */
export function foldLog(bodies) {
  return withoutTakebacks(bodies).kept.reduce((match, { body }) => foldRecord(match, body), null);
}

function fairnessOf({ at_ms, rules_version, events = [] }) {
  return { at_ms, rules_version, events: events.filter((event) => FAIRNESS_EVENTS.includes(event.type)) };
}

/** The state as JSON, with its defaults left out. */
export const plainMatch = (match) =>
  withoutDefaults({
    ...match,
    seats: match.seats.map((seat) => withoutDefaults({ ...seat, chain: seat.chain && withoutDefaults(seat.chain, CHAIN) }, SEAT)),
    board: match.board && plainBoard(match.board),
  }, MATCH);

/** The other way round: the state that such JSON stands for. */
export const fullMatch = (plain) => ({
  ...withDefaults(plain, MATCH, ["match", "ruleset", "settings", "seats", "server_link", "deal_commitment", "match_options"]),
  seats: plain.seats.map((seat) => withDefaults({ ...seat, chain: seat.chain ? withDefaults(seat.chain, CHAIN, ["head"]) : null }, SEAT)),
  board: plain.board ? fullBoard(plain.board) : null,
});
