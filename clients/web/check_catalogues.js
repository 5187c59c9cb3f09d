// Check the catalogues of texts: missing, unknown and unused keys, values that languages do not share, and plural forms.

import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { TYPE } from "@formatjs/icu-messageformat-parser";

import {
  compileMessage,
  listLanguages,
  MESSAGES,
  parseMessage,
  readCatalogues,
  SOURCE_LANGUAGE,
} from "./catalogues.js";

/**
 * @typedef {import("./catalogues.js").Element} Element
 * @typedef {import("./catalogues.js").Texts} Texts
 * @typedef {{ readonly values: Set<string>, readonly shown: Set<string>, readonly counted: Set<string>, readonly plurals: string[][] }} Uses
 * @typedef {Readonly<Record<string, string>>} Sources the text of each file, by its path in src
 */

/** What `format.ts` gives to every message. */
const GIVEN = new Set(["pointer"]);
/** Topics whose keys are made of what the server says: codes, options, sources of rules. Tests hold those complete. */
const NAMED_BY_SERVER = new Set(["parts/options", "parts/origins", "parts/refusals"]);

/**
 * Return a line for each fault of a folder with a folder for each language.
 *
 * @param {string} folder
 * @returns {string[]}
 */
export function findFaults(folder = MESSAGES) {
  const languages = listLanguages(folder).map((language) => ({
    language,
    topics: new Map(readCatalogues(language, folder).map(({ topic, texts }) => [topic, texts])),
  }));
  const faults = languages.flatMap(({ language, topics }) =>
    [...topics].flatMap(([topic, texts]) =>
      findOwnFaults(texts, language).map((line) => `${language}/${topic}: ${line}`),
    ),
  );
  const [source, ...others] = languages;
  for (const topic of new Set(languages.flatMap(({ topics }) => [...topics.keys()]))) {
    // What English leaves to the server or to a pack is compared with the first language that says it.
    const model = source?.topics.has(topic) ? source : others.find(({ topics }) => topics.has(topic));
    for (const { language, topics } of others.filter((one) => one !== model)) {
      const lines = compareTexts(model?.topics.get(topic) ?? {}, topics.get(topic));
      faults.push(...lines.map((line) => `${language}/${topic}: ${line}`));
    }
  }
  for (const { language, topics } of others)
    for (const [topic, texts] of source && hasFormsOf(language, source.language) ? source.topics : [])
      faults.push(
        ...findUncounted(texts, topics.get(topic) ?? {}).map((line) => `${source?.language}/${topic}: ${line}`),
      );
  return [...faults, ...findRepeated(source?.topics ?? new Map())];
}

/** @type {(language: string, other: string) => boolean} */
const hasFormsOf = (language, other) => formsOf(language).join() === formsOf(other).join();
const formsOf = (/** @type {string} */ language) => new Intl.PluralRules(language).resolvedOptions().pluralCategories;

/**
 * Return a line for each number without plural forms for which a translation with the same forms has some.
 *
 * @param {Texts} texts
 * @param {Texts} translated
 */
function findUncounted(texts, translated) {
  return Object.entries(texts).flatMap(([key, text]) => {
    const { shown, counted } = usesOf(text);
    const wanted = [...usesOf(translated[key] ?? "").counted].filter((name) => shown.has(name) && !counted.has(name));
    return wanted.map((name) => `${key} has no plural forms for {${name}}`);
  });
}

/**
 * Return what is wrong with texts by themselves: their syntax, and plural forms that their language lacks or has not.
 *
 * @param {Texts} texts
 * @param {string} language
 */
export function findOwnFaults(texts, language) {
  const forms = formsOf(language);
  return Object.entries(texts).flatMap(([key, text]) => {
    if (typeof text !== "string" || !text.trim()) return [`${key} is no text`];
    try {
      compileMessage(text);
    } catch (fault) {
      return [`${key}: ${fault instanceof Error ? fault.message : fault}`];
    }
    return usesOf(text).plurals.flatMap((cases) => {
      const named = cases.filter((name) => !name.startsWith("="));
      const missing = forms.filter((form) => !named.includes(form));
      const strange = named.filter((name) => !forms.some((form) => form === name));
      return [
        ...(missing.length ? [`${key} lacks the plural form ${missing.join(", ")}`] : []),
        ...(strange.length ? [`${key} has the plural form ${strange.join(", ")}, which ${language} has not`] : []),
      ];
    });
  });
}

/**
 * Return what is wrong with a translation: keys that it lacks or has alone, and values that it lacks or has alone.
 *
 * @param {Texts} model
 * @param {Texts | undefined} texts
 */
export function compareTexts(model, texts) {
  if (!texts) return ["no such file"];
  const faults = Object.keys(texts)
    .filter((key) => !Object.hasOwn(model, key))
    .map((key) => `${key} is unknown`);
  for (const [key, text] of Object.entries(model)) {
    const translated = texts[key];
    if (translated === undefined) {
      faults.push(`${key} is missing`);
      continue;
    }
    const [wanted, used] = [usesOf(text), usesOf(translated)];
    // A language may not need what another only chooses a form by.
    const missing = [...wanted.shown].filter((name) => !used.values.has(name));
    const strange = [...used.values].filter((name) => !wanted.values.has(name));
    if (missing.length) faults.push(`${key} lacks {${missing.join("}, {")}}`);
    if (strange.length) faults.push(`${key} has {${strange.join("}, {")}}, which is not given`);
  }
  return faults;
}

