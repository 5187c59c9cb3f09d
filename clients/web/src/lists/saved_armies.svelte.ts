// The armies that were built in this browser, in whichever of its tabs.

import { asArmy, type Army } from "./army";

const KEY = "diskwars.armies";
const MAX_ARMIES = 60;

/** What is stored now; null where the browser forbids its storage. */
function read(): ReadonlyArray<Army> | null {
  let text: string | null;
  try {
    text = localStorage.getItem(KEY);
  } catch {
    return null;
  }
  try {
    const found = JSON.parse(text ?? "[]") as unknown;
    return Array.isArray(found) ? found.flatMap((one) => asArmy(one) ?? []) : [];
  } catch {
    return [];
  }
}

class SavedArmies {
  all = $state.raw<ReadonlyArray<Army>>(read() ?? []);

  constructor() {
    addEventListener("storage", ({ key }) => {
      if (key === KEY || key === null) this.all = this.latest;
    });
  }

  keep(army: Army): void {
    this.set([army, ...this.latest.filter(({ id }) => id !== army.id)].slice(0, MAX_ARMIES));
  }

  drop(id: string): void {
    this.set(this.latest.filter((one) => one.id !== id));
  }

  /** With those that another tab has kept since this one read them: writing would lose them. */
  private get latest(): ReadonlyArray<Army> {
    return read() ?? this.all;
  }

  private set(next: ReadonlyArray<Army>): void {
    this.all = next;
    try {
      localStorage.setItem(KEY, JSON.stringify(next));
    } catch {
      // Without storage the armies last as long as the page.
    }
  }
}

export const savedArmies = new SavedArmies();
