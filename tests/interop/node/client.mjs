// A client: one connection after another, the streams of its matches, and the secrets of its seats.
// docs/protocol.md and docs/fairness.md, "Checks in the client".

import { randomBytes } from "node:crypto";

import { encode, parseAllowed } from "../../../clients/web/src/client/records/canonical.js";
import * as dice from "../../../clients/web/src/client/records/dice.js";
import { foldRecord, fullMatch } from "../../../clients/web/src/client/records/match.js";
import { genesis, isSealed, nextHash, unsealedBody } from "../../../clients/web/src/client/records/records.js";

/** Why a server may close a connection although a client may reconnect: docs/protocol.md, "Closing". */
const PASSING = new Set(["going_away", "fault", "flood", "slow"]);
const LASTING = new Set(["binary", "too_big", "protocol", "bad_frame", "unsupported_version", "hello_expected", "token_expired", "token_bad"]);

const FRAMES_AT_ONCE = 10;

/** The server has closed the connection. */
export class Closed extends Error {
  constructor({ close_reason: reason, text, retry_after_ms: retry }) {
    super(`closed: ${reason}, ${text}`);
    this.mayReturn = PASSING.has(reason) || (!LASTING.has(reason) && retry !== undefined);
  }
}

/** One player. `onChange` is called after everything that was received. */
export class Client {
  constructor(url, WebSocket, onChange = () => {}) {
    Object.assign(this, { url, WebSocket, onChange });
    this.token = "";
    this.player = "";
    this.streams = new Map();
    this.unanswered = new Map();
    this.wantsPush = false;
    this.pushed = new Map();
    this.awaited = new Map();
    this.checks = [];
    this.connections = 0;
    this.nextId = 0;
    this.limits = undefined;
    this.freeAt = 0;
  }

  /** Connect, and take up again everything that was watched and is unanswered. */
  connect() {
    this.connections += 1;
    return new Promise((resolve, reject) => {
      const socket = new this.WebSocket(this.url, { perMessageDeflate: false });
      this.socket = socket;
      socket.on("open", () => this.write({ type: "hello", versions: [1], client: "interop", token: this.token, resume: this.resumes() }));
      socket.on("message", (data, isBinary) => {
        if (socket !== this.socket) return; // what a dropped connection still delivers does not count
        try {
          if (isBinary) throw new Error("a binary frame");
          this.receive(parseAllowed(data.toString("utf8")), resolve);
        } catch (fault) {
          reject(fault);
          this.onChange(fault);
        }
      });
      socket.on("error", reject);
    });
  }

  /** Lose the connection without a word. */
  drop() {
    const { socket } = this;
    this.socket = null;
    socket.terminate();
  }

  resumes() {
    return [...this.streams.values()].map(({ match, seq, reveal, pushes, isOpened, hasHistory }) => ({
      match,
      after: hasHistory ? seq : 0,
      snapshot: !hasHistory,
      reveal_secrets: reveal,
      push_options: pushes,
      push_openings: hasHistory && !isOpened,
    }));
  }

  /** Send a message, as soon as the limits that the server has named in `welcome` allow. */
  write(message) {
    const { socket, limits } = this;
    // A little less than is allowed: frames that were spaced may arrive together. And few at once: whoever connects often,
    // as here, is granted a smaller burst than `frame_burst`.
    const spacing = 1000 / (0.8 * (limits?.frames_per_second ?? 50));
    const now = performance.now();
    this.freeAt = Math.max(this.freeAt, now - FRAMES_AT_ONCE * spacing) + spacing;
    const send = () => socket === this.socket && socket?.send(encode(message));
    if (this.freeAt <= now) send();
    else setTimeout(send, this.freeAt - now);
  }

  /** Send a request; the promise gives its answer, after as many connections as it takes. */
  request(fields) {
    this.nextId += 1;
    const id = `${this.player || "new"}-${this.nextId}`;
    const message = { type: fields.type, id, ...fields };
    return new Promise((resolve) => {
      this.unanswered.set(id, { message, resolve });
      this.write(message);
    });
  }

  // ---------------------------------------------------------------- receiving

  receive(message, welcomed) {
    if (message.type === "welcome") {
      Object.assign(this, { player: message.player, token: message.token, limits: message.limits });
      for (const { message: again } of this.unanswered.values()) this.write(again);
      welcomed();
    } else if (message.type === "watching") {
      this.beginStream(message);
    } else if (message.type === "records") {
      this.append(this.streams.get(message.match), message.records);
    } else if (message.type === "openings") {
      this.open(this.streams.get(message.match), message);
    } else if (message.type === "closing") {
      throw new Closed(message);
    }
    if (message.type === "options" && !message.id) this.takePushed(message);
    this.settle(message);
    this.onChange();
  }

  takePushed(message) {
    this.pushed.set(message.decision, message);
    this.awaited.get(message.decision)?.(message);
    this.awaited.delete(message.decision);
  }

  /** The options that the server sends with the record that opens a decision. */
  pushedOptions(decision) {
    return this.pushed.get(decision) ?? new Promise((resolve) => this.awaited.set(decision, resolve));
  }

  settle(message) {
    const waiting = this.unanswered.get(message.id);
    if (!waiting) return;
    this.unanswered.delete(message.id);
    waiting.resolve(message);
  }

