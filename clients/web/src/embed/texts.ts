// Texts of the embed. It has those of all languages, which are few, and nothing else of the page's catalogues.

import de from "../messages/de/parts/embed.json";
import en from "../messages/en/parts/embed.json";
import pl from "../messages/pl/parts/embed.json";

type Key = keyof typeof en;
const CATALOGUES: Readonly<Record<string, Readonly<Record<Key, string>>>> = { en, de, pl };
type Values = Readonly<Record<string, number | string>>;

/** Return the first language of a list of tags, as `navigator.languages` is one, that the embed has. */
export const pickLanguage = (wanted: ReadonlyArray<string>): string =>
  wanted.map((tag) => tag.split("-")[0] ?? "").find((tag) => Object.hasOwn(CATALOGUES, tag)) ?? "en";

export const language = pickLanguage(typeof navigator === "object" ? navigator.languages : []);

/** Return a text with its values. They are text: nothing here is ever read as markup. */
export const t = (key: Key, values: Values = {}, tag = language): string =>
  (CATALOGUES[tag] ?? en)[key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

export const names = (list: ReadonlyArray<string>): string =>
  new Intl.ListFormat(language, { type: "conjunction" }).format(list);
