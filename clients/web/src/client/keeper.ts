// What keeps small texts between visits, so that a full or forbidden store never breaks a match.

/** `localStorage`, or a map in tests. `keys` is there where old entries can be found and removed. */
export interface Keeper {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
  keys?(): ReadonlyArray<string>;
}

export const SEAT_PREFIX = "diskwars.seat.";
/** Secrets of a seat that nobody has used for so long are removed: matches are abandoned long before. */
const MAX_SEAT_AGE_MS = 180 * 24 * 3600 * 1000;

/** Return a keeper that never throws: what the store does not take lasts as long as the page. */
export function sturdyKeeper(store: Keeper): Keeper {
  const unkept = new Map<string, string>();
  return {
    getItem(key) {
      try {
        return unkept.get(key) ?? store.getItem(key);
      } catch {
        return unkept.get(key) ?? null;
      }
    },
    setItem(key, value) {
      unkept.delete(key);
      try {
        store.setItem(key, value);
      } catch {
        unkept.set(key, value); // the store is full
      }
    },
    removeItem(key) {
      unkept.delete(key);
      try {
        store.removeItem(key);
      } catch {
        // The store is forbidden: there is nothing in it.
      }
    },
    keys: () => [...(store.keys?.() ?? []), ...unkept.keys()],
  };
}

/** Remove the secrets of seats that were used last before a time. Those without a time were kept by an earlier version of the page. */
export function removeOldSeats(keeper: Keeper, nowMs: number): void {
  for (const key of keeper.keys?.() ?? []) {
    if (!key.startsWith(SEAT_PREFIX)) continue;
    try {
      const { atMs = nowMs } = JSON.parse(keeper.getItem(key) ?? "{}") as { readonly atMs?: number };
      if (nowMs - atMs > MAX_SEAT_AGE_MS) keeper.removeItem(key);
    } catch {
      keeper.removeItem(key);
    }
  }
}

/** Return the browser's store as a keeper. */
export const browserKeeper = (storage: Storage): Keeper => ({
  getItem: (key) => storage.getItem(key),
  setItem: (key, value) => storage.setItem(key, value),
  removeItem: (key) => storage.removeItem(key),
  keys: () => Array.from({ length: storage.length }, (_, place) => storage.key(place) ?? ""),
});
