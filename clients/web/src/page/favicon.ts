// The sign of the page in the bar of tabs: with a dot while it is the player's turn in a match.

const ICONS = { plain: "/icon.svg", turn: "/icon-turn.svg" } as const;

/** The parts of the page that know of a decision that waits. */
const waiting = new Set<"lists" | "table">();

export function showDot(where: "lists" | "table", isTurn: boolean): void {
  if (isTurn) waiting.add(where);
  else waiting.delete(where);
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const wanted = waiting.size ? ICONS.turn : ICONS.plain;
  if (link && link.getAttribute("href") !== wanted) link.setAttribute("href", wanted);
}
