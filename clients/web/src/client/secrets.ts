// The secrets of one seat on this device: nonce chains, salts of locked cards, and checks of what the server publishes.

import { cardCommitment, hex, opensSeatChain, randomBytes, seatChain, toHex } from "./records/chains.js";
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
  /** The head of each chain, in the same order. */
  readonly heads: ReadonlyArray<string>;
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

/** A chain of this device. Its links are computed when one is needed: that takes as long as to check 300 records. */
class OwnChain {
  private computed: ReadonlyArray<string> | null = null;

  /** `keptHead` is its head as it was stored with the far end. */
  constructor(
    private readonly farEnd: string,
    private readonly keptHead?: string,
  ) {}

  get links(): ReadonlyArray<string> {
    return (this.computed ??= seatChain(hex(this.farEnd)));
  }
  get head(): string {
    return this.keptHead ?? this.links[0] ?? "";
  }
}

export class SeatSecrets {
  private readonly chains = new Map<string, OwnChain>();
  /** Links that are in chains of this device for certain, for they open one that is. */
  private readonly opened = new Set<string>();
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
    const chains = [...this.chains.values()];
    if (this.opened.has(link) || chains.some(({ head }) => head === link)) return true;
    return chains.some(({ links }) => links.includes(link));
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
    for (const { links } of this.chains.values()) {
      const place = opened === undefined ? -1 : links.indexOf(opened);
      if (place >= 0) return links[place + 1] ?? "";
    }
    return "";
  }

  /** Whether a nonce is of a chain of this device; `head` is the link that it opens. */
  private ownsNext(nonce: string, head: string): boolean {
    // Who can open a link of a chain has the links after it: to know that, the chain need not be computed.
    const isNext = this.owns(head) && opensSeatChain(nonce, head);
    if (isNext) this.opened.add(nonce);
    return isNext || this.owns(nonce);
  }

  private addChain(farEnd: string, keptHead?: string): string {
    const chain = new OwnChain(farEnd, keptHead);
    this.chains.set(farEnd, chain);
    for (const known of [...this.chains.keys()].slice(0, -MAX_CHAINS)) this.chains.delete(known);
    return chain.head;
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
    for (const [place, farEnd] of saved.farEnds.entries())
      if (!this.chains.has(farEnd)) this.addChain(farEnd, saved.heads[place] || undefined);
    this.locks = [...this.locks, ...saved.locks.filter(({ step, commitment }) => !this.hasLocked(step, commitment))];
  }

  private save(): void {
    const heads = [...this.chains.values()].map(({ head }) => head);
    const saved: Saved = { farEnds: [...this.chains.keys()], heads, locks: this.locks, atMs: Date.now() };
    this.keeper.setItem(this.key, JSON.stringify(saved));
  }

  /** Remove one chain: its seat is lost. Those of a seat that was taken later stay. */
  forgetChain(head: string): void {
    this.load();
    const found = [...this.chains].find(([, chain]) => chain.head === head);
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
        const isOwn = this.ownsNext(event.seat_nonces?.[seat] ?? "", chain.head);
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

const NOTHING: Saved = { farEnds: [], heads: [], locks: [], atMs: 0 };
const isLink = (one: unknown): one is string => typeof one === "string" && /^[0-9a-f]{32}$/.test(one);

function read(keeper: Keeper, key: string): Saved {
  try {
    // An earlier version of the page kept one chain.
    const found = JSON.parse(keeper.getItem(key) ?? "null") as (Partial<Saved> & { readonly farEnd?: string }) | null;
    const written = found?.farEnds ?? [found?.farEnd];
    const farEnds = written.filter(isLink);
    const heads = written.flatMap((one, place) => {
      const head: unknown = found?.heads?.[place];
      return isLink(one) ? [isLink(head) ? head : ""] : [];
    });
    const locks = Array.isArray(found?.locks) ? found.locks : [];
    return {
      ...NOTHING,
      farEnds,
      heads,
      locks: locks.filter(({ step, commitment }) => typeof step === "number" && typeof commitment === "string"),
    };
  } catch {
    return NOTHING;
  }
}

function demand(isKept: boolean, code: ContradictionCode): void {
  if (!isKept) throw new Contradiction(code);
}
