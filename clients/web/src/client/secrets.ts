// The secrets of one seat: its nonce chain, the salts of locked cards, and checks of what the server publishes of them.

import { cardCommitment, hex, randomBytes, seatChain, toHex } from "../core/dice.js";
import type { RecordBody } from "../core/match.js";

import { SEAT_PREFIX, type Keeper } from "./keeper";

export type { Keeper };

export class BrokenPromise extends Error {}

interface Saved {
  readonly farEnd: string;
  readonly commitments: ReadonlyArray<string>;
  readonly atMs?: number;
}

const LINK_BYTES = 16;
const SALT_BYTES = 16;
const MAX_COMMITMENTS = 16;

export const freshSalt = (): string => toHex(randomBytes(SALT_BYTES));

export class SeatSecrets {
  private readonly chain: string[];
  private readonly farEnd: string;
  private commitments: string[];
  /** Whether a former visit made these: then it may have locked cards that are known here only by their commitment. */
  readonly isRestored: boolean;

  constructor(private readonly match: string, private readonly keeper: Keeper) {
    const saved = read(keeper, this.key);
    this.isRestored = saved !== null;
    this.farEnd = saved?.farEnd ?? toHex(randomBytes(LINK_BYTES));
    this.commitments = [...(saved?.commitments ?? [])];
    this.chain = seatChain(hex(this.farEnd));
  }

  get head(): string {
    return this.chain[0] ?? "";
  }

  /** Return the nonce that opens `opened`; empty, which counts as zeros, where this is not a link of the chain. */
  nonceAfter(opened: string | undefined): string {
    const place = opened === undefined ? -1 : this.chain.indexOf(opened);
    return place < 0 ? "" : (this.chain[place + 1] ?? "");
  }

  /** Draw the salt of a card that is about to be locked, and remember its commitment. */
  saltFor(step: number, seat: number, card: string): string {
    const salt = freshSalt();
    this.commitments = [...this.commitments, cardCommitment(this.match, step, seat, card, salt)].slice(-MAX_COMMITMENTS);
    this.save();
    return salt;
  }

  /** Keep the chain before its head is sent: without it the seat could give no nonces after a reload. */
  save(): void {
    const saved: Saved = { farEnd: this.farEnd, commitments: this.commitments, atMs: Date.now() };
    this.keeper.setItem(this.key, JSON.stringify(saved));
  }

  /** Remove what was kept: the seat is lost, or the match is over. */
  forget(): void {
    this.keeper.removeItem(this.key);
  }

  /** Compare a record with what this seat gave. Throws BrokenPromise. */
  check(seat: number, body: RecordBody): void {
    for (const event of body.events ?? []) {
      if (event.type === "seat_taken" && event.seat === seat && !this.isRestored) {
        demand(event.chain_head === this.head, "another chain head was recorded for your seat");
      }
      if (event.type === "step_began" && this.chain.includes(event.seat_nonces?.[seat] ?? "") === false) {
        demand(event.missing?.includes(seat) === true || event.seat_nonces === undefined || this.isRestored,
          "the dice were made with another nonce than yours");
      }
      if (event.type === "card_locked" && event.seat === seat && typeof event.card === "string" && body.actor === undefined) {
        demand(this.isRestored || this.commitments.includes(event.commitment), "another card was locked for your seat");
      }
    }
  }

  private get key(): string {
    return `${SEAT_PREFIX}${this.match}`;
  }
}

function read(keeper: Keeper, key: string): Saved | null {
  try {
    const found = JSON.parse(keeper.getItem(key) ?? "null") as Saved | null;
    return found && /^[0-9a-f]{32}$/.test(found.farEnd) && Array.isArray(found.commitments) ? found : null;
  } catch {
    return null;
  }
}

function demand(isKept: boolean, what: string): void {
  if (!isKept) throw new BrokenPromise(what);
}
