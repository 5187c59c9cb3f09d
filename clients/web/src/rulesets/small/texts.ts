// The texts of the small games, loaded with them.

import en from "../../messages/en/parts/small.json";
import { makeTexts, translatedText } from "../../messages/texts";

export const smallText = makeTexts("small", en);

/** A chance as a percentage: what may happen is never 0 %, and what may fail never 100 %. */
export function percent(chance: number): string {
  const rounded = Math.round(100 * chance);
  if (rounded === 0 && chance > 0) return "<\u00a01\u00a0%";
  return rounded === 100 && chance < 1 ? ">\u00a099\u00a0%" : `${rounded}\u00a0%`;
}

/** What the reader calls a piece, a weapon or a card. One of a pack that the page does not know is called as the pack calls it. */
export const contentName = (name: string): string => translatedText("content_names", name) ?? name;
