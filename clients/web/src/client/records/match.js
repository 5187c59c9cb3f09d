// The state of a match: the fold of its records. docs/match-state.md, "Records" and "Match".

import { isSealed } from "./records.js";
import { withDefaults, withoutDefaults } from "./board.js";
import { copyBoardOf, foldBoardOf, fullBoardOf, plainBoardOf } from "./boards.js";

const CHAIN = { new_head: null, new_from: null, superseded: 0 };
const SEAT = {
  player: null,
  loadout: null,
  chain: null,
  ready: false,
  seat_nonce: null,
  resigned: false,
  has_offered: false,
  takebacks: 0,
  missed: 0,
  clock: null,
  vacated_in: null,
  substitute: false,
};
const OFFER = { agreed: [] };
const CLOCK = { running_since_ms: null };
const MATCH = {
  at_ms: 0,
  rules_version: 0,
  repeatable: false,
  packs: [],
  status: "open",
  step: 0,
  draw_index: 0,
  seat_nonces: [],
  decisions: [],
  result: null,
  deal_secret: null,
  board: null,
  offer: null,
  paused: false,
  resumed_ms: 0,
  kicked: [],
  position: null,
};
const POSITION = { resampled: false, resigned: [] };

const MATCH_FOLDS = {
  seat_taken(match, event) {
    const fields = Object.entries(event.loadout).map(([name, value]) => [name, isSealed(value) ? { "#": "" } : value]);
    const chain = { head: event.chain_head, ...CHAIN };
    const { vacated_in } = match.seats[event.seat];
    match.seats[event.seat] = { ...SEAT, player: event.player, loadout: Object.fromEntries(fields), chain, vacated_in };
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
      seat.takebacks = 0;
      if (nonces.length && !event.missing?.includes(number)) seat.chain.head = nonces[number];
      if (seat.chain.new_head && event.step + 1 >= seat.chain.new_from) {
        seat.chain = { head: seat.chain.new_head, ...CHAIN };
      }
    }
  },
  chain_replaced(match, event) {
    const { chain } = match.seats[event.seat];
    const superseded = chain.new_head ? chain.superseded + 1 : 0;
    Object.assign(chain, { new_head: event.chain_head, new_from: event.from_step, superseded });
  },
  seat_resigned(match, event) {
    match.seats[event.seat].resigned = true;
    match.offer = null;
  },
  seat_vacated(match, { seat: left, player, record, spent_nonces: spent = [], kicked = false }) {
    for (const [number, seat] of match.seats.entries()) {
      const nonce = spent.find((one) => one.seat === number)?.seat_nonce;
      if (seat.chain && nonce) seat.chain.head = nonce;
      Object.assign(seat, { ready: false, seat_nonce: null });
    }
    match.seats[left] = { ...SEAT, vacated_in: record };
    if (kicked && !match.kicked.includes(player)) match.kicked = [...match.kicked, player];
  },
  seat_taken_over(match, { seat }) {
    match.seats[seat].substitute = true;
  },
  seat_taken_back(match, { seat }) {
    Object.assign(match.seats[seat], { substitute: false, missed: 0 });
  },
  offer_made(match, { offer_id: id, seat, offer }) {
    match.seats[seat].has_offered = true;
    match.offer = { id, seat, offer, agreed: [] };
  },
  offer_answered(match, { seat, agree }) {
    match.offer = agree && match.offer ? { ...match.offer, agreed: [...match.offer.agreed, seat] } : null;
  },
  takeback_made(match, { seat }) {
    match.seats[seat].takebacks += 1;
    Object.assign(match, { offer: null, paused: false });
  },
  play_paused(match) {
    Object.assign(match, { paused: true, offer: null });
  },
  play_resumed(match, { at_ms }) {
    Object.assign(match, { paused: false, resumed_ms: at_ms });
  },
  position_set(match, { position }) {
    match.position = fullPosition(match.ruleset, withoutDigests(position));
  },
  branch_began(match, { board }) {
    const { position } = match;
    if (position === null) throw new Error("a branch begins with a position");
    match.board = board ? fullBoardOf(match.ruleset, withoutDigests(board)) : position.board;
    for (const seat of position.resigned) match.seats[seat].resigned = true;
    match.position = null;
  },
  match_ended(match, event) {
    match.server_link = event.server_link;
    match.deal_secret = event.deal_secret;
    match.offer = null;
  },
};

/** A copy in which everything that is sealed is hidden: a state knows secrets, but no digests. */
function withoutDigests(value) {
  if (isSealed(value)) return { "#": "" };
  if (Array.isArray(value)) return value.map(withoutDigests);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withoutDigests(field)]));
}

const fullPosition = (ruleset, plain) => ({
  ...withDefaults(plain, POSITION, ["board"]),
  board: fullBoardOf(ruleset, plain.board),
});

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
  else match.board = foldBoardOf(match.ruleset, match.board, event);
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
  if (body.cursor !== undefined && match.board && "cursor" in match.board) match.board.cursor = body.cursor;
  keepAccounts(match, body);
  return match;
}

