// The records of one match as they arrive: checked for gaps and hashes, folded, and kept for the replay.

import { encode } from "./records/canonical.js";
import {
  copyMatch,
  foldRecord,
  foldTakeback,
  opensItsDecisions,
  type MatchState,
  type RecordBody,
} from "./records/match.js";
import { positionFault } from "./records/position_bounds.js";
import {
  genesis,
  nextHash,
  unsealedBody,
  WrongRecord,
  type MatchFile,
  type ReceivedRecord,
} from "./records/records.js";
import type { MatchHeader, Openings, Watching, diskwars } from "../protocol/types";
import { asContradiction, Contradiction } from "./contradiction";
import type { SecretParts } from "./secrets";

/** Records between two kept states: a seek folds fewer records than this. */
const CHECKPOINT_RECORDS = 16;
/** Options of decisions that are kept: those that are open, and a few that were. */
const MAX_OPTIONS = 16;

/** Records are missing or repeated: some were lost on their way, and another connection brings them. */
export class RecordGap extends Error {}

export class MatchStream {
  readonly match: string;
  readonly header: MatchHeader;
  readonly records: ReceivedRecord[] = [];
  readonly bodies: RecordBody[] = [];
  readonly options = new Map<string, diskwars.Options>();
  /** Own actions that were accepted before their records came, by the numbers of these. */
  readonly unconfirmed = new Map<number, SecretParts>();
  state: MatchState | null = null;
  seat: number | null;
  /** The head of the chain by which this player took a seat last. */
  chainHead: string | null = null;
  /** Who that is, once they have sat down in these records. */
  private player: string | null = null;
  seq = 0;
  head: number;
  isOpened = false;
  /** The last record whose openings have been pushed. */
  openedSeq = 0;
  /** Whether it has ever been as far as the server said. Until then, what it holds is a part of a history, and no position. */
  hasCaughtUp = false;
  /** Whether its player sees each round once it is over, unless they take a seat. */
  private isLate = false;
  /** How many people without a seat watch, on all nodes, as the server said last. */
  watchers = 0;
  /** Why the match is frozen. */
  fault: Contradiction | null = null;
  /** The hash after the last record that has been checked, and its number. */
  private checkedHash: string;
  private checkedSeq = 0;
  private readonly checkpoints = new Map<number, MatchState>();
  private readonly undone = new Set<number>();

  constructor(watching: Pick<Watching, "match" | "header" | "head"> & Partial<Watching>) {
    this.match = watching.match;
    this.header = watching.header;
    this.head = watching.head;
    this.seat = watching.seat ?? null;
    this.checkedHash = genesis(encode(watching.header));
    this.hasCaughtUp = this.head === 0;
    this.isLate = Boolean(watching.is_delayed) || Boolean(watching.will_be_delayed);
  }

  /** The hash after the last record. Throws Contradiction. */
  get hash(): string {
    this.check();
    return this.checkedHash;
  }

  /** Whether there is nothing left to check: the hash of every record has been compared, or the match is frozen. */
  get isChecked(): boolean {
    return this.fault !== null || this.checkedSeq === this.seq;
  }

  /** Freeze the match at its last right record. An earlier wrong hash, or an earlier fault, is what it is frozen for. */
  freeze(fault: Contradiction): void {
    try {
      this.check();
    } catch {
      // `check` has frozen it at an earlier record.
    }
    this.fault ??= fault;
  }

  /**
   * Compute the hashes of the next records that were folded before. At a wrong one the match is frozen, at the last
   * right record. Throws Contradiction.
   */
  check(limit = Number.POSITIVE_INFINITY): void {
    const until = Math.min(this.seq, this.checkedSeq + limit);
    try {
      while (this.checkedSeq < until) {
        const record = this.records[this.checkedSeq] as ReceivedRecord;
        this.checkedHash = this.hashOf(record);
        this.records[this.checkedSeq] = { ...record, hash: this.checkedHash };
        this.checkedSeq += 1;
      }
    } catch (fault) {
      this.forgetUnchecked();
      this.fault ??= asContradiction(fault, this.seq + 1);
      throw this.fault;
    }
  }

