// How a part of the page is loaded: again where the server had no time for it, and with the whole page where a new version
// of the server has other parts.

const MAX_ATTEMPTS = 5;
/** A part is not waited for longer than this, whatever the server says. */
const MAX_WAIT_MS = 120_000;
const FIRST_WAIT_MS = 1_000;
const BUSY_CODES: ReadonlyArray<number> = [429, 503];

/** What is known of a part that was not loaded: when to ask again, that it is gone, that it is there, or that no server is. */
type Verdict = { readonly kind: "busy"; readonly waitMs: number } | { readonly kind: "gone" | "there" | "unreachable" };

/** What loading a part needs of its surroundings. */
export interface Surroundings {
  readonly ask: (address: string) => Promise<Response>;
  readonly wait: (ms: number) => Promise<void>;
  /** Reload the page, unless that was done a moment ago. Returns whether it is reloaded. */
  readonly reload: () => boolean;
  readonly onWait: (ms: number) => void;
}

/** Load a part; throws what the last attempt threw. */
export async function loadWithin<Part>(load: () => Promise<Part>, around: Surroundings): Promise<Part> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await load();
    } catch (fault) {
      const verdict = await judge(fault, around.ask);
      if (verdict.kind === "unreachable" || attempt === MAX_ATTEMPTS) throw fault;
      if (verdict.kind === "gone") return await reloaded(fault, around);
      const waitMs = verdict.kind === "busy" ? verdict.waitMs : FIRST_WAIT_MS * 2 ** (attempt - 1);
      around.onWait(waitMs);
      await around.wait(waitMs);
      around.onWait(0);
      // A style sheet that failed is not asked for again, nor is a module that a browser remembers as missing.
      if (isOfStyles(fault) || (verdict.kind === "there" && attempt > 1)) return await reloaded(fault, around);
    }
  }
}

/** Wait for the new page; throw where it may not be loaded yet again. */
function reloaded(fault: unknown, { reload }: Surroundings): Promise<never> {
  return reload()
    ? new Promise<never>(() => undefined)
    : Promise.reject(fault instanceof Error ? fault : new Error(String(fault)));
}

const isOfStyles = (fault: unknown): boolean => /\bCSS\b/.test(String(fault));
/** The address that the browser's error names; otherwise that of the page, which the same limits hold for. */
const failedAddress = (fault: unknown): string =>
  /(?:https?:\/\/|\/assets\/)[^\s"']+\.(?:css|js)/.exec(String(fault))?.[0] ?? "/";

async function judge(fault: unknown, ask: Surroundings["ask"]): Promise<Verdict> {
  try {
    const answer = await ask(failedAddress(fault));
    if (BUSY_CODES.includes(answer.status)) return { kind: "busy", waitMs: waitOf(answer) };
    return { kind: answer.ok ? "there" : "gone" };
  } catch {
    return { kind: "unreachable" };
  }
}

/** Retry-After is in seconds or a date. */
function waitOf({ headers }: Response): number {
  const text = headers.get("Retry-After") ?? "";
  const ms = /^\d+$/.test(text) ? 1000 * Number(text) : Date.parse(text) - Date.now();
  return Math.min(MAX_WAIT_MS, Math.max(FIRST_WAIT_MS, Number.isNaN(ms) ? FIRST_WAIT_MS : ms));
}
