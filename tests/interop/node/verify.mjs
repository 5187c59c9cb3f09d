// A verifier of match files that knows no rules. docs/fairness.md, "Verification": the numbers are those of its checks.

import { encode } from "../../../clients/web/src/client/records/canonical.js";
import * as dice from "../../../clients/web/src/client/records/dice.js";
import { closeRecord, dueMs, foldEvent, foldLog, opensItsDecisions, plainMatch, withoutTakebacks } from "../../../clients/web/src/client/records/match.js";
import { countSealed, readFile, WrongRecord } from "../../../clients/web/src/client/records/records.js";

const DISPLAY_FIELDS = new Set(["name", "short_name"]);
const UNPROMPTED = ["resign", "replace_chain", "make_offer", "answer_offer", "take_back", "resume_play", "leave_seat", "take_seat_back"];
const BOT = /^bot-[a-z][a-z0-9]{0,31}-[a-d]$/;

/** Check a match file. Throws WrongRecord. `catalogue` is the content of a server's catalogue, `head` a known hash. */
export function verify(bytes, { head = "", catalogue = null } = {}) {
  const file = readFile(bytes);
  if (head && !file.records.some((record) => record.hash === head)) throw new WrongRecord(0, `no record has the hash ${head}`);
  const check = new FileCheck(file, catalogue);
  for (const place of file.bodies.keys()) check.record(place + 1);
  return {
    records: file.records.length,
    head: file.head,
    hashes: file.records.map((record) => record.hash),
    unfinished_at: file.isEnded ? null : file.records.length,
    sealed: check.sealed,
    draws: check.draws,
    unproven_draws: check.unproven,
    state: check.match && plainMatch(check.match),
  };
}

/** The canonical figures of content: names are for people, and may have been corrected. */
function encodeFigures(content) {
  return encode(JSON.parse(JSON.stringify(content, (key, part) => (DISPLAY_FIELDS.has(key) ? undefined : part))));
}

function hashes(packs) {
  return packs.map((pack) => pack.hash).join();
}

class FileCheck {
  constructor({ header, records, bodies, isEnded }, catalogue) {
    Object.assign(this, { header, records, bodies, catalogue });
    this.sealed = bodies.reduce((sum, body) => sum + countSealed(body), 0);
    this.isOpen = isEnded && this.sealed === 0;
    this.match = null;
    this.index = 0;
    this.draws = [];
    this.unproven = 0;
    this.locked = new Map();
    this.given = [];
    const events = bodies.flatMap((body) => body.events ?? []);
    this.keys = dice.stepKeys(bodies[0]?.events?.[0]?.anchor, publishedSteps(events));
    const ended = events.find((event) => event.type === "match_ended");
    const first = events.find((event) => event.type === "step_began");
    // A wrong deal secret is reported where it was published, not at the draws that do not follow from it.
    const isRight = ended && first && isDealSecret(ended.deal_secret, events[0].deal_commitment);
    this.dealKey = isRight ? dice.dealKey(ended.deal_secret, first.seat_nonces) : null;
    this.objectives = null;
  }

  record(seq) {
    this.seq = seq;
    const body = this.bodies[seq - 1];
    if (this.isOpen) this.checkSeats(body);
    this.checkEnd(body);
    this.checkAction(body);
    if (body.taken_back_to) return this.takeback(body);
    if (body.actor === "house" && !["closed", "stopped"].includes(body.result?.end_reason)) this.checkHouse(body);
    for (const [number, event] of (body.events ?? []).entries()) this.event(body, event, number);
    const before = this.match.decisions.map((decision) => decision.id);
    closeRecord(this.match, body);
    this.checkDecisions(before);
    if (this.match.draw_index !== this.index) this.wrong(`draw_index is ${this.match.draw_index}, not ${this.index}`);
    this.checkScores(body);
  }

  wrong(why) {
    throw new WrongRecord(this.seq, why);
  }

  // ---------------------------------------------------------------- what a record says beside its events

  /** Check 4. */
  checkSeats(body) {
    for (const { path, seats } of this.records[this.seq - 1].openings ?? []) {
      const owners = ownersOf(body, path);
      if (encode(seats ?? []) !== encode(owners)) this.wrong(`${path.join(".")} could be seen by seats ${owners}`);
    }
  }

  /** Check 5. */
  checkEnd(body) {
    const places = (body.events ?? []).flatMap((event, place) => (event.type === "match_ended" ? [place] : []));
    const right = body.result === undefined ? [] : [(body.events ?? []).length - 1];
    if (encode(places) !== encode(right)) this.wrong("match_ended and the result come together, at the end");
  }

