// Marks of a match on its slider: where rounds, activations and reveals begin, where disks are lost, and how strong each army is.

import type { RecordBody } from "../core/match.js";

export interface Moments {
  readonly rounds: ReadonlyArray<{ readonly seq: number; readonly round: number }>;
  readonly activations: ReadonlyArray<number>;
  readonly reveals: ReadonlyArray<number>;
  readonly losses: ReadonlyArray<number>;
  readonly dice: ReadonlyArray<number>;
}

const DICE_EVENTS = new Set(["danger_rolled", "guard_rolled", "impact_rolled", "initiative_rolled", "shot_fired", "shot_scattered"]);

export function momentsOf(bodies: ReadonlyArray<RecordBody>): Moments {
  const found = { rounds: [] as { seq: number; round: number }[], activations: [] as number[], reveals: [] as number[], losses: [] as number[], dice: [] as number[] };
  for (const [place, { events = [] }] of bodies.entries()) {
    const seq = place + 1;
    const kinds = new Set<string>();
    for (const event of events) {
      kinds.add(event.type);
      if (event.type === "round_began") found.rounds.push({ seq, round: event.round });
    }
    if (kinds.has("activation_began")) found.activations.push(seq);
    if (kinds.has("cards_revealed")) found.reveals.push(seq);
    if (kinds.has("disks_removed")) found.losses.push(seq);
    if ([...kinds].some((kind) => DICE_EVENTS.has(kind))) found.dice.push(seq);
  }
  return found;
}

/** Return the record after the last answer of a seat: what has happened since begins there. */
export function sinceLastTurn(bodies: ReadonlyArray<RecordBody>, seat: number | null): number | null {
  const place = bodies.findLastIndex((body) => body.seat === seat && body.decision !== undefined && body.actor === undefined);
  return seat === null || place < 0 ? null : Math.min(bodies.length, place + 1);
}
