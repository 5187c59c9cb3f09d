// Work that may wait until the browser has drawn.

/** A page that is not in view draws nothing: then it goes on after this long. */
const HIDDEN_MS = 250;

/** Call back once the next frame is drawn. Returns what cancels it. */
export function afterFrame(act: () => void): () => void {
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    timer = setTimeout(act);
  });
  let timer = setTimeout(() => {
    cancelAnimationFrame(frame);
    act();
  }, HIDDEN_MS);
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

/** Before this, even a busy browser has had time for what can be seen. */
const IDLE_MS = 4_000;

/** Call back once the browser has nothing to do. Returns what cancels it. */
export function whenIdle(act: () => void): () => void {
  // Safari has no idle callbacks.
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(act, IDLE_MS);
    return () => clearTimeout(timer);
  }
  const waiting = requestIdleCallback(act, { timeout: IDLE_MS });
  return () => cancelIdleCallback(waiting);
}

/** Whether the user has asked the browser to load as little as possible. */
export const isSparing = (): boolean =>
  (navigator as { readonly connection?: { readonly saveData?: boolean } }).connection?.saveData === true;
