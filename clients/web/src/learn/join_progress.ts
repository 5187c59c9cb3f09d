// What two devices say of the first match, joined: nothing that was done is ever lost.

import type { GuidedMatch } from "../protocol/types";

/** Return the names of both, each once. */
export function joinNames(known: ReadonlyArray<string>, added: ReadonlyArray<string>): ReadonlyArray<string> {
  return [...new Set([...known, ...added])];
}

/** Return the guided match that began later; of one match, the hints that were read on either device. */
export function joinGuided(one: GuidedMatch | null, other: GuidedMatch | null): GuidedMatch | null {
  if (!one || !other) return one ?? other;
  if (one.match !== other.match)
    return one.begun_ms > other.begun_ms || (one.begun_ms === other.begun_ms && one.match > other.match) ? one : other;
  return {
    match: one.match,
    begun_ms: Math.max(one.begun_ms, other.begun_ms),
    hints: [...joinNames(one.hints ?? [], other.hints ?? [])],
    is_over: one.is_over === true || other.is_over === true,
  };
}

/** Whose progress a device keeps. */
export interface ProgressOwner {
  readonly player: string;
  readonly isGuest: boolean;
}

/** Whether what a device keeps is of another account. What a guest has done is theirs under the account they log in to. */
export function isOfAnother(kept: unknown, { player }: ProgressOwner): boolean {
  const owner = kept as Partial<ProgressOwner> | null;
  return typeof owner?.player === "string" && owner.player !== player && owner.isGuest !== true;
}
