// What the SDK throws.

import type { Closing, Refused } from "../protocol/types";

/**
 * A request that was refused, a match that cannot be followed any more, or a connection that is over. `code` is stable:
 * one of those of `refused` and `closing` in the protocol, or `unreachable`, `stopped`, `contradiction`.
 */
export class DiskwarsError extends Error {
  override readonly name = "DiskwarsError";

  constructor(
    readonly code: string,
    message: string,
    /** Where in the request the fault is, the rule that forbids it, and when to try again. */
    readonly details: { readonly place?: string; readonly rule?: string; readonly retryAfterMs?: number } = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export function refusalError({ code, text, place, rule, retry_after_ms: retryAfterMs }: Refused): DiskwarsError {
  return new DiskwarsError(code, text, {
    ...(place === undefined ? {} : { place }),
    ...(rule === undefined ? {} : { rule }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

export function closingError(closing: Closing | null): DiskwarsError {
  if (closing === null) return new DiskwarsError("stopped", "the client was stopped");
  return new DiskwarsError(closing.close_reason, closing.text);
}
