// The parts of the page that are loaded when they are needed.

import { loadWithin, type Surroundings } from "./part_loading";

/** After this long, another reload of the page may have another cause. */
const RELOAD_AGAIN_MS = 60_000;
const RELOADED_KEY = "diskwars.reloaded";

class Parts {
  /** How long a part that is missing is waited for; 0 where none is. */
  waitMs = $state(0);

  readonly load = <Part>(load: () => Promise<Part>): Promise<Part> => loadWithin(load, this.around);

  private readonly around: Surroundings = {
    // The answer that failed may be kept; no-store asks the server.
    ask: (address) => fetch(address, { cache: "no-store" }),
    wait: (ms) => new Promise((done) => setTimeout(done, ms)),
    reload: reloadOnce,
    onWait: (ms) => (this.waitMs = ms),
  };
}

function reloadOnce(): boolean {
  try {
    // A clock that was set back since must not forbid it until it is as late again.
    const sinceMs = Date.now() - Number(sessionStorage.getItem(RELOADED_KEY) ?? 0);
    if (sinceMs >= 0 && sinceMs < RELOAD_AGAIN_MS) return false;
    sessionStorage.setItem(RELOADED_KEY, String(Date.now()));
  } catch {
    return false; // Without storage it might reload for ever: the page says that it failed.
  }
  location.reload();
  return true;
}

export const parts = new Parts();
/** Load a part of the page: `{#await loadPart(() => import("…"))}`. */
export const loadPart = parts.load;