  beginStream({ match, ruleset, after, header, hash, seat = null, reveal_secrets: reveal = false, snapshot = null }) {
    const headerText = encode(header);
    const before = this.streams.get(match);
    if (header.match !== match || header.ruleset !== ruleset) throw new Error("the header is another match's");
    if (after === 0 && hash !== genesis(headerText)) throw new Error("the chain does not begin with the header");
    const goesOn = before && before.reveal === reveal && after === before.seq && !snapshot;
    if (goesOn && hash !== before.hash) throw new Error("earlier records were rewritten");
    if (goesOn) return;
    const secrets = before?.secrets ?? new SeatSecrets(match);
    const pushes = this.wantsPush;
    const state = snapshot && fullMatch(structuredClone(snapshot));
    const hasHistory = !snapshot;
    const known = snapshot && before ? { seq: before.seq, hash: before.hash } : null;
    const stream = { match, header, seq: after, hash, seat, reveal, pushes, state, records: [], secrets, hasHistory, isOpened: false };
    this.streams.set(match, stream);
    if (known) this.checks.push(this.checkContinuation(match, known, { seq: after, hash }));
  }

  /** A snapshot that takes the place of an older one stands for a log that goes on from what was known. */
  async checkContinuation(match, known, head) {
    const found = { ...known };
    while (found.seq < head.seq) {
      const range = await this.request({ type: "get_records", match, after: found.seq, limit: Math.min(256, head.seq - found.seq) });
      if (range.hash !== found.hash) throw new Error("earlier records were rewritten");
      for (const record of range.records) {
        if (record.seq !== found.seq + 1) throw new Error(`record ${record.seq} came after ${found.seq}`);
        found.hash = nextHash(found.hash, record);
        found.seq = record.seq;
      }
    }
    if (found.hash !== head.hash) throw new Error("the snapshot is of another match");
    return head.seq - known.seq;
  }

  /** Every opening of some records of a match that is over. */
  open(stream, { records = [], complete = false }) {
    for (const { seq, openings } of records) {
      const record = { ...stream.records[seq - 1], openings };
      unsealedBody(record);
      const { hash, ...rest } = record;
      stream.records[seq - 1] = { ...rest, hash };
    }
    if (!complete) return;
    stream.state = stream.records.reduce((state, record) => foldRecord(state, unsealedBody(record)), null);
    stream.isOpened = true;
  }

  append(stream, records) {
    for (const record of records) {
      if (record.seq !== stream.seq + 1) throw new Error(`record ${record.seq} came after ${stream.seq}`);
      stream.hash = nextHash(stream.hash, record);
      stream.seq = record.seq;
      const body = unsealedBody(record);
      for (const event of body.events ?? []) {
        if (event.type === "seat_taken" && event.player === this.player) stream.seat = event.seat;
        if (!stream.reveal && stream.seat !== null) stream.secrets.check(stream.seat, event);
      }
      stream.state = foldRecord(stream.state, body);
      stream.records.push({ ...record, hash: stream.hash });
    }
  }

  /** The records up to one, requested by ranges, with the hash after the last and the state that they fold to. */
  async history(match, until, limit) {
    const { header } = this.streams.get(match);
    const found = { seq: 0, hash: genesis(encode(header)), state: null, ranges: 0 };
    while (found.seq < until) {
      const wanted = Math.min(limit, until - found.seq);
      const range = await this.request({ type: "get_records", match, after: found.seq, limit: wanted });
      if (range.hash !== found.hash) throw new Error("the range does not continue the chain");
      for (const record of range.records) {
        if (record.seq !== found.seq + 1) throw new Error(`record ${record.seq} came after ${found.seq}`);
        found.hash = nextHash(found.hash, record);
        found.seq = record.seq;
        found.state = foldRecord(found.state, unsealedBody(record));
      }
      found.ranges += 1;
    }
    return found;
  }

  /** The records of a stream that began at its first one, as a match file. */
  file(match) {
    const { header, records } = this.streams.get(match);
    return [header, ...records].map((line) => `${encode(line)}\n`).join("");
  }
}

/** What a seat must keep, and what the server publishes about it. */
class SeatSecrets {
  constructor(match) {
    this.match = match;
    this.chain = dice.seatChain(randomBytes(16));
    this.commitments = new Set();
    this.given = "";
  }

  get head() {
    return this.chain[0];
  }

  /** The link after the one that was opened last. */
  nonceAfter(opened) {
    this.given = this.chain[this.chain.indexOf(opened) + 1];
    return this.given;
  }

  lock(seat, step, card, opened) {
    const salt = randomBytes(16).toString("hex");
    this.commitments.add(dice.cardCommitment(this.match, step, seat, card, salt));
    return { card, salt, seat_nonce: this.nonceAfter(opened) };
  }

  check(seat, event) {
    const isOwn = event.seat === seat;
    if (isOwn && event.type === "seat_taken") this.demand(event.chain_head === this.head, "another chain head");
    if (isOwn && event.type === "seat_nonce_opened") this.demand(event.seat_nonce === this.given, "another nonce was recorded");
    if (isOwn && event.type === "card_locked") this.demand(this.commitments.has(event.commitment), "another commitment");
    if (event.type === "step_began" && !event.missing?.includes(seat)) {
      this.demand(event.seat_nonces[seat] === this.given, "the dice were made with another nonce");
    }
    if (event.type === "cards_revealed") {
      for (const { seat: owner, card, salt } of event.cards) {
        const made = dice.cardCommitment(this.match, event.step, owner, card, salt);
        if (owner === seat) this.demand(this.commitments.has(made), "another card was revealed");
      }
    }
  }

  demand(isKept, what) {
    if (!isKept) throw new Error(`the server has not kept its promise: ${what}`);
  }
}