  private hashOf(record: ReceivedRecord): string {
    const hash = nextHash(this.checkedHash, record);
    if (record.hash !== undefined && record.hash !== hash) throw new Contradiction("wrong_hash", record.seq);
    return hash;
  }

  /** Forget the records that have not been checked, and all that follows of them alone. */
  private forgetUnchecked(): void {
    const player = this.player ?? this.state?.seats[this.seat ?? -1]?.player ?? null;
    this.records.length = this.bodies.length = this.seq = this.head = this.checkedSeq;
    // There is nothing more to come: the last right board may be shown.
    this.hasCaughtUp = true;
    this.openedSeq = Math.min(this.openedSeq, this.seq);
    for (const known of [this.checkpoints, this.unconfirmed])
      for (const seq of [...known.keys()]) if (seq > this.seq) known.delete(seq);
    this.state = this.foldTo(this.seq);
    this.undone.clear();
    for (const [place, { taken_back_to: to }] of this.bodies.entries())
      if (to !== undefined) for (let seq = to + 1; seq <= place; seq += 1) this.undone.add(seq);
    this.sitAgain(player);
  }

  /** Seat a player where the records have them. */
  private sitAgain(player: string | null): void {
    const seat = player === null ? -1 : (this.state?.seats.findIndex((one) => one.player === player) ?? -1);
    const taken = this.bodies
      .flatMap(({ events = [] }) => events)
      .findLast((event) => event.type === "seat_taken" && event.player === player && event.seat === seat);
    [this.seat, this.chainHead] = [seat < 0 ? null : seat, taken?.type === "seat_taken" ? taken.chain_head : null];
  }

  /** Whether another round is being played than the one that is shown. */
  get isBehind(): boolean {
    return this.isLate && this.seat === null && this.state !== null && this.state.status === "running";
  }

  /** Check that a watch begins with the header of its match. Throws Contradiction. */
  requireBegin({ match, hash }: Watching): void {
    if (this.header.match !== match) throw new Contradiction("foreign_header");
    if (hash !== this.hash) throw new Contradiction("wrong_start");
  }

  /** Take up a watch that goes on after the last record known here. Throws Contradiction. */
  continueWith(watching: Watching): void {
    if (watching.after !== this.seq || watching.hash !== this.hash) throw new Contradiction("rewritten");
    this.seat = watching.seat ?? this.seat;
    this.watchers = 0;
    this.head = watching.head;
    this.isLate = Boolean(watching.is_delayed) || Boolean(watching.will_be_delayed);
  }

  sit(player: string, seat: number, chainHead: string): void {
    Object.assign(this, { player, seat, chainHead });
  }

  /** Return the match of a file, whose hashes and openings `readFile` has checked. Throws Contradiction, WrongRecord. */
  static ofFile({ header, records, bodies, head }: MatchFile & { readonly header: MatchHeader }): MatchStream {
    const stream = new MatchStream({ match: header.match, header, head: records.length });
    for (const [place, record] of records.entries()) {
      const body = bodies[place] as RecordBody;
      // Of a branch that a server has, the server knows that a match can have come to its position.
      const fault = positionFault(body, header.ruleset);
      if (fault !== null) throw new WrongRecord(record.seq, `no match can have come to this position, ${fault}`);
      stream.store(record, body);
    }
    stream.checkedHash = head;
    stream.checkedSeq = stream.seq;
    return stream;
  }

  /** Throw RecordGap unless these are the next records. */
  requireNext(records: ReadonlyArray<ReceivedRecord>): void {
    const found = records.find(({ seq }, place) => seq !== this.seq + 1 + place);
    if (found || records.length === 0) throw new RecordGap(`record ${found?.seq ?? "none"} came after ${this.seq}`);
  }

