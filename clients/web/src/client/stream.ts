// The records of one match as they arrive: checked for gaps and hashes, folded, and kept for the replay.

import { encode } from "../core/canonical.js";
import { foldLog, foldRecord, type MatchState, type RecordBody } from "../core/match.js";
import { genesis, nextHash, unsealedBody, type ReceivedRecord } from "../core/records.js";
import type { MatchHeader, Openings, Watching, diskwars } from "../protocol/types";

/** Records between two kept states: a seek folds fewer records than this. */
const CHECKPOINT_RECORDS = 32;
/** Options of decisions that are kept: those that are open, and a few that were. */
const MAX_OPTIONS = 16;

/** The server has sent records that do not follow from those before. */
export class BrokenChain extends Error {}

export class MatchStream {
  readonly match: string;
  readonly header: MatchHeader;
  readonly records: ReceivedRecord[] = [];
  readonly bodies: RecordBody[] = [];
  readonly options = new Map<string, diskwars.Options>();
  state: MatchState | null = null;
  seat: number | null;
  seq = 0;
  head: number;
  hash: string;
  isOpened = false;
  /** Why the match is frozen: what the server sent contradicts itself. */
  fault: string | null = null;
  private checkpoints = new Map<number, MatchState>();

  constructor(watching: Pick<Watching, "match" | "header" | "head"> & { readonly seat?: number }) {
    this.match = watching.match;
    this.header = watching.header;
    this.head = watching.head;
    this.seat = watching.seat ?? null;
    this.hash = genesis(encode(watching.header));
  }

  /** Take up a watch that goes on after the last record known here. Throws BrokenChain. */
  continueWith(watching: Watching): void {
    if (watching.after !== this.seq || watching.hash !== this.hash) throw new BrokenChain("earlier records were rewritten");
    this.seat = watching.seat ?? this.seat;
    this.head = watching.head;
  }

  /** Take the next records. Throws BrokenChain. */
  append(records: ReadonlyArray<ReceivedRecord>): RecordBody[] {
    const added: RecordBody[] = [];
    for (const record of records) {
      if (record.seq !== this.seq + 1) throw new BrokenChain(`record ${record.seq} came after ${this.seq}`);
      const hash = nextHash(this.hash, record);
      if (record.hash !== undefined && record.hash !== hash) throw new BrokenChain(`the hash of record ${record.seq} is wrong`);
      const body = unsealedBody(record);
      this.hash = hash;
      this.seq = record.seq;
      this.head = Math.max(this.head, record.seq);
      this.records.push({ ...record, hash });
      this.bodies.push(body);
      this.state = body.taken_back_to === undefined ? foldRecord(this.state, body) : foldLog(this.bodies);
      this.keepCheckpoint();
      added.push(body);
    }
    return added;
  }

  /** Insert the secrets of an ended match into its records. The last message folds all records again. */
  open({ records = [], complete = false }: Openings): void {
    for (const { seq, openings } of records) {
      const record = this.records[seq - 1];
      if (!record) throw new BrokenChain(`openings of record ${seq}, which is not known`);
      const { hash, ...rest } = { ...record, openings };
      this.records[seq - 1] = hash === undefined ? rest : { ...rest, hash };
      this.bodies[seq - 1] = unsealedBody(rest);
    }
    if (!complete) return;
    this.checkpoints.clear();
    this.state = foldLog(this.bodies);
    this.isOpened = true;
  }

  keepOptions(decision: string, options: diskwars.Options): void {
    this.options.set(decision, options);
    for (const known of [...this.options.keys()].slice(0, -MAX_OPTIONS)) this.options.delete(known);
  }

  /** Return the state after a record; a copy, which the next call may change. */
  stateAt(seq: number): MatchState | null {
    if (seq >= this.seq) return this.state;
    const from = Math.floor(seq / CHECKPOINT_RECORDS) * CHECKPOINT_RECORDS;
    const taken = this.bodies.slice(0, seq).some((body) => body.taken_back_to !== undefined);
    if (taken) return foldLog(structuredClone(this.bodies.slice(0, seq)));
    let state: MatchState | null = null;
    let at = 0;
    for (let place = from; place > 0 && at === 0; place -= CHECKPOINT_RECORDS) {
      const known = this.checkpoints.get(place);
      if (known) [state, at] = [structuredClone(known), place];
    }
    for (; at < seq; at += 1) {
      const body = this.bodies[at];
      if (body) state = foldRecord(state, structuredClone(body));
      if ((at + 1) % CHECKPOINT_RECORDS === 0 && state && !this.checkpoints.has(at + 1)) {
        this.checkpoints.set(at + 1, structuredClone(state));
      }
    }
    return state;
  }

  /** Return the records as a match file. */
  file(): string {
    return [this.header, ...this.records].map((line) => `${encode(line)}\n`).join("");
  }

  private keepCheckpoint(): void {
    if (this.seq % CHECKPOINT_RECORDS === 0 && this.state) this.checkpoints.set(this.seq, structuredClone(this.state));
  }
}
