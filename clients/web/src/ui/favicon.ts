// The sign of the page in the bar of tabs: with a dot while it is the player's turn.

const ICONS = { plain: "/icon.svg", turn: "/icon-turn.svg" } as const;

export function showDot(isTurn: boolean): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const wanted = isTurn ? ICONS.turn : ICONS.plain;
  if (link && link.getAttribute("href") !== wanted) link.setAttribute("href", wanted);
}
