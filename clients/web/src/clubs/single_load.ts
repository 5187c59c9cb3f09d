// What is asked for again and again: never without a server, and never twice at once.

/** Return a function that runs `load` while `isOnline` says so, and not again before it is done. */
export function singleLoad(load: () => Promise<void>, isOnline: () => boolean): () => Promise<void> {
  let isLoading = false;
  return async () => {
    // Without a server, requests would wait for it, and all be sent at once when it is back.
    if (isLoading || !isOnline()) return;
    isLoading = true;
    try {
      await load();
    } finally {
      isLoading = false;
    }
  };
}
