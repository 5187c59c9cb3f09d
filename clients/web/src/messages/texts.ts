// Texts of a part of the page that is loaded when it is first shown.

import { language } from "./index";

export type Values = Readonly<Record<string, string | number>>;

/** Return the function that looks up a text of this part in the language of the reader. Both tables have every key. */
export function makeTexts<Key extends string>(en: Readonly<Record<Key, string>>, de: Readonly<Record<Key, string>>) {
  return (key: Key, values: Values = {}): string =>
    (language() === "de" ? de : en)[key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
