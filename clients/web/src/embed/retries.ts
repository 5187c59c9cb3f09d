// When a match that could not be shown is asked for again, and what the embed shows meanwhile.

import type { Fault } from "./fetching";

/** A match that has no board yet, or is under way, is read again after this long, while it is in view. */
export const AGAIN_MS = 20_000;
export const MAX_READS = 180;
const MAX_BUSY_ATTEMPTS = 5;

export interface Retry {
  readonly text: `embed.fault.${Fault["kind"] | "overloaded"}`;
  /** After how long the match is asked for again; null for not at all. */
  readonly waitMs: number | null;
  /** Whether readers may ask for it themselves. */
  readonly isOffered: boolean;
}

/** Return what follows a fault, which is the `attempts`th of its kind, counted from 1. */
export function planRetry({ kind, waitMs }: Pick<Fault, "kind" | "waitMs">, attempts: number): Retry {
  if (kind === "busy") {
    const isLast = attempts >= MAX_BUSY_ATTEMPTS;
    return { text: `embed.fault.${isLast ? "overloaded" : kind}`, waitMs: isLast ? null : waitMs, isOffered: isLast };
  }
  const isAwaited = kind === "nothing" && attempts < MAX_READS;
  return { text: `embed.fault.${kind}`, waitMs: isAwaited ? AGAIN_MS : null, isOffered: kind === "away" };
}
