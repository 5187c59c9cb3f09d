// Catalogues of texts: ICU messages in JSON, read by FormatJS when the page is built and compiled to what the page formats.
// A folder of src/messages is a language. English is imported where it is used, every other language is one chunk.

import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { parse, TYPE } from "@formatjs/icu-messageformat-parser";

/**
 * @typedef {import("@formatjs/icu-messageformat-parser").MessageFormatElement} Element
 * @typedef {import("@formatjs/icu-messageformat-parser").SelectElement} Select
 * @typedef {import("@formatjs/icu-messageformat-parser").PluralElement} Plural
 * @typedef {import("./src/messages/format").Message} Message
 * @typedef {Readonly<Record<string, string>>} Texts
 */

export const MESSAGES = path.join(path.dirname(fileURLToPath(import.meta.url)), "src", "messages");
export const SOURCE_LANGUAGE = "en";
const LANGUAGES_MODULE = "virtual:languages";
const LANGUAGE_MODULE = "virtual:language/";
const PARTS = "parts";
const CATALOGUE = /[\\/]messages[\\/][a-z]{2}(?:-\w+)?[\\/](?:parts[\\/])?\w+\.json$/;

/** Return the languages of a folder of catalogues: the names of its folders, English first. */
export function listLanguages(folder = MESSAGES) {
  const found = fs.readdirSync(folder, { withFileTypes: true }).filter((one) => one.isDirectory());
  const others = found.map(({ name }) => name).filter((name) => name !== SOURCE_LANGUAGE);
  return [SOURCE_LANGUAGE, ...others.sort()];
}

/**
 * Return the catalogues of a language, each with its topic: `lobby`, or `parts/cards` for one loaded with a part of the page.
 *
 * @param {string} language
 * @returns {{ topic: string, file: string, texts: Texts }[]}
 */
export function readCatalogues(language, folder = MESSAGES) {
  return ["", PARTS].flatMap((part) => {
    const place = path.join(folder, language, part);
    const files = fs.existsSync(place) ? fs.readdirSync(place).filter((name) => name.endsWith(".json")) : [];
    return files.sort().map((name) => {
      const file = path.join(place, name);
      const topic = [part, path.basename(name, ".json")].filter(Boolean).join("/");
      return { topic, file, texts: JSON.parse(fs.readFileSync(file, "utf8")) };
    });
  });
}

/**
 * Parse an ICU message; markup in it is text.
 *
 * @param {string} text
 */
export const parseMessage = (text) => parse(text, { ignoreTag: true, requiresOtherClause: true });

/**
 * Compile an ICU message: a string with `{name}` for each value, or a list of such strings and of choices,
 * `[name, cases]` for a select and `[name, cases, 1]` for a plural.
 *
 * @param {string} text
 */
export const compileMessage = (text) => pack(parseMessage(text), null);

/**
 * @param {ReadonlyArray<Element>} elements
 * @param {string | null} counted what `#` stands for
 * @returns {Message}
 */
function pack(elements, counted) {
  /** @type {Exclude<Message, string>[number][]} */
  const pieces = [];
  const add = (/** @type {string} */ text) => {
    const last = pieces.at(-1);
    if (typeof last === "string") pieces[pieces.length - 1] = last + text;
    else pieces.push(text);
  };
  for (const element of elements) {
    if (element.type === TYPE.literal) {
      if (/[{}]/.test(element.value)) throw new SyntaxError("a brace cannot be a part of a text");
      add(element.value);
    } else if (element.type === TYPE.argument) add(`{${element.value}}`);
    else if (element.type === TYPE.pound) add(`{${counted}}`);
    else if (element.type === TYPE.select) pieces.push([element.value, packCases(element, counted)]);
    else if (element.type === TYPE.plural) {
      if (element.offset || element.pluralType === "ordinal") throw new SyntaxError("no offset and no ordinal here");
      pieces.push([element.value, packCases(element, element.value), 1]);
    } else throw new SyntaxError("numbers, dates and markup are formatted by the page, not by a text");
  }
  const [first = ""] = pieces;
  return pieces.length < 2 && typeof first === "string" ? first : pieces;
}

/**
 * @param {Select | Plural} element
 * @param {string | null} counted
 * @returns {Record<string, Message>}
 */
const packCases = ({ options }, counted) =>
  Object.fromEntries(Object.entries(options).map(([name, { value }]) => [name, pack(value, counted)]));

/**
 * Compile the texts of a catalogue; a fault names its key.
 *
 * @param {Texts} texts
 * @param {string} topic
 * @returns {Record<string, Message>}
 */
function compileTexts(texts, topic) {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => {
      try {
        return [key, compileMessage(text)];
      } catch (fault) {
        throw new SyntaxError(`${topic}, ${key}: ${fault instanceof Error ? fault.message : fault}`, { cause: fault });
      }
    }),
  );
}

/**
 * Return a whole language as the page loads it: the common texts in one table, and a table for each part.
 *
 * @param {string} language
 */
function compileLanguage(language, folder = MESSAGES) {
  /** @type {{ common: Record<string, Message>, parts: Record<string, Record<string, Message>> }} */
  const compiled = { common: {}, parts: {} };
  for (const { topic, texts } of readCatalogues(language, folder)) {
    const table = compileTexts(texts, `${language}/${topic}.json`);
    if (topic.startsWith(`${PARTS}/`)) compiled.parts[topic.slice(PARTS.length + 1)] = table;
    else Object.assign(compiled.common, table);
  }
  return compiled;
}

/**
 * The plugin of the build. `virtual:languages` lists the folders and loads one of them.
 *
 * @returns {import("vite").Plugin}
 */
export function catalogues() {
  return {
    name: "catalogues",
    enforce: "pre",
    resolveId: (id) => (id === LANGUAGES_MODULE || id.startsWith(LANGUAGE_MODULE) ? `\0${id}` : null),
    load(id) {
      if (id === `\0${LANGUAGES_MODULE}`) {
        const languages = listLanguages();
        const loaders = languages
          .filter((language) => language !== SOURCE_LANGUAGE)
          .map((language) => `"${language}": () => import("${LANGUAGE_MODULE}${language}")`);
        return `export const LANGUAGES = ${JSON.stringify(languages)};\nexport const LOADERS = { ${loaders.join(", ")} };`;
      }
      if (!id.startsWith(`\0${LANGUAGE_MODULE}`)) return null;
      const language = id.slice(LANGUAGE_MODULE.length + 1);
      for (const { file } of readCatalogues(language)) this.addWatchFile(file);
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(compileLanguage(language)))});`;
    },
    transform(code, id) {
      if (!CATALOGUE.test(id)) return null;
      return { code: JSON.stringify(compileTexts(JSON.parse(code), path.relative(MESSAGES, id))), map: null };
    },
  };
}
