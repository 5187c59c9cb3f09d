// The texts of the page in the language of the reader.

import { de } from "./de";
import { en, type MessageKey } from "./en";
import { fill, type Values } from "./fill";

export type Language = "de" | "en";
export type { MessageKey };

const TEXTS: Readonly<Record<Language, Readonly<Partial<Record<MessageKey, string>>>>> = { en, de };
let current: Language = "en";

/** Lets whoever derives something from a text derive it again in another language. */
let track: () => void = () => undefined;

/** Set what is called whenever a text is read: the session reads a signal there. */
export function trackLanguage(read: () => void): void {
  track = read;
}

export function language(): Language {
  track();
  return current;
}

export function setLanguage(chosen: Language): void {
  current = chosen;
}

/** Return a text with its values. Values are text: nothing here is ever read as markup. */
export function t(key: MessageKey, values: Values = {}): string {
  return fill(TEXTS[language()][key] ?? en[key], values);
}

const LISTS: Readonly<Record<Language, Readonly<Record<"and" | "or", Intl.ListFormat>>>> = {
  en: {
    and: new Intl.ListFormat("en", { type: "conjunction" }),
    or: new Intl.ListFormat("en", { type: "disjunction" }),
  },
  de: {
    and: new Intl.ListFormat("de", { type: "conjunction" }),
    or: new Intl.ListFormat("de", { type: "disjunction" }),
  },
};

/** Return a text as a sentence: with a full stop, unless it ends with something like it. */
export const sentence = (text: string): string => (/[.?!…]$/.test(text) ? text : `${text}.`);

/** Return an identifier as a word: its first letter large, its hyphens spaces. */
export const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1).replaceAll("-", " ");

const NUMBERS = new Map<string, Intl.NumberFormat>();

/** Return a number with its decimals as the reader writes them: 1.5 or 1,5. */
export function decimal(value: number, digits = 1, least = digits): string {
  const key = `${language()} ${digits} ${least}`;
  const format =
    NUMBERS.get(key) ??
    new Intl.NumberFormat(language(), {
      minimumFractionDigits: least,
      maximumFractionDigits: digits,
      useGrouping: false,
    });
  NUMBERS.set(key, format);
  return format.format(value);
}

/** Return a list of names in words. */
export function names(list: ReadonlyArray<string>, last: "and" | "or" = "and"): string {
  return LISTS[language()][last].format(list);
}
