// Texts of a part of the page that is loaded when it is first shown.

import { fill, type Values } from "./fill";
import { language } from "./index";

export type { Values };

/** Return the function that looks up a text of this part in the language of the reader. Both tables have every key. */
export function makeTexts<Key extends string>(en: Readonly<Record<Key, string>>, de: Readonly<Record<Key, string>>) {
  return (key: Key, values: Values = {}): string => fill((language() === "de" ? de : en)[key], values);
}