  /** Checks 6 to 9. */
  checkAction(body) {
    const opens = (body.events ?? []).map((event) => event.type === "match_opened");
    if (opens.lastIndexOf(true) !== (this.seq === 1 ? 0 : -1)) this.wrong("match_opened comes first, and only there");
    if (!Number.isSafeInteger(body.at_ms) || (this.match && body.at_ms < this.match.at_ms)) this.wrong("time went backwards");
    if (body.taken_back_to && !opensItsDecisions(this.seq, body)) this.wrong("a takeback opens its decisions itself"); // check 10
    const takesBack = ["take_back", "answer_offer"].includes(body.action?.type);
    if (body.taken_back_to && !takesBack) this.wrong("no rule takes anything back");
    if (this.match && body.rules_version === this.match.rules_version) this.wrong("it names the version of the rules that is in force");
    const { seat, decision = null, action, digest } = body;
    if (this.seq === 1) {
      if ([seat, action, digest].some((field) => field !== undefined) || decision) this.wrong("nobody acts in record 1");
      return;
    }
    if (!action) this.wrong("nobody acts");
    if (countSealed(digest) === 0 && countSealed(action) === 0) {
      const right = dice.toHex(dice.sha256(encode([decision, action])));
      if (digest !== right) this.wrong("the digest is another command's");
    }
    if (body.result?.end_reason === "closed" || action.type === "close_match") return this.checkClosing(body);
    if (body.result?.end_reason === "stopped" || action.type === "stop_match") return this.checkStopping(body);
    const vacates = (body.events ?? []).some((event) => event.type === "seat_vacated");
    if (vacates || ["kick_player", "leave_seat"].includes(action.type)) return this.checkVacancy(body);
    if (!this.match.seats[seat]) this.wrong("nobody acts");
    if (![undefined, "house"].includes(body.actor)) this.wrong("another actor than the house");
    this.checkSubstitution(body);
    const answers = this.match.decisions.find((open) => open.id === decision);
    const isPrompted = !UNPROMPTED.includes(action.type) || (action.type === "resign" && body.actor === "house");
    if (isPrompted ? answers?.seat !== seat : decision) this.wrong(`decision ${decision} was not open for seat ${seat}`);
  }

  /** Check 23: a seat is taken over or back where it has to be, and nowhere else. */
  checkSubstitution({ seat, actor, decision, action, events = [] }) {
    const { board, seats, match_options: options } = this.match;
    const isPlayed = (one) => one.player && !one.resigned && !one.substitute && !BOT.test(one.player);
    const isLimit = Boolean(options.missed_limit) && !seats[seat].substitute && seats[seat].missed + 1 >= options.missed_limit;
    const isOver = options.on_missed_limit === "bot" && isLimit && seats.some((one, n) => n !== seat && isPlayed(one));
    const resigns = actor === "house" && action.type === "resign";
    const right = [];
    if (board && actor === "house" && !resigns && decision && isOver) right.push({ type: "seat_taken_over", seat });
    const isBack = !actor && (decision || action.type === "take_seat_back");
    if (board && isBack && seats[seat].substitute) right.push({ type: "seat_taken_back", seat });
    // What later versions add to an event is none of this check's business.
    const known = events.map(({ type, seat: whose }) => ({ type, seat: whose }));
    const found = known.filter(({ type }) => ["seat_taken_over", "seat_taken_back"].includes(type));
    const begins = encode(known.slice(0, right.length).filter(({ type }) => right.some((one) => one.type === type)));
    if (encode(found) !== encode(right) || begins !== encode(right)) this.wrong("a seat is taken over or back elsewhere");
    if (action.type === "take_seat_back" && !right.length) this.wrong("a seat is taken back that the house does not play");
    if (resigns && options.on_missed_limit === "bot" && (!isLimit || isOver)) this.wrong("the house resigns too early");
  }

  /** Check 21: the match is the one after the record that is named, and asks the same. */
  takeback(body) {
    const asked = ({ decisions }) => encode(decisions.map(({ seat, question }) => [seat, question]));
    const target = foldLog(structuredClone(this.bodies.slice(0, body.taken_back_to)));
    this.match = foldLog(structuredClone(this.bodies.slice(0, this.seq)));
    this.objectives = this.objectivesLeft();
    if (asked(target) !== asked(this.match)) this.wrong("a takeback asks something else than before");
    const isOnly = body.events?.length === 1 && body.events[0].type === "takeback_made" && body.events[0].seat === body.seat;
    if (!isOnly) this.wrong("a takeback is made, and nothing else happens");
    if (this.match.draw_index !== this.index) this.wrong(`draw_index is ${this.match.draw_index}, not ${this.index}`);
  }

