// The rules in the language of the reader. The register is English; its German texts are loaded where rules are read.

import { language, type Language } from "../messages";
import { de } from "../messages/de/origins";
import { en } from "../messages/en/origins";
import { makeTexts } from "../messages/texts";
import register from "./register.json";

export interface Rule {
  readonly id: string;
  readonly text: string;
  readonly origins: ReadonlyArray<string>;
  readonly language: Language;
}
export interface Section {
  readonly game: string;
  readonly title: string;
  readonly language: Language;
  readonly rules: ReadonlyArray<Rule>;
}

/** A text, and the digest of the English one that it was made from: tools/check_page.py compares it. */
interface Translated {
  readonly of: string;
  readonly text: string;
}
/** The German texts of a ruleset: titles of sections by the English ones, rules by id. */
export interface Translation {
  readonly titles: Readonly<Record<string, Translated>>;
  readonly rules: Readonly<Record<string, Translated>>;
}

export const ENGLISH: ReadonlyArray<Section> = register.map((section) => ({
  ...section,
  language: "en",
  rules: section.rules.map((rule) => ({ ...rule, language: "en" })),
}));

const FILES = import.meta.glob<{ readonly default: Translation }>("../messages/de/rules/*.json");

/** Load all sections in a language. What has no text in it stays English. */
export async function loadSections(wanted: Language): Promise<ReadonlyArray<Section>> {
  if (wanted === "en") return ENGLISH;
  const games = [...new Set(ENGLISH.map(({ game }) => game))];
  const files = await Promise.all(
    games.map(async (game) => [game, (await FILES[`../messages/de/rules/${game}.json`]?.())?.default] as const),
  );
  return translate(ENGLISH, Object.fromEntries(files));
}

/** Put German texts in the place of the English ones. */
export function translate(
  sections: ReadonlyArray<Section>,
  translations: Readonly<Record<string, Translation | undefined>>,
): ReadonlyArray<Section> {
  return sections.map((section) => {
    const found = translations[section.game];
    const title = found?.titles[section.title];
    const rules = section.rules.map((rule): Rule => {
      const text = found?.rules[rule.id]?.text;
      return text === undefined ? rule : { ...rule, text, language: "de" };
    });
    return { ...section, rules, ...(title && { title: title.text, language: "de" as const }) };
  });
}

const originTexts = makeTexts(en, de);

/** Name where a rule comes from, in the language of the reader. */
export const originName = (origin: string): string => (origin in en ? originTexts(origin as keyof typeof en) : origin);

/** Whether a rule has all words that are searched for: in its id or in its text as it is shown. */
export function hasWords({ id, text }: Rule, words: ReadonlyArray<string>): boolean {
  const searched = `${id} ${text}`.toLocaleLowerCase(language());
  return words.every((word) => searched.includes(word));
}
