// The secrets of one seat on this device: nonce chains, salts of locked cards, and checks of what the server publishes.

import { cardCommitment, hex, randomBytes, seatChain, toHex } from "./records/chains.js";
import type { RecordBody, SeatChain } from "./records/match.js";

import { Contradiction, type ContradictionCode } from "./contradiction";
import { SEAT_PREFIX, type Keeper } from "./keeper";

export type { Keeper };

interface Lock {
  readonly step: number;
  readonly commitment: string;
}
interface Saved {
  readonly farEnds: ReadonlyArray<string>;
  readonly locks: ReadonlyArray<Lock>;
  readonly atMs: number;
}
/** The part of an action that only its player could have made. */
export interface SecretParts {
  readonly chain_head?: unknown;
  readonly salt?: unknown;
  readonly seat_nonce?: unknown;
}

const LINK_BYTES = 16;
const SALT_BYTES = 16;
/** Chains that are kept, the newest: one is in force, one waits for its step, and each change of devices adds one. */
const MAX_CHAINS = 4;
const MAX_LOCKS = 16;

export const freshSalt = (): string => toHex(randomBytes(SALT_BYTES));

export class SeatSecrets {
  private readonly chains = new Map<string, ReadonlyArray<string>>();
  private locks: Lock[] = [];
  /** Steps whose recorded lock was made on this device. */
  private readonly kept = new Set<number>();

  constructor(
    private readonly match: string,
    private readonly keeper: Keeper,
  ) {
    this.load();
  }

  // ---------------------------------------------------------------- chains

  /** Make a new chain and return its head. It is kept before it is sent: without it the seat could give no nonces. */
  freshHead(): string {
    this.load();
    const head = this.addChain(toHex(randomBytes(LINK_BYTES)));
    this.save();
    return head;
  }

  /** Return whether a head or nonce belongs to a chain of this device. */
  owns(link: string): boolean {
    return [...this.chains.values()].some((chain) => chain.includes(link));
  }

  /**
   * Return whether this device is in control of the seat: the newest chain that is recorded for it was made here.
   * Another tab of this browser may have made it.
   */
  controls(chain: SeatChain | null): boolean {
    const newest = chain?.new_head ?? chain?.head;
    if (newest === undefined) return false;
    if (this.owns(newest)) return true;
    this.load();
    return this.owns(newest);
  }

  /** Return the nonce that opens `opened`; empty, which counts as zeros, where this is no link of a chain made here. */
  nonceAfter(opened: string | undefined): string {
    if (opened !== undefined && !this.owns(opened)) this.load(); // another tab may have made it
    for (const chain of this.chains.values()) {
      const place = opened === undefined ? -1 : chain.indexOf(opened);
      if (place >= 0) return chain[place + 1] ?? "";
    }
    return "";
  }

  private addChain(farEnd: string): string {
    const chain = seatChain(hex(farEnd));
    this.chains.set(farEnd, chain);
    for (const known of [...this.chains.keys()].slice(0, -MAX_CHAINS)) this.chains.delete(known);
    return chain[0] ?? "";
  }

  // ---------------------------------------------------------------- cards

  /** Draw the salt of a card that is about to be locked, and remember its commitment. */
  saltFor(step: number, seat: number, card: string): string {
    const salt = freshSalt();
    this.load();
    this.locks = [...this.locks, { step, commitment: cardCommitment(this.match, step, seat, card, salt) }].slice(
      -MAX_LOCKS,
    );
    this.save();
    return salt;
  }

  private hasLocked(step: number, commitment: string): boolean {
    return this.locks.some((lock) => lock.step === step && lock.commitment === commitment);
  }

  // ---------------------------------------------------------------- what is kept

  /** Add what is kept: by a former visit, or meanwhile by another tab. */
  private load(): void {
    const saved = read(this.keeper, this.key);
    for (const farEnd of saved.farEnds) if (!this.chains.has(farEnd)) this.addChain(farEnd);
    this.locks = [...this.locks, ...saved.locks.filter(({ step, commitment }) => !this.hasLocked(step, commitment))];
  }