  /** The objectives that are still in their deck after a takeback; null if none has been dealt. */
  objectivesLeft() {
    const events = withoutTakebacks(this.bodies.slice(0, this.seq)).kept.flatMap(({ body }) => body.events ?? []);
    const dealt = events.filter((event) => event.type === "objective_dealt").map((event) => event.scenario);
    if (dealt.length === 0) return null;
    const { scenarios, active_scenario: active } = this.match.board.layout;
    return scenarios.map((card) => card.id).filter((id) => id !== active && !dealt.includes(id));
  }

  /** The end of check 8. */
  checkClosing({ seat, actor, decision, action, events, result }) {
    if (action.type !== "close_match" || result?.end_reason !== "closed") this.wrong("closing ends the match, and nothing else does so");
    if (seat !== undefined || decision !== undefined) this.wrong("a match is closed by no seat");
    if (!["house", "opener"].includes(actor)) this.wrong("a match is closed by its opener or the house");
    if (events.length !== 1 || this.match.status !== "open") this.wrong("a match is closed before it begins");
  }

  /** The house ends a match that has begun, and nobody wins it. */
  checkStopping({ seat, actor, decision, action, events, result }) {
    if (action.type !== "stop_match" || result?.end_reason !== "stopped") this.wrong("stopping ends the match, and nothing else does so");
    if (seat !== undefined || decision !== undefined || actor !== "house") this.wrong("a match is stopped by the house, for no seat");
    const isPlain = (result.winners ?? []).length === 0 && (result.scores ?? []).length === 0;
    if (events.length !== 1 || this.match.status !== "running" || !isPlain) this.wrong("only a match that has begun is stopped, without a winner");
  }

  /** Check 22: before the match begins, a player leaves, or the opener removes one. */
  checkVacancy({ seat, actor, decision, action, events = [], result }) {
    const [event] = events;
    const isKick = action.type === "kick_player";
    if (events.length !== 1 || event.type !== "seat_vacated" || !(isKick || action.type === "leave_seat")) this.wrong("a seat is left by one action");
    const acts = isKick ? [undefined, "opener", action.seat, true] : [seat, undefined, seat, false];
    const is = [seat, actor, event.seat, event.kicked ?? false];
    if (decision !== undefined || acts.some((right, place) => right !== is[place])) this.wrong("a seat is left by its player or by the opener");
    if (this.match.status !== "open" || result !== undefined) this.wrong("no seat is left once the match has begun");
    if (!event.player || this.match.seats[event.seat]?.player !== event.player) this.wrong("another player sits there, or nobody");
    if (event.record !== this.seq) this.wrong("the seat is not left in this record");
    const spent = event.spent_nonces ?? [];
    const places = spent.map((one) => one.seat);
    if (places.some((place, n) => !this.match.seats[place] || place <= places[n - 1])) this.wrong("the nonces are not in the order of seats");
    for (const [number, state] of this.match.seats.entries()) {
      const nonce = spent[places.indexOf(number)]?.seat_nonce;
      const given = number === event.seat ? null : state.seat_nonce;
      const isRight = given === null || given === "" ? nonce === undefined : countSealed(given) || given === nonce;
      if (!isRight || (nonce && !dice.opensSeatChain(nonce, state.chain.head))) this.wrong(`seat ${number} gave something else to the dice`);
    }
  }

  /** Check 20, and of 16 the default card. */
  checkHouse({ at_ms: at, seat, decision, action }) {
    const { clock } = this.match.match_options;
    if (!clock && action.type !== "resign") this.wrong("without a clock the house answers nothing, it only leaves");
    if (this.match.seats[seat].substitute) return; // it need not wait, and chooses as it likes
    const opened = this.bodies[Number(decision.split(".")[0]) - 1];
    const due = dueMs(this.match, { seat }, opened.at_ms);
    if (due === null || at < due) this.wrong("the house answers before the time is up");
    if (action.type !== "lock_card" || !this.dealKey || countSealed(action)) return;
    const tag = `default card ${this.match.step + 1} ${seat}`;
    const card = drawn(this.dealKey, [...this.match.board.sides[seat].hand], tag);
    const salt = Array.from({ length: 16 }, (_, n) => dice.drawPlace(this.dealKey, 0, `${tag} salt ${n}`, 256));
    if (action.card !== card || action.salt !== Buffer.from(salt).toString("hex")) this.wrong("another default card was drawn");
  }

