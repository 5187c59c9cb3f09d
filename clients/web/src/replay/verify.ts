// Checks of a match by the page's own code: the chain of hashes, openings, dice and locked cards. Rulings need the rules engine.

import { letterOf } from "../client/records/seats";
import type { MatchStream } from "../client/stream";
import { encode } from "../client/records/canonical.js";
import { cardCommitment, drawsOf, facesOf, stepKeys, toHex, type DrawLike } from "../client/records/dice.js";
import { countSealed, genesis, isSealed, nextHash, unsealedBody } from "../client/records/records.js";
import type { RecordBody } from "../client/records/match.js";
import { t } from "../messages";

export type CheckId = "chain" | "dice" | "locks" | "openings";
export interface Check {
  readonly id: CheckId;
  /** How much was checked, and how much could not be yet. */
  readonly checked: number;
  readonly open: number;
  /** The first record that is wrong, and why. */
  readonly fault: { readonly seq: number; readonly text: string } | null;
  /** The last hash, for the chain. */
  readonly head: string;
}

export interface StepDraw extends DrawLike {
  readonly step: number;
}

const passed = (id: CheckId, checked: number, open = 0, head = ""): Check => ({ id, checked, open, fault: null, head });
const failed = (id: CheckId, checked: number, seq: number, text: string): Check => ({
  id,
  checked,
  open: 0,
  fault: { seq, text },
  head: "",
});

/** Yield one row after another, so that a page can show each as it is done. */
export function* verifyMatch(stream: Pick<MatchStream, "bodies" | "header" | "records">): Generator<Check> {
  yield checkChain(stream);
  yield checkOpenings(stream);
  yield checkDice(stream.bodies);
  yield checkLocks(stream.header.match, stream.bodies);
}

function checkChain({ header, records }: Pick<MatchStream, "header" | "records">): Check {
  let head = genesis(encode(header));
  for (const record of records) {
    head = nextHash(head, record);
    if (record.hash !== undefined && record.hash !== head)
      return failed("chain", record.seq - 1, record.seq, t("verify.fault.hash"));
  }
  return passed("chain", records.length, 0, head);
}

function checkOpenings({ records }: Pick<MatchStream, "records">): Check {
  let [checked, open] = [0, 0];
  for (const record of records) {
    try {
      open += countSealed(unsealedBody(record));
    } catch {
      return failed("openings", checked, record.seq, t("verify.fault.opening"));
    }
    checked += record.openings?.length ?? 0;
  }
  return passed("openings", checked, open);
}

interface DiceStep {
  readonly nonces: ReadonlyArray<string>;
  /** The server's link; empty until it is published, which happens when the next step begins, or at the end. */
  readonly link: string;
}

function diceSteps(bodies: ReadonlyArray<RecordBody>): { anchor: string; steps: DiceStep[] } {
  const steps: { nonces: ReadonlyArray<string>; link: string }[] = [];
  let anchor = "";
  for (const event of bodies.flatMap(({ events = [] }) => events)) {
    if (event.type === "match_opened") anchor = event.anchor;
    const last = steps.at(-1);
    if (last && (event.type === "step_began" || event.type === "match_ended")) last.link = event.server_link;
    if (event.type === "step_began") steps.push({ nonces: event.seat_nonces ?? [], link: "" });
  }
  return { anchor, steps };
}

/** Return the keys of the steps of the dice, as far as their links are published; `keys[0]` is of no step. */
export function diceKeys(bodies: ReadonlyArray<RecordBody>): Uint8Array[] {
  const { anchor, steps } = diceSteps(bodies);
  return stepKeys(anchor, steps);
}

export interface DrawProof extends DiceStep {
  /** The key of the step, and the faces that it gives; null until the link is published. */
  readonly key: string | null;
  readonly faces: ReadonlyArray<number> | null;
}

/** Return what the faces of a draw follow from. */
export function proofOf(draw: StepDraw, bodies: ReadonlyArray<RecordBody>): DrawProof {
  const { anchor, steps } = diceSteps(bodies);
  const key = draw.step > 0 ? stepKeys(anchor, steps)[draw.step] : undefined;
  return {
    ...(steps[draw.step - 1] ?? { nonces: [], link: "" }),
    key: key ? toHex(key) : null,
    faces: key ? facesOf(draw, key) : null,
  };
}

/** Whether a card that a record turns up is the one that its seat locked; null where the lock is not known. */
export function isLockedCard(
  match: string,
  bodies: ReadonlyArray<RecordBody>,
  seq: number,
  { seat, card, salt }: { readonly seat: number; readonly card: string; readonly salt: string },
): boolean | null {
  for (let place = Math.min(seq, bodies.length) - 1; place >= 0; place -= 1) {
    const lock = bodies[place]?.events?.find((event) => event.type === "card_locked" && event.seat === seat);
    if (lock?.type === "card_locked") return cardCommitment(match, lock.step, seat, card, salt) === lock.commitment;
  }
  return null;
}

/** Whether a draw shows the faces that its step gives; null as long as the link of the step is not published. */
export function isProved(draw: StepDraw, keys: ReadonlyArray<Uint8Array>): boolean | null {
  const key = draw.step > 0 ? keys[draw.step] : undefined;
  return key ? facesOf(draw, key).join() === draw.results.join() : null;
}

function checkDice(bodies: ReadonlyArray<RecordBody>): Check {
  const keys = diceKeys(bodies);
  let [checked, open] = [0, 0];
  for (const [place, { events = [] }] of bodies.entries()) {
    for (const draw of drawsOf(events) as StepDraw[]) {
      const proof = isProved(draw, keys);
      if (proof === false)
        return failed("dice", checked, place + 1, t("verify.fault.draw", { index: draw.index, step: draw.step }));
      if (proof === null) open += 1;
      else checked += 1;
    }
  }
  return passed("dice", checked, open);
}

function checkLocks(match: string, bodies: ReadonlyArray<RecordBody>): Check {
  const locks = new Map<number, { readonly commitment: string; readonly step: number }>();
  let checked = 0;
  let open = 0;
  for (const [place, { events = [] }] of bodies.entries()) {
    for (const event of events) {
      if (event.type === "card_locked") {
        locks.set(event.seat, event);
        if (isSealed(event.card)) open += 1;
      }
      if (event.type !== "cards_revealed") continue;
      for (const { seat, card, salt } of event.cards) {
        const lock = locks.get(seat);
        if (!lock) continue;
        if (cardCommitment(match, lock.step, seat, card, salt) !== lock.commitment)
          return failed("locks", checked, place + 1, t("verify.fault.lock", { seat: letterOf(seat).toUpperCase() }));
        checked += 1;
      }
    }
  }
  return passed("locks", checked, Math.max(0, open - checked));
}
