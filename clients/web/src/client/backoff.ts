// How long to wait before the next attempt to connect.

export const FIRST_DELAY_MS = 250;
/** A server that was killed is started again within seconds: for as many attempts, some half a minute, no delay is longer. */
export const QUICK_DELAY_MS = 1_000;
export const QUICK_ATTEMPTS = 40;
export const MAX_DELAY_MS = 15_000;

/** Return the delay before attempt `attempt` (0 is the first); up to half of it is random, so that clients spread. */
export function delayMs(attempt: number, random: () => number, atLeastMs = 0): number {
  const full =
    attempt < QUICK_ATTEMPTS
      ? Math.min(QUICK_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt)
      : Math.min(MAX_DELAY_MS, QUICK_DELAY_MS * 2 ** (attempt - QUICK_ATTEMPTS + 1));
  return Math.max(atLeastMs, Math.round(full / 2 + (full / 2) * random()));
}