  /** Check 10. */
  checkDecisions(before) {
    for (const [slot, { id }] of this.match.decisions.entries()) {
      if (!before.includes(id) && id !== `${this.seq}.${slot}`) this.wrong(`decision ${id} was opened elsewhere`);
    }
  }

  /** Check 19. */
  checkScores(body) {
    const scores = body.result?.scores ?? [];
    const points = this.match.board?.sides.map((side) => side.points) ?? [];
    if (scores.length && encode(scores) !== encode(points)) this.wrong("the scores are not the points of the sides");
  }

  // ---------------------------------------------------------------- events

  event(body, event, number) {
    for (const draw of dice.drawsOf(event)) this.checkDraw(draw);
    CHECKS[event.type]?.call(this, event, body, number);
    try {
      this.match = foldEvent(this.match, event);
    } catch (fault) {
      this.wrong(`${event.type} does not fit what was before, ${fault.message}`); // check 18
    }
  }

  /** Check 14. */
  checkDraw(draw) {
    const step = this.match?.step ?? 0;
    if (draw.step !== step || draw.index !== this.index) this.wrong(`draw ${draw.step}/${draw.index} comes out of turn`);
    this.index += dice.indicesTaken(draw);
    this.draws.push([this.seq, draw.step, draw.index, draw.results]);
    const key = step > 0 ? this.keys[step] : undefined;
    if (!key) this.unproven += 1;
    else if (encode(dice.facesOf(draw, key)) !== encode(draw.results)) this.wrong(`the faces of ${draw.tag} do not follow`);
  }

  isCommitted(commitment, step, seat, card, salt) {
    return dice.isHex(salt, 16) && dice.cardCommitment(this.match.match, step, seat, card, salt) === commitment;
  }

  /** Checks 11 and 13. */
  checkServerLink(link, isFirst) {
    const follows = isFirst ? link === this.match.server_link : dice.followsServerLink(link, this.match.server_link);
    if (!follows) this.wrong("the server's link does not follow");
  }
}

/** The seats that see a secret from the beginning. */
function ownersOf(body, [part, place, , , side]) {
  if (part !== "events") return [body.seat];
  const event = body.events[place];
  if (event.type === "position_set") return []; // nobody, until the match has ended
  return [event.type === "branch_began" ? event.board.sides[side].seat : event.seat];
}

const isDealSecret = (secret, commitment) =>
  dice.isHex(secret, 32) && dice.toHex(dice.sha256(dice.hex(secret))) === commitment;

function publishedSteps(events) {
  const steps = [];
  for (const event of events) {
    if (["step_began", "match_ended"].includes(event.type) && steps.length) steps.at(-1).link = event.server_link;
    if (event.type === "step_began") steps.push({ nonces: event.seat_nonces ?? [], link: "" });
  }
  return steps;
}

