// The state of a match: the fold of its records. docs/match-state.md, "Records" and "Match".

import { boardRulesOf } from "./boards.js";
import { change, existing, foldsByType, present, shown, withDefaults, withoutDefaults } from "./folding.js";
import { isSealed } from "./records.js";

/** @import { BankClock, MatchOptions, OpenOffer, Sealed } from "../../protocol/types" */
/** @import { AnyBody as Body, BodyOf, ClockState, EventOf, Folds, MatchEventOf, MatchOf, PositionOf, RulesetName, SeatStateOf, WireMatchOf } from "./states" */

/** What every match has, whatever is played. @typedef {MatchOf<RulesetName>} Match */
/** @typedef {EventOf<RulesetName>} Event */
/** @typedef {Extract<Event, { readonly type: "match_opened" }>} Opened */

// What the page calls the states of Diskwars, and those of any ruleset.
/** @typedef {import("./states").BoardState} BoardState */
/** @typedef {import("./states").DiskState} DiskState */
/** @typedef {import("./states").SideState} SideState */
/** @typedef {import("../../protocol/types").diskwars.RecordBody} RecordBody */
/** @typedef {import("../../protocol/types").diskwars.Decision} Decision */
/** @typedef {import("./states").SeatChain} SeatChain */
/** @typedef {MatchOf<"diskwars">} MatchState */
/** @typedef {{ [Name in RulesetName]: MatchOf<Name> }[RulesetName]} AnyMatchState */

/** @type {Omit<SeatChain, "head">} */
const CHAIN = { new_head: null, new_from: null, superseded: 0 };
/** @type {SeatStateOf<RulesetName>} */
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
/** @satisfies {Partial<OpenOffer>} */
const OFFER = { agreed: [] };
/** @type {Pick<ClockState, "running_since_ms">} */
const CLOCK = { running_since_ms: null };
/** @typedef {"deal_commitment" | "match" | "match_options" | "ruleset" | "seats" | "server_link" | "settings"} Opening */
/** @type {Omit<Match, Opening>} */
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
/** @type {Pick<PositionOf<RulesetName>, "resampled" | "resigned">} */
const POSITION = { resampled: false, resigned: [] };

/** @type {(match: Match, seat: number) => SeatStateOf<RulesetName>} */
const seatOf = (match, seat) => existing(match.seats, seat, "seat");
/** @type {(seat: SeatStateOf<RulesetName>) => SeatChain} */
const chainOf = ({ chain }) => present(chain, "chain");

