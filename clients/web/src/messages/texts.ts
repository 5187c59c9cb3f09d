// Texts of a part of the page that is loaded when it is first shown.

import { format, type Message, type Values } from "./format";
import { catalogue, language } from "./index";

export type { Values };

/** Return the function that looks up a text of this part in the language of the reader. */
export function makeTexts<Key extends string>(part: string, english: Readonly<Record<Key, string>>) {
  return (key: Key, values: Values = {}): string =>
    format((catalogue()?.parts[part]?.[key] ?? english[key]) as Message, values, language());
}

/** Return a text that the page has in other languages only: in English the server or the pack says it. Undefined where there is none. */
export function translatedText(part: string, key: string, values: Values = {}): string | undefined {
  const message = catalogue()?.parts[part]?.[key];
  return message === undefined ? undefined : format(message, values, language());
}