  private save(): void {
    const saved: Saved = { farEnds: [...this.chains.keys()], locks: this.locks, atMs: Date.now() };
    this.keeper.setItem(this.key, JSON.stringify(saved));
  }

  /** Remove one chain: its seat is lost. Those of a seat that was taken later stay. */
  forgetChain(head: string): void {
    this.load();
    const found = [...this.chains].find(([, chain]) => chain[0] === head);
    if (!found) return;
    this.chains.delete(found[0]);
    if (this.chains.size > 0) this.save();
    else this.forget();
  }

  /** Remove what was kept: the match is over. */
  forget(): void {
    this.keeper.removeItem(this.key);
  }

  private get key(): string {
    return `${SEAT_PREFIX}${this.match}`;
  }

  // ---------------------------------------------------------------- checks

  /**
   * Compare a record with what this device gave; `chain` is the chain of the seat before it. Throws Contradiction.
   *
   * What other devices of the player gave cannot be judged here: they take control of the seat first, by a chain of
   * their own, which is recorded and shown.
   */
  check(seat: number, body: RecordBody, chain: SeatChain | null): void {
    for (const event of body.events ?? []) {
      if (event.type === "step_began" && chain !== null && this.owns(chain.head)) {
        const isOwn = this.owns(event.seat_nonces?.[seat] ?? "");
        demand(isOwn || event.missing?.includes(seat) === true || event.seat_nonces === undefined, "dice_nonce");
      }
      if (event.type === "card_locked" && event.seat === seat && body.actor === undefined) {
        this.checkLock(event.step, event.commitment, chain);
      }
      if (event.type === "cards_revealed" && this.kept.has(event.step)) {
        const shown = event.cards.find((one) => one.seat === seat);
        demand(
          shown === undefined ||
            this.hasLocked(event.step, cardCommitment(this.match, event.step, seat, shown.card, shown.salt)),
          "revealed_card",
        );
      }
    }
  }

  private checkLock(step: number, commitment: string, chain: SeatChain | null): void {
    if (!this.hasLocked(step, commitment)) this.load();
    if (this.hasLocked(step, commitment)) return void this.kept.add(step);
    demand(!this.controls(chain) || !this.locks.some((lock) => lock.step === step), "locked_card");
  }

  /** Compare the record of an own action, which the server has accepted, with what was sent. Throws Contradiction. */
  confirm(sent: SecretParts, body: RecordBody): void {
    const recorded = (body.action ?? {}) as SecretParts;
    demand(sent.chain_head === recorded.chain_head, "chain_head");
    demand(sent.salt === recorded.salt, "locked_card");
    demand((sent.seat_nonce ?? "") === (recorded.seat_nonce ?? ""), "seat_nonce");
    for (const event of body.events ?? []) {
      if (event.type === "seat_taken" || event.type === "chain_replaced") {
        demand(event.chain_head === sent.chain_head, "chain_head");
      }
      if (event.type === "card_locked" && sent.salt !== undefined) {
        demand(this.hasLocked(event.step, event.commitment), "locked_card");
      }
    }
  }
}

const NOTHING: Saved = { farEnds: [], locks: [], atMs: 0 };

function read(keeper: Keeper, key: string): Saved {
  try {
    // An earlier version of the page kept one chain.
    const found = JSON.parse(keeper.getItem(key) ?? "null") as (Partial<Saved> & { readonly farEnd?: string }) | null;
    const farEnds = (found?.farEnds ?? [found?.farEnd]).filter(
      (one): one is string => typeof one === "string" && /^[0-9a-f]{32}$/.test(one),
    );
    const locks = Array.isArray(found?.locks) ? found.locks : [];
    return {
      ...NOTHING,
      farEnds,
      locks: locks.filter(({ step, commitment }) => typeof step === "number" && typeof commitment === "string"),
    };
  } catch {
    return NOTHING;
  }
}

function demand(isKept: boolean, code: ContradictionCode): void {
  if (!isKept) throw new Contradiction(code);
}
