// The texts of the page in the language of the reader.

import { LANGUAGES, LOADERS } from "virtual:languages";

import { english, type MessageKey } from "./english";
import { format, type Message, type Values } from "./format";

/** The tag of a language: the name of a folder here. */
export type Language = string;
export { LANGUAGES };
export type { MessageKey };

/** The texts of a language: the common ones, and those of each part of the page. */
interface Catalogue {
  readonly common: Readonly<Record<string, Message>>;
  readonly parts: Readonly<Record<string, Readonly<Record<string, Message>>>>;
}
export const ENGLISH: Language = "en";
const loaded = new Map<Language, Catalogue>();
let current = ENGLISH;

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
export const isEnglish = (): boolean => language() === ENGLISH;

/** Return the texts of the language of the reader; nothing in English, whose texts are imported where they are used. */
export const catalogue = (): Catalogue | undefined => loaded.get(language());

/** Load the texts of a language unless they are there: English always is. */
export async function loadLanguage(wanted: Language): Promise<void> {
  if (!loaded.has(wanted) && LOADERS[wanted]) loaded.set(wanted, (await LOADERS[wanted]()).default as Catalogue);
}
export const isLoaded = (wanted: Language): boolean => wanted === ENGLISH || loaded.has(wanted);

/** Choose one of the languages that are loaded. */
export function setLanguage(chosen: Language): void {
  current = isLoaded(chosen) ? chosen : ENGLISH;
}

/** Return the first language of a list of tags, as `navigator.languages` is one, that the page has. */
export const pickLanguage = (wanted: ReadonlyArray<string>): Language =>
  wanted.map((tag) => tag.split("-")[0] ?? "").find((tag) => LANGUAGES.includes(tag)) ?? ENGLISH;

/** Return what a language is called by those who speak it. */
export const languageName = (tag: Language): string =>
  capital(new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag);

/** Return a text with its values. Values are text: nothing here is ever read as markup. */
export function t(key: MessageKey, values: Values = {}): string {
  return format(catalogue()?.common[key] ?? (english[key] as Message), values, language());
}
/** Whether there is a text of this name. */
export const isMessageKey = (key: string): key is MessageKey => Object.hasOwn(english, key);

const LISTS = new Map<string, Intl.ListFormat>();

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
  const key = `${language()} ${last}`;
  const format =
    LISTS.get(key) ?? new Intl.ListFormat(language(), { type: last === "and" ? "conjunction" : "disjunction" });
  LISTS.set(key, format);
  return format.format(list);
}
