// Recovery codes of a new account, kept for this tab until their owner has taken them: the page is loaded again in between.

const KEY = "diskwars.recovery_codes";

/** Return the codes that nobody has taken yet. */
export function keptCodes(): ReadonlyArray<string> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((code): code is string => typeof code === "string") : [];
  } catch {
    return []; // The browser forbids storage, or something else wrote there.
  }
}

/** Keep codes; none of them forgets those that are kept. */
export function keepCodes(codes: ReadonlyArray<string>): void {
  try {
    if (codes.length > 0) sessionStorage.setItem(KEY, JSON.stringify(codes));
    else sessionStorage.removeItem(KEY);
  } catch {
    return; // Without storage there is no token after the reload either, and the page says so.
  }
}
