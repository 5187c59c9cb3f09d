// Recovery codes of an account, kept for this tab until their owner has taken them: the page is loaded again in between.

const KEY = "diskwars.recovery_codes";

interface Kept {
  readonly player: string;
  readonly codes: ReadonlyArray<string>;
}

/** Return the codes of a player that nobody has taken yet; another player of this browser does not see them. */
export function keptCodes(player: string): ReadonlyArray<string> {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Partial<Kept> | null;
    const isTheirs = kept?.player === player && Array.isArray(kept.codes);
    return isTheirs ? (kept.codes ?? []).filter((code) => typeof code === "string") : [];
  } catch {
    return []; // The browser forbids storage, or something else wrote there.
  }
}

export function keepCodes(player: string, codes: ReadonlyArray<string>): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ player, codes } satisfies Kept));
  } catch {
    return; // Without storage there is no token after the reload either, and the page says so.
  }
}

export function forgetCodes(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    return;
  }
}