/** @type {Folds<Match, Exclude<MatchEventOf<RulesetName>, Opened>>} */
const MATCH_FOLDS = {
  seat_taken(match, event) {
    const fields = Object.entries(event.loadout).map(([name, value]) => [name, shown(value)]);
    const chain = { head: event.chain_head, ...CHAIN };
    const { vacated_in } = seatOf(match, event.seat);
    match.seats[event.seat] = { ...SEAT, player: event.player, loadout: Object.fromEntries(fields), chain, vacated_in };
  },
  seat_nonce_opened(match, event) {
    seatOf(match, event.seat).seat_nonce = shown(event.seat_nonce);
  },
  seat_ready(match, event) {
    seatOf(match, event.seat).ready = true;
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
      const chain = chainOf(seat);
      if (nonces.length && !event.missing?.includes(number)) chain.head = existing(nonces, number, "nonce");
      if (chain.new_head && chain.new_from !== null && event.step + 1 >= chain.new_from) {
        seat.chain = { head: chain.new_head, ...CHAIN };
      }
    }
  },
  chain_replaced(match, event) {
    const chain = chainOf(seatOf(match, event.seat));
    const superseded = chain.new_head ? chain.superseded + 1 : 0;
    change(chain, { new_head: event.chain_head, new_from: event.from_step, superseded });
  },
  seat_resigned(match, event) {
    seatOf(match, event.seat).resigned = true;
    match.offer = null;
  },
  seat_vacated(match, { seat: left, player, record, spent_nonces: spent = [], kicked = false }) {
    for (const [number, seat] of match.seats.entries()) {
      const nonce = spent.find((one) => one.seat === number)?.seat_nonce;
      if (seat.chain && nonce) seat.chain.head = nonce;
      change(seat, { ready: false, seat_nonce: null });
    }
    match.seats[left] = { ...SEAT, vacated_in: record };
    if (kicked && !match.kicked.includes(player)) match.kicked = [...match.kicked, player];
  },
  seat_taken_over(match, { seat }) {
    seatOf(match, seat).substitute = true;
  },
  seat_taken_back(match, { seat }) {
    change(seatOf(match, seat), { substitute: false, missed: 0 });
  },
  offer_made(match, { offer_id: id, seat, offer }) {
    seatOf(match, seat).has_offered = true;
    match.offer = { id, seat, offer, agreed: [] };
  },
  offer_answered(match, { seat, agree }) {
    match.offer = agree && match.offer ? { ...match.offer, agreed: [...match.offer.agreed, seat] } : null;
  },
  takeback_made(match, { seat }) {
    seatOf(match, seat).takebacks += 1;
    change(match, { offer: null, paused: false });
  },
  play_paused(match) {
    change(match, { paused: true, offer: null });
  },
  play_resumed(match, { at_ms }) {
    change(match, { paused: false, resumed_ms: at_ms });
  },
  position_set(match, { position }) {
    match.position = fullPosition(match.ruleset, withoutDigests(position));
  },
  branch_began(match, { board }) {
    const { position } = match;
    if (position === null) throw new Error("a branch begins with a position");
    match.board = board ? boardRulesOf(match.ruleset).full(withoutDigests(board)) : position.board;
    for (const seat of position.resigned) seatOf(match, seat).resigned = true;
    match.position = null;
  },
  match_ended(match, event) {
    match.server_link = event.server_link;
    match.deal_secret = event.deal_secret;
    match.offer = null;
  },
};

/**
 * A copy in which everything that is sealed is hidden: a state knows secrets, but no digests.
 *
 * @template Value
 * @param {Value} value
 * @returns {Value}
 */
function withoutDigests(value) {
  /** @type {(part: unknown) => unknown} */
  const hidden = (part) => {
    if (isSealed(part)) return { "#": "" };
    if (Array.isArray(part)) return part.map(hidden);
    if (part === null || typeof part !== "object") return part;
    return Object.fromEntries(Object.entries(part).map(([name, field]) => [name, hidden(field)]));
  };
  return /** @type {Value} */ (hidden(value));
}

/** @type {(ruleset: RulesetName, plain: NonNullable<WireMatchOf<RulesetName>["position"]>) => PositionOf<RulesetName>} */
const fullPosition = (ruleset, plain) => ({
  ...withDefaults(plain, POSITION, ["board"]),
  board: boardRulesOf(ruleset).full(plain.board),
});

/**
 * @param {Opened} event
 * @returns {Match}
 */