/** What follows from a record alone: used time, missed answers, and who may offer again. */
function keepAccounts(match, body) {
  const { clock, draws, takebacks, pauses, missed_limit: limit } = match.match_options;
  const hasBank = clock?.type === "bank" && match.board !== null;
  if (!hasBank && !draws && !takebacks && !pauses && !limit) return;
  for (const [number, seat] of match.seats.entries()) {
    const answers = body.seat === number && body.decision !== undefined;
    if (answers && body.actor === undefined) Object.assign(seat, { has_offered: false, missed: 0 });
    else if (answers && limit && !seat.substitute) seat.missed += 1;
    if (hasBank) seat.clock = clockAfter(seat.clock, clock, body, answers, match, number);
  }
}

function clockAfter(before, options, body, answers, match, number) {
  const isPressed = !match.paused && match.decisions.some(({ seat }) => seat === number);
  const running_since_ms = isPressed ? body.at_ms : null;
  if (before === null) return { remaining_ms: 1000 * options.bank_seconds, running_since_ms };
  const lag = body.seat === number ? (body.lag_ms ?? 0) : 0;
  const used = before.running_since_ms === null ? 0 : Math.max(0, body.at_ms - before.running_since_ms - lag);
  const added = answers ? 1000 * (options.increment_seconds ?? 0) : 0;
  return { remaining_ms: Math.max(0, before.remaining_ms - used) + added, running_since_ms };
}

/** How long a seat without a clock may owe an answer before the house leaves the match for it; null: for ever. */
const absenceMs = ({ abandoned_after_days: days = 14 }) => (days === 0 ? null : 86_400_000 * days);

/** When the time of an open decision is up, which was opened at a time; null if nobody is pressed. */
export function dueMs(match, decision, openedMs) {
  const { clock } = match.match_options;
  if (match.status === "open" || match.paused) return null;
  if (clock?.type !== "bank") {
    const allowed = clock ? 1000 * clock.decision_seconds : absenceMs(match.match_options);
    return allowed === null ? null : Math.max(openedMs, match.resumed_ms) + allowed;
  }
  const seatClock = match.seats[decision.seat].clock;
  if (!seatClock || seatClock.running_since_ms === null) return null;
  return seatClock.running_since_ms + seatClock.remaining_ms;
}

export function foldRecord(match, body) {
  for (const event of body.events ?? []) match = foldEvent(match, event);
  return closeRecord(match, body);
}

/** A copy that folding further records does not change. */
export const copyMatch = (match) => ({
  ...structuredClone({ ...match, board: null }),
  board: match.board && copyBoardOf(match.ruleset, match.board),
});

const LASTING_EVENTS = [
  "seat_nonce_opened",
  "step_began",
  "chain_replaced",
  "takeback_made",
  "seat_taken_over",
  "seat_taken_back",
];

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
        seq <= to ? { seq, body: before } : { seq, body: lastingPart(before) },
      );
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

/** Fold a takeback into the state after the record that it goes back to; `undone` are the records between the two. */
export function foldTakeback(before, undone, body) {
  return foldRecord(
    undone.reduce((match, one) => foldRecord(match, lastingPart(one)), before),
    body,
  );
}

function lastingPart({ at_ms, rules_version, events = [] }) {
  return { at_ms, rules_version, events: events.filter((event) => LASTING_EVENTS.includes(event.type)) };
}

/** The state as JSON, with its defaults left out. */
export const plainMatch = (match) =>
  withoutDefaults(
    {
      ...match,
      seats: match.seats.map((seat) =>
        withoutDefaults(
          {
            ...seat,
            chain: seat.chain && withoutDefaults(seat.chain, CHAIN),
            clock: seat.clock && withoutDefaults(seat.clock, CLOCK),
          },
          SEAT,
        ),
      ),
      offer: match.offer && withoutDefaults(match.offer, OFFER),
      board: match.board && plainBoardOf(match.ruleset, match.board),
      position:
        match.position &&
        withoutDefaults(
          {
            ...match.position,
            board: plainBoardOf(match.ruleset, match.position.board),
          },
          POSITION,
        ),
    },
    MATCH,
  );

/** The other way round: the state that such JSON stands for. */
export const fullMatch = (plain) => ({
  ...withDefaults(plain, MATCH, [
    "match",
    "ruleset",
    "settings",
    "seats",
    "server_link",
    "deal_commitment",
    "match_options",
  ]),
  seats: plain.seats.map((seat) =>
    withDefaults(
      {
        ...seat,
        chain: seat.chain ? withDefaults(seat.chain, CHAIN, ["head"]) : null,
        clock: seat.clock ? withDefaults(seat.clock, CLOCK, ["remaining_ms"]) : null,
      },
      SEAT,
    ),
  ),
  offer: plain.offer ? withDefaults(plain.offer, OFFER, ["id", "seat", "offer"]) : null,
  board: plain.board ? fullBoardOf(plain.ruleset, plain.board) : null,
  position: plain.position ? fullPosition(plain.ruleset, plain.position) : null,
});