  /**
   * Take the next records. Those of a history are folded, and their hashes left to `check`: it takes longer than all the
   * rest, and nothing of them but their last board is shown. Throws Contradiction, RecordGap.
   */
  append(records: ReadonlyArray<ReceivedRecord>): RecordBody[] {
    const added: RecordBody[] = [];
    for (const record of records) {
      this.requireNext([record]);
      const isHistory = !this.hasCaughtUp;
      if (!isHistory) this.check();
      const hash = isHistory ? null : this.hashOf(record);
      const body = unsealedBody(record);
      this.store(hash === null ? record : { ...record, hash }, body);
      if (hash !== null) [this.checkedHash, this.checkedSeq] = [hash, record.seq];
      added.push(body);
    }
    return added;
  }

  private store(record: ReceivedRecord, body: RecordBody): void {
    this.seq = record.seq;
    this.head = Math.max(this.head, record.seq);
    if (this.seq === this.head) this.hasCaughtUp = true;
    this.records.push(record);
    this.bodies.push(body);
    this.fold(body);
  }

  /** Insert the secrets of an ended match into its records. The last message folds all records again. */
  open({ records = [], complete = false }: Openings): void {
    this.check();
    for (const { seq, openings } of records) {
      this.openedSeq = seq;
      const record = this.records[seq - 1];
      if (!record) throw new Contradiction("unknown_record", seq);
      const { hash, ...rest } = { ...record, openings };
      this.records[seq - 1] = hash === undefined ? rest : { ...rest, hash };
      this.bodies[seq - 1] = unsealedBody(rest);
    }
    if (!complete) return;
    this.checkpoints.clear();
    this.undone.clear();
    const head = this.seq;
    this.state = null;
    for (this.seq = 1; this.seq <= head; this.seq += 1) this.fold(this.bodies[this.seq - 1] as RecordBody);
    this.seq = head;
    this.isOpened = true;
  }

  keepOptions(decision: string, options: diskwars.Options): void {
    this.options.set(decision, options);
    for (const known of [...this.options.keys()].slice(0, -MAX_OPTIONS)) this.options.delete(known);
  }

  /** Return the state after a record; a copy, which the next call may change. */
  stateAt(seq: number): MatchState | null {
    return seq >= this.seq ? this.state : this.foldTo(seq);
  }

  /** Fold to a record from the nearest state that is kept before it. */
  private foldTo(seq: number): MatchState | null {
    let at = 0;
    for (const known of this.checkpoints.keys()) if (known <= seq && known > at) at = known;
    const kept = this.checkpoints.get(at);
    let state = kept ? copyMatch(kept) : null;
    for (; at < seq; at += 1) {
      const body = this.bodies[at];
      if (body) state = this.foldOne(state, body, at + 1);
      if ((at + 1) % CHECKPOINT_RECORDS === 0 && state && !this.checkpoints.has(at + 1))
        this.checkpoints.set(at + 1, copyMatch(state));
    }
    return state;
  }

  private foldOne(state: MatchState | null, body: RecordBody, seq: number): MatchState {
    const to = body.taken_back_to;
    if (to === undefined) return foldRecord(state, body);
    // Nothing before the record that it goes back to is folded again.
    return foldTakeback(this.foldTo(to), this.bodies.slice(to, seq - 1), body);
  }

  /** Return the records as a match file; of a frozen match, or of one that is frozen by this, those that are right. */
  file(): string {
    try {
      if (this.fault === null) this.check();
    } catch {
      // `check` has frozen the match.
    }
    return [this.header, ...this.records.slice(0, this.checkedSeq)].map((line) => `${encode(line)}\n`).join("");
  }

  /** Fold the record with the number `seq`. */
  private fold(body: RecordBody): void {
    const to = body.taken_back_to;
    if (to !== undefined) {
      if (to < 1 || to >= this.seq || this.undone.has(to) || !opensItsDecisions(this.seq, body))
        throw new Contradiction("wrong_takeback", this.seq);
      for (let seq = to + 1; seq < this.seq; seq += 1) this.undone.add(seq);
    }
    try {
      this.state = this.foldOne(this.state, body, this.seq);
    } catch (fault) {
      throw asContradiction(fault, this.seq);
    }
    if (to !== undefined || this.seq % CHECKPOINT_RECORDS === 0) this.checkpoints.set(this.seq, copyMatch(this.state));
  }
}
