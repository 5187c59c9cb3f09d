// The armies that were built in this browser.

import { asArmy, type Army } from "./army";

const KEY = "diskwars.armies";
const MAX_ARMIES = 60;

function read(): Army[] {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]") as unknown;
    return Array.isArray(found) ? found.flatMap((one) => asArmy(one) ?? []) : [];
  } catch {
    return [];
  }
}

class SavedArmies {
  all = $state.raw<ReadonlyArray<Army>>(read());

  keep(army: Army): void {
    this.set([army, ...this.all.filter(({ id }) => id !== army.id)].slice(0, MAX_ARMIES));
  }

  drop(id: string): void {
    this.set(this.all.filter((one) => one.id !== id));
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
