// The rules in the language of the reader: German where there is a text, English where there is none.

import { afterEach, describe, expect, it } from "vitest";

import { setLanguage } from "../../src/messages";
import en from "../../src/messages/en/parts/origins.json";
import { ENGLISH, hasWords, loadSections, originName, translate, type Section } from "../../src/rules/sections";

const RULES: Section["rules"] = [
  { id: "P-1", text: "Both players roll.", origins: ["melee page"], language: "en" },
  { id: "P-2", text: "The higher one begins.", origins: ["our ruling"], language: "en" },
];
const SECTIONS: ReadonlyArray<Section> = [
  { game: "pit", title: "The turn", language: "en", rules: RULES },
  { game: "chess", title: "The turn", language: "en", rules: RULES },
];
const PIT = {
  titles: { "The turn": { of: "", text: "Der Zug" } },
  rules: { "P-2": { of: "", text: "Es ÜBERNIMMT, wer höher würfelt." } },
};

afterEach(() => setLanguage("en"));

describe("rules in German", () => {
  it("replace the titles and texts of their own ruleset, and leave what they lack in English", () => {
    const [pit, chess] = translate(SECTIONS, { pit: PIT, chess: undefined }, "de");
    expect(pit).toMatchObject({
      title: "Der Zug",
      language: "de",
      rules: [{ text: "Both players roll.", language: "en" }, { language: "de" }],
    });
    expect(pit?.rules.map(({ id }) => id)).toEqual(["P-1", "P-2"]);
    expect(chess).toEqual(SECTIONS[1]);
  });
  it("are found by their words in any case, and by their id", () => {
    setLanguage("de");
    const rule = translate(SECTIONS, { pit: PIT }, "de")[0]?.rules[1];
    if (!rule) throw new Error("no rule");
    expect(hasWords(rule, ["übernimmt", "wer"])).toBe(true);
    expect(hasWords(rule, ["p-2", "höher"])).toBe(true);
    expect(hasWords(rule, ["begins"])).toBe(false);
    expect(hasWords(rule, ["p-2", "begins"])).toBe(false);
  });
  it("are loaded where they are wanted", async () => {
    expect(await loadSections("en")).toBe(ENGLISH);
    const german = await loadSections("de");
    expect(german.map(({ rules }) => rules.map(({ id }) => id))).toEqual(
      ENGLISH.map(({ rules }) => rules.map(({ id }) => id)),
    );
  });
  it("have sources with a name", () => {
    const origins = new Set(ENGLISH.flatMap(({ rules }) => rules.flatMap((rule) => rule.origins)));
    expect([...origins].sort()).toEqual(Object.keys(en).sort());
    setLanguage("de");
    expect(originName("our ruling")).toBe("eigene Entscheidung");
  });
});
