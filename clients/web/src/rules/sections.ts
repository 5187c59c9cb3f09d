// The rules in the language of the reader. The register is English; its other texts are loaded where rules are read.

import { ENGLISH as SOURCE, language, type Language } from "../messages";
import en from "../messages/en/parts/origins.json";
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
/** The texts of a ruleset in another language: titles of sections by the English ones, rules by id. */
export interface Translation {
  readonly titles: Readonly<Record<string, Translated>>;
  readonly rules: Readonly<Record<string, Translated>>;
}

export const ENGLISH: ReadonlyArray<Section> = register.map((section) => ({
  ...section,
  language: SOURCE,
  rules: section.rules.map((rule) => ({ ...rule, language: SOURCE })),
}));

const FILES = import.meta.glob<{ readonly default: Translation }>("../messages/*/rules/*.json");

/** Load all sections in a language. What has no text in it stays English. */
export async function loadSections(wanted: Language): Promise<ReadonlyArray<Section>> {
  if (wanted === SOURCE) return ENGLISH;
  const games = [...new Set(ENGLISH.map(({ game }) => game))];
  const files = await Promise.all(
    games.map(async (game) => [game, (await FILES[`../messages/${wanted}/rules/${game}.json`]?.())?.default] as const),
  );
  return translate(ENGLISH, Object.fromEntries(files), wanted);
}

/** Put the texts of another language in the place of the English ones. */
export function translate(
  sections: ReadonlyArray<Section>,
  translations: Readonly<Record<string, Translation | undefined>>,
  wanted: Language,
): ReadonlyArray<Section> {
  return sections.map((section) => {
    const found = translations[section.game];
    const title = found?.titles[section.title];
    const rules = section.rules.map((rule): Rule => {
      const text = found?.rules[rule.id]?.text;
      return text === undefined ? rule : { ...rule, text, language: wanted };
    });
    return { ...section, rules, ...(title && { title: title.text, language: wanted }) };
  });
}

const originTexts = makeTexts("origins", en);

/** Name where a rule comes from, in the language of the reader. */
export const originName = (origin: string): string => (origin in en ? originTexts(origin as keyof typeof en) : origin);

/** Whether a rule has all words that are searched for: in its id or in its text as it is shown. */
export function hasWords({ id, text }: Rule, words: ReadonlyArray<string>): boolean {
  const searched = `${id} ${text}`.toLocaleLowerCase(language());
  return words.every((word) => searched.includes(word));
}
