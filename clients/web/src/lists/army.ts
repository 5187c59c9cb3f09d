// An army as it is built in the page.

import type { diskwars } from "../protocol/types";

export interface Army {
  readonly id: string;
  readonly name: string;
  readonly regiments: ReadonlyArray<Required<diskwars.Regiment>>;
  readonly hand: ReadonlyArray<string>;
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

/** Return an army from untrusted JSON; null for anything else. */
export function asArmy(value: unknown): Army | null {
  const { id, name, regiments, hand } = (value ?? {}) as Partial<Army>;
  if (typeof name !== "string" || !Array.isArray(regiments) || !isTexts(hand)) return null;
  const whole = regiments.map((one) => ({ hero: one?.hero, units: one?.units ?? [] }));
  if (!whole.every(({ hero, units }) => typeof hero === "string" && isTexts(units))) return null;
  return { id: typeof id === "string" ? id : newId(), name: name.slice(0, 60), regiments: whole, hand };
}

export const newId = (): string => `own-${Math.floor(Math.random() * 2 ** 40).toString(36)}`;