const CHECKS = {
  match_opened(event) {
    const { match, ruleset } = this.header;
    if (event.match !== match || event.ruleset !== ruleset) this.wrong("the header names another match");
  },

  /** Check 12: a nonce that was given opens the chain. */
  seat_nonce_opened({ seat, seat_nonce: nonce }) {
    if (countSealed(nonce) || nonce === "") return;
    if (!dice.opensSeatChain(nonce, this.match.seats[seat]?.chain.head)) this.wrong(`seat ${seat} gave a wrong nonce`);
  },

  /** Checks 11 and 12. */
  step_began(event) {
    const { seats, step } = this.match;
    // Every ruleset here asks the seats for nonces, so no step goes without them.
    if (event.step !== step + 1 || event.seat_nonces?.length !== seats.length) this.wrong("another step comes now");
    this.checkServerLink(event.server_link, event.step === 1);
    for (const [seat, nonce] of event.seat_nonces.entries()) {
      const nonceOf = seats[seat].seat_nonce;
      const given = typeof nonceOf === "string" ? nonceOf : null; // sealed in what others see
      const isMissing = (event.missing ?? []).includes(seat);
      if (isMissing && (nonce !== dice.ZERO_NONCE || given)) this.wrong(`seat ${seat} gave a nonce`);
      if (!isMissing && !dice.opensSeatChain(nonce, seats[seat].chain.head)) this.wrong(`a wrong nonce of seat ${seat}`);
      if (!isMissing && given !== null && given !== nonce) this.wrong(`seat ${seat} gave another nonce`);
    }
    this.index = 0;
  },

  /** Check 13. */
  match_ended(event) {
    this.checkServerLink(event.server_link, this.match.step === 0);
    if (!isDealSecret(event.deal_secret, this.match.deal_commitment)) this.wrong("the deal secret is another");
  },

  // ---------------------------------------------------------------- checks 15 and 24

  position_set(event, body, number) {
    if (this.seq !== 1 || number !== 1 || !this.match.match_options.branch_of) this.wrong("a position is set in another place");
  },

  branch_began(event) {
    const { position } = this.match;
    if (position === null) this.wrong("a branch begins where none was opened");
    const board = event.board ?? position.board;
    const shown = ({ sides, ...other }) => encode([other, sides.map(({ seat, points, discards }) => [seat, points, discards ?? []])]);
    if (event.board && shown(event.board) !== shown(plainMatch(this.match).position.board)) this.wrong("it begins with another position");
    this.given = board.sides.filter((side) => side.has_locked).map((side) => side.seat);
    const dealt = board.sides.map((side) => side.objective).filter((id) => typeof id === "string");
    const { scenarios = [], active_scenario: active } = board.layout;
    if (dealt.length) this.objectives = scenarios.map((card) => card.id).filter((id) => id !== active && !dealt.includes(id));
  },

  card_locked(event) {
    const { seat, step, commitment, card, salt } = event;
    if (countSealed(event) === 0 && !this.isCommitted(commitment, step, seat, card, salt)) {
      this.wrong(`seat ${seat} was not committed to ${card}`);
    }
    this.locked.set(`${step} ${seat}`, commitment);
  },

  cards_revealed({ step, cards }) {
    const locked = [...this.locked.keys()].filter((key) => key.startsWith(`${step} `)).sort();
    const { given } = this; // locked in the parent of a branch, with the commitments
    const revealed = cards.map(({ seat }) => `${step} ${seat}`).sort();
    if (encode([...locked, ...given.map((seat) => `${step} ${seat}`)].sort()) !== encode(revealed)) this.wrong("not the seats that had locked a card");
    this.given = [];
    for (const { seat, card, salt } of cards.filter((one) => !given.includes(one.seat))) {
      if (!this.isCommitted(this.locked.get(`${step} ${seat}`), step, seat, card, salt)) {
        this.wrong(`seat ${seat} was not committed to ${card}`);
      }
    }
  },

  // ---------------------------------------------------------------- check 16

  scenarios_drawn({ seat, cards }) {
    if (!this.dealKey || countSealed(cards)) return;
    const deck = this.match.board.layout.scenarios.map((card) => card.id);
    const right = [0, 1].map((n) => drawn(this.dealKey, deck, `scenario ${seat} ${n}`));
    if (encode(right) !== encode(cards)) this.wrong("other scenarios were drawn");
  },

  objective_dealt({ seat, scenario }) {
    if (!this.dealKey || countSealed(scenario)) return;
    const { scenarios, active_scenario: active } = this.match.board.layout;
    const isSpecial = (this.match.settings.special_scenario ?? "none") !== "none";
    this.objectives ??= scenarios.map((card) => card.id).filter((id) => id !== active);
    const right = isSpecial ? active : drawn(this.dealKey, this.objectives, `objective ${seat}`);
    if (right !== scenario) this.wrong("another objective was drawn");
  },

  // ---------------------------------------------------------------- checks 17 and 18

  match_started(event) {
    if (encode(event.settings) !== encode(this.match.settings)) this.wrong("it is played with other settings");
    if (!this.catalogue || hashes(this.catalogue.packs) !== hashes(this.match.packs)) return;
    const printed = new Map(this.catalogue.disks.map((disk) => [disk.profile.id, encodeFigures(disk.profile)]));
    for (const profile of event.profiles) {
      if (printed.get(profile.id) !== encodeFigures(profile)) this.wrong(`${profile.id} has other figures in its pack`);
    }
    const cards = new Map(this.catalogue.cards.map(({ card }) => [card.id, encodeFigures(card)]));
    for (const card of event.cards) {
      if (cards.get(card.id) !== encodeFigures(card)) this.wrong(`${card.id} has other figures in its pack`);
    }
  },

  damage_dealt({ disk, taken, tokens }) {
    const before = this.match.board.disks[disk]?.damage;
    if (tokens !== before + taken) this.wrong(`disk ${disk} had ${before} damage, and takes ${taken}: not ${tokens}`);
  },
};

function drawn(key, deck, tag) {
  const [card] = deck.splice(dice.drawPlace(key, 0, tag, deck.length), 1);
  return card;
}
