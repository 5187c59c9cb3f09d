// Tabs as WAI-ARIA describes them: one stop of the Tab key, arrows between the tabs, and panels that are named by their tabs.

const KEYS: Readonly<Record<string, (place: number, count: number) => number>> = {
  ArrowLeft: (place, count) => (place + count - 1) % count,
  ArrowRight: (place, count) => (place + 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Return the attributes of a tab. A panel that is not shown need not exist, so only the chosen tab names its own. */
export const tabAttributes = (group: string, id: string, isChosen: boolean) =>
  ({
    role: "tab",
    id: `${group}-tab-${id}`,
    "aria-selected": isChosen,
    "aria-controls": isChosen ? `${group}-panel-${id}` : undefined,
    tabindex: isChosen ? 0 : -1,
  }) as const;

/** Return the attributes of the panel of a tab. */
export const panelAttributes = (group: string, id: string) =>
  ({ role: "tabpanel", id: `${group}-panel-${id}`, "aria-labelledby": `${group}-tab-${id}` }) as const;

/** Make an element the list of the tabs in it: a key moves the focus and chooses the tab that it comes to. */
export function tabList(list: HTMLElement): { destroy(): void } {
  function keydown(event: KeyboardEvent): void {
    const move = KEYS[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    const tabs = [...list.querySelectorAll<HTMLElement>('[role="tab"]')];
    const place = tabs.findIndex((tab) => tab === document.activeElement);
    const next = tabs[move(place, tabs.length)];
    if (place < 0 || !next) return;
    // Arrows turn a disk of the table and step through a replay as well.
    event.preventDefault();
    event.stopPropagation();
    if (next === tabs[place]) return;
    next.focus();
    next.click();
  }
  list.setAttribute("role", "tablist");
  list.addEventListener("keydown", keydown);
  return { destroy: () => list.removeEventListener("keydown", keydown) };
}
