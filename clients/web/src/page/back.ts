// Back closes what is open over the page before it leaves the page: each open panel has an entry of its own in the history.

interface Panel {
  readonly close: () => void;
}
const panels: Panel[] = [];
let isFollowing = false;
/** Whether the browser is on its way to an earlier entry, which takes a moment. */
let isTravelling = false;
/** The address that was written while a panel was open: the entry below still has the one from before. */
let kept: string | null = null;

/** Return how many panels the current entry of the history stands for. */
const depth = (): number => (history.state as { panels?: number } | null)?.panels ?? 0;

/** Open a panel that Back closes by calling `close`. The function that is returned says that it has been closed otherwise. */
export function openPanel(close: () => void): () => void {
  if (!isFollowing) addEventListener("popstate", followPop, { capture: true });
  isFollowing = true;
  const panel = { close };
  panels.push(panel);
  settle();
  return () => {
    const at = panels.indexOf(panel);
    if (at >= 0) panels.splice(at, 1);
    // One panel may open as another closes: it takes over the entry.
    setTimeout(settle);
  };
}

/** Let Back close the panel that an element is in, as an action of the element. */
export function closedByBack(_: HTMLElement, close: () => void): { destroy(): void } {
  return { destroy: openPanel(close) };
}

/** Write another address into the current entry of the history. */
export function renameAddress(address: string): void {
  history.replaceState(history.state, "", address);
  if (panels.length || isTravelling) kept = address;
}

/** Go to another address. It takes the place of an open panel's entry, so that Back leads to the page below. */
export function pushAddress(address: string): void {
  if (depth()) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  kept = null;
}

/** Give the history one entry for each open panel. */
function settle(): void {
  if (isTravelling) return;
  while (depth() < panels.length) history.pushState({ panels: depth() + 1 }, "", location.href);
  if (depth() <= panels.length) return;
  isTravelling = true;
  history.go(panels.length - depth());
}

function followPop(): void {
  if (!isTravelling) while (panels.length > depth()) panels.pop()?.close();
  isTravelling = false;
  // Before others read it: the page goes on showing the moment that it shows.
  if (kept !== null) history.replaceState(history.state, "", kept);
  if (!panels.length) kept = null;
  settle();
}
