// Marks of a match on its slider: where rounds, activations and reveals begin, where disks are lost, and how strong each army is.

import type { RecordBody } from "../client/records/match.js";

export interface Moments {
  readonly rounds: ReadonlyArray<{ readonly seq: number; readonly round: number }>;
  readonly activations: ReadonlyArray<number>;
  readonly reveals: ReadonlyArray<number>;
  readonly losses: ReadonlyArray<number>;
  readonly dice: ReadonlyArray<number>;
}

const DICE_EVENTS = new Set([
  "danger_rolled",
  "guard_rolled",
  "impact_rolled",
  "initiative_rolled",
  "shot_fired",
  "shot_scattered",
]);

/** Return where rounds begin, each record once: where nobody has anything to decide, more than one begins in a record. */
export function roundsOf<Event>(
  bodies: ReadonlyArray<{ readonly events?: ReadonlyArray<Event> | undefined }>,
  roundOf: (event: Event) => number | undefined,
): Moments["rounds"] {
  return bodies.flatMap(({ events = [] }, place) => {
    const round = events.map(roundOf).findLast((one) => one !== undefined);
    return round === undefined ? [] : [{ seq: place + 1, round }];
  });
}

export function momentsOf(bodies: ReadonlyArray<RecordBody>): Moments {
  const rounds = roundsOf(bodies, (event) => (event.type === "round_began" ? event.round : undefined));
  const found = { activations: [] as number[], reveals: [] as number[], losses: [] as number[], dice: [] as number[] };
  for (const [place, { events = [] }] of bodies.entries()) {
    const seq = place + 1;
    const kinds = new Set<string>();
    for (const { type } of events) kinds.add(type);
    if (kinds.has("activation_began")) found.activations.push(seq);
    if (kinds.has("cards_revealed")) found.reveals.push(seq);
    if (kinds.has("disks_removed")) found.losses.push(seq);
    if ([...kinds].some((kind) => DICE_EVENTS.has(kind))) found.dice.push(seq);
  }
  return { rounds, ...found };
}

/** Return the record after the last answer of a seat: what has happened since begins there. */
export function sinceLastTurn(bodies: ReadonlyArray<RecordBody>, seat: number | null): number | null {
  const place = bodies.findLastIndex(
    (body) => body.seat === seat && body.decision !== undefined && body.actor === undefined,
  );
  return seat === null || place < 0 ? null : Math.min(bodies.length, place + 1);
}
