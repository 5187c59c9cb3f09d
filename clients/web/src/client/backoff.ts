// How long to wait before the next attempt to connect.

export const FIRST_DELAY_MS = 250;
export const MAX_DELAY_MS = 15_000;

/** Return the delay before attempt `attempt` (0 is the first); up to half of it is random, so that clients spread. */
export function delayMs(attempt: number, random: () => number, atLeastMs = 0): number {
  const full = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt);
  return Math.max(atLeastMs, Math.round(full / 2 + (full / 2) * random()));
}