function openMatch(event) {
  return {
    match: event.match,
    ruleset: /** @type {RulesetName} */ (event.ruleset),
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

const MATCH_FOLDS_BY_TYPE = foldsByType(MATCH_FOLDS);
/** @type {(event: Event) => event is MatchEventOf<RulesetName>} */
const isOfMatch = (event) => Object.hasOwn(MATCH_FOLDS, event.type);

/**
 * Fold one event into a match, which is changed; the first one makes it.
 *
 * @param {Match | null} match
 * @param {Event | Sealed} event
 * @returns {Match | null}
 */
export function foldEvent(match, event) {
  if (isSealed(event)) return match;
  if (event.type === "match_opened") return openMatch(event);
  if (match === null) throw new Error("a match begins with match_opened");
  if (isOfMatch(event)) MATCH_FOLDS_BY_TYPE.get(event.type)?.(match, event);
  else match.board = boardRulesOf(match.ruleset).fold(match.board, event);
  return match;
}

/**
 * Take up what a record says beside its events.
 *
 * @param {Match} match
 * @param {Body} body
 */
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

/**
 * What follows from a record alone: used time, missed answers, and who may offer again.
 *
 * @param {Match} match
 * @param {Body} body
 */
function keepAccounts(match, body) {
  const { clock, draws, takebacks, pauses, missed_limit: limit } = match.match_options;
  const bank = clock?.type === "bank" && match.board !== null ? clock : null;
  if (!bank && !draws && !takebacks && !pauses && !limit) return;
  for (const [number, seat] of match.seats.entries()) {
    const answers = body.seat === number && body.decision !== undefined;
    if (answers && body.actor === undefined) change(seat, { has_offered: false, missed: 0 });
    else if (answers && limit && !seat.substitute) seat.missed += 1;
    if (bank) seat.clock = clockAfter(seat.clock, bank, body, answers, match, number);
  }
}

/**
 * @param {ClockState | null} before
 * @param {BankClock} options
 * @param {Body} body
 * @param {boolean} answers
 * @param {Match} match
 * @param {number} number
 * @returns {ClockState}
 */
function clockAfter(before, options, body, answers, match, number) {
  const isPressed = !match.paused && match.decisions.some(({ seat }) => seat === number);
  const running_since_ms = isPressed ? body.at_ms : null;
  if (before === null) return { remaining_ms: 1000 * options.bank_seconds, running_since_ms };
  const lag = body.seat === number ? (body.lag_ms ?? 0) : 0;
  const used = before.running_since_ms === null ? 0 : Math.max(0, body.at_ms - before.running_since_ms - lag);
  const added = answers ? 1000 * (options.increment_seconds ?? 0) : 0;
  return { remaining_ms: Math.max(0, before.remaining_ms - used) + added, running_since_ms };
}

/**
 * How long a seat without a clock may owe an answer before the house leaves the match for it; null: for ever.
 *
 * @param {MatchOptions} options
 */
const absenceMs = ({ abandoned_after_days: days = 14 }) => (days === 0 ? null : 86_400_000 * days);

/**
 * When the time of an open decision is up, which was opened at a time; null if nobody is pressed.
 *
 * @param {Match} match
 * @param {{ readonly seat: number }} decision
 * @param {number} openedMs
 */
export function dueMs(match, decision, openedMs) {
  const { clock } = match.match_options;
  if (match.status === "open" || match.paused) return null;
  if (clock?.type !== "bank") {
    const allowed = clock ? 1000 * clock.decision_seconds : absenceMs(match.match_options);
    return allowed === null ? null : Math.max(openedMs, match.resumed_ms) + allowed;
  }
  const seatClock = seatOf(match, decision.seat).clock;
  if (!seatClock || seatClock.running_since_ms === null) return null;
  return seatClock.running_since_ms + seatClock.remaining_ms;
}

/**
 * @template {RulesetName} [Name="diskwars"]
 * @param {MatchOf<Name> | null} match
 * @param {BodyOf<Name>} body
 * @returns {MatchOf<Name>}
 */
export const foldRecord = (match, body) => /** @type {MatchOf<Name>} */ (foldBody(match, body));

/**
 * @param {Match | null} before
 * @param {Body} body
 */
function foldBody(before, body) {
  let match = before;
  for (const event of body.events ?? []) match = foldEvent(match, event);
  if (match === null) throw new Error("a match begins with match_opened");
  return closeRecord(match, body);
}

/**
 * A copy that folding further records does not change.
 *
 * @template {RulesetName} [Name="diskwars"]
 * @param {MatchOf<Name>} match
 * @returns {MatchOf<Name>}
 */
export const copyMatch = (match) => {
  const { copy } = boardRulesOf(match.ruleset);
  // As with boards, what folds change in place is copied, and all else is replaced whole and shared.
  return {
    ...match,
    seats: match.seats.map((seat) => ({ ...seat, chain: seat.chain && { ...seat.chain } })),
    seat_nonces: [...match.seat_nonces],
    board: match.board && copy(match.board),
    // A branch plays on with the board of its position.
    position: match.position && { ...match.position, board: copy(match.position.board) },
  };
};

const LASTING_EVENTS = [
  "seat_nonce_opened",
  "step_began",
  "chain_replaced",
  "takeback_made",
  "seat_taken_over",
  "seat_taken_back",
];

/**
 * The records that still count, with their numbers; throws where a takeback goes to one that does not.
 *
 * @param {ReadonlyArray<Body>} bodies
 */
export function withoutTakebacks(bodies) {
  /** @type {{ readonly seq: number, readonly body: Body }[]} */
  let kept = [];
  /** @type {Set<number>} */
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

/**
 * Whether the decisions after a takeback were opened by it.
 *
 * @type {(seq: number, body: Body) => boolean}
 */
export const opensItsDecisions = (seq, { decisions }) =>
  decisions !== undefined && decisions.every(({ id }, slot) => id === `${seq}.${slot}`);

/**
 * Fold a whole log, without what was taken back.
 *
 * @template {RulesetName} [Name="diskwars"]
 * @param {ReadonlyArray<BodyOf<Name>>} bodies
 * @returns {MatchOf<Name> | null}
 */
export function foldLog(bodies) {
  /** @type {Match | null} */
  let match = null;
  for (const { body } of withoutTakebacks(bodies).kept) match = foldBody(match, body);
  return /** @type {MatchOf<Name> | null} */ (match);
}

/**
 * Fold a takeback into the state after the record that it goes back to; `undone` are the records between the two.
 *
 * @template {RulesetName} [Name="diskwars"]
 * @param {MatchOf<Name> | null} before
 * @param {ReadonlyArray<BodyOf<Name>>} undone
 * @param {BodyOf<Name>} body
 * @returns {MatchOf<Name>}
 */
export function foldTakeback(before, undone, body) {
  /** @type {Match | null} */
  const match = undone.reduce(
    (state, taken) => foldBody(state, lastingPart(taken)),
    /** @type {Match | null} */ (before),
  );
  return /** @type {MatchOf<Name>} */ (foldBody(match, body));
}

/**
 * @param {Body} body
 * @returns {Body}
 */
function lastingPart({ at_ms, rules_version, events = [] }) {
  return { at_ms, rules_version, events: events.filter((event) => LASTING_EVENTS.includes(event.type)) };
}

/**
 * The state as JSON, with its defaults left out.
 *
 * @template {RulesetName} [Name="diskwars"]
 * @param {MatchOf<Name>} match
 * @returns {WireMatchOf<Name>}
 */
export const plainMatch = (match) => /** @type {WireMatchOf<Name>} */ (leanMatch(match));

/** @param {Match} match */
const leanMatch = (match) =>
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
      board: match.board && boardRulesOf(match.ruleset).plain(match.board),
      position:
        match.position &&
        withoutDefaults(
          {
            ...match.position,
            board: boardRulesOf(match.ruleset).plain(match.position.board),
          },
          POSITION,
        ),
    },
    MATCH,
  );

/**
 * The other way round: the state that such JSON stands for.
 *
 * @template {RulesetName} [Name="diskwars"]
 * @param {WireMatchOf<Name>} plain
 * @returns {MatchOf<Name>}
 */
export const fullMatch = (plain) => /** @type {MatchOf<Name>} */ (wholeMatch(plain));

/**
 * @param {WireMatchOf<RulesetName>} plain
 * @returns {Match}
 */
function wholeMatch(plain) {
  const ruleset = /** @type {RulesetName} */ (plain.ruleset);
  return {
    ...withDefaults(plain, MATCH, [
      "match",
      "ruleset",
      "settings",
      "seats",
      "server_link",
      "deal_commitment",
      "match_options",
    ]),
    ruleset,
    seats: plain.seats.map((seat) => ({
      ...withDefaults(seat, SEAT),
      chain: seat.chain ? withDefaults(seat.chain, CHAIN, ["head"]) : null,
      clock: seat.clock ? withDefaults(seat.clock, CLOCK, ["remaining_ms"]) : null,
    })),
    offer: plain.offer ? withDefaults(plain.offer, OFFER, ["id", "seat", "offer"]) : null,
    board: plain.board ? boardRulesOf(ruleset).full(plain.board) : null,
    position: plain.position ? fullPosition(ruleset, plain.position) : null,
  };
}