/**
 * Return a line for each key that two of the common topics have.
 *
 * @param {ReadonlyMap<string, Texts>} topics
 */
function findRepeated(topics) {
  const places = new Map();
  return [...topics]
    .filter(([topic]) => !topic.includes("/"))
    .flatMap(([topic, texts]) =>
      Object.keys(texts).flatMap((key) => {
        const before = places.get(key);
        places.set(key, topic);
        return before ? [`${SOURCE_LANGUAGE}/${topic}: ${key} is in ${before} too`] : [];
      }),
    );
}

/**
 * Return the values of a message, those that it shows, and the cases of its plurals; of one that is no message, nothing.
 *
 * @param {string} text
 * @returns {Uses}
 */
function usesOf(text) {
  /** @type {Uses} */
  const uses = { values: new Set(), shown: new Set(), counted: new Set(), plurals: [] };
  const visit = (/** @type {ReadonlyArray<Element>} */ elements, counted = "") => {
    for (const element of elements) {
      if (element.type === TYPE.argument) uses.shown.add(element.value);
      if (element.type === TYPE.pound) uses.shown.add(counted);
      if (element.type !== TYPE.literal && element.type !== TYPE.pound && !GIVEN.has(element.value))
        uses.values.add(element.value);
      if (element.type === TYPE.plural) {
        uses.plurals.push(Object.keys(element.options));
        uses.counted.add(element.value);
      }
      if (element.type === TYPE.plural || element.type === TYPE.select)
        for (const { value } of Object.values(element.options))
          visit(value, element.type === TYPE.plural ? element.value : counted);
    }
  };
  try {
    visit(parseMessage(text));
  } catch {
    // `findOwnFaults` names it.
  }
  return uses;
}

/**
 * Return a line for each key of English that no source names, as a word or by a template that makes it.
 *
 * @param {ReadonlyMap<string, Texts>} topics
 * @param {Sources} sources
 */
export function findUnused(topics, sources) {
  const all = Object.values(sources).join("\n");
  const common = Object.values(sources).flatMap(templatesOf);
  return [...topics].flatMap(([topic, texts]) => {
    if (NAMED_BY_SERVER.has(topic)) return [];
    const keys = new Set(Object.keys(texts));
    const templates = topic.includes("/") ? usersOf(topic, sources).flatMap(templatesOf) : common;
    const isNamed = (/** @type {string} */ key) => ['"', "'", "`"].some((mark) => all.includes(mark + key + mark));
    const isMade = (/** @type {string} */ key) =>
      templates.some(({ pattern, ending }) => {
        if (!pattern.test(key)) return false;
        // A template that begins with a value is one of a key that there is, with an ending; or of a part's own keys.
        return ending === null || topic.includes("/") || keys.has(key.slice(0, -ending.length));
      });
    return [...keys].filter((key) => !isNamed(key) && !isMade(key)).map((key) => `${topic}: ${key} is not used`);
  });
}

/**
 * Return the sources that have texts of a part: those that import them, and those that import one of these.
 *
 * @param {string} topic
 * @param {Sources} sources
 */
function usersOf(topic, sources) {
  const entries = Object.entries(sources);
  const owners = entries.filter(([, text]) => text.includes(`${SOURCE_LANGUAGE}/${topic}.json"`));
  const names = owners.map(([file]) => `/${path.basename(file).replace(/\.ts$/, "")}"`);
  return entries
    .filter(([file, text]) => owners.some(([owner]) => owner === file) || names.some((name) => text.includes(name)))
    .map(([, text]) => text);
}

/**
 * Return what the templates of a source match; of one that begins with a value, also how it ends.
 *
 * @param {string} source
 */
function templatesOf(source) {
  return [...source.matchAll(/(?=`([^`]*\$\{[^`]*)`)/g)].flatMap(([, template = ""]) => {
    const parts = template.split(/\$\{(?:[^{}]|\{[^{}]*\})*\}/);
    if (parts.some((part) => /[^\w.-]/.test(part)) || !parts.some((part) => part.includes("."))) return [];
    const pattern = new RegExp(`^${parts.map((part) => part.replaceAll(".", "\\.")).join("[\\w.-]*")}$`);
    return [{ pattern, ending: parts[0] ? null : (parts.at(-1) ?? "") }];
  });
}

/** Return the sources of the page, and the topics of English that `english.ts` does not import. */
function checkSources() {
  const root = path.dirname(MESSAGES);
  const files = fs.readdirSync(root, { recursive: true, encoding: "utf8" });
  const named = files.filter((file) => /\.(?:svelte|[jt]s)$/.test(file));
  const sources = Object.fromEntries(named.map((file) => [file, fs.readFileSync(path.join(root, file), "utf8")]));
  const topics = new Map(readCatalogues(SOURCE_LANGUAGE).map(({ topic, texts }) => [topic, texts]));
  const joined = sources[path.join("messages", "english.ts")] ?? "";
  const left = [...topics.keys()].filter((topic) => !topic.includes("/") && !joined.includes(`/${topic}.json"`));
  return [...findUnused(topics, sources), ...left.map((topic) => `${topic}: english.ts does not import it`)];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = [...findFaults(), ...checkSources()];
  for (const fault of faults) console.error(`messages/${fault}`);
  process.exitCode = faults.length ? 1 : 0;
}
