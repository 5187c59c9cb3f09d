// What disks, cards and scenarios of golden matches do, in every language, made from their effects.

import { readdirSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";

import { foldLog, type RecordBody } from "../../../src/client/records/match.js";
import { readFile } from "../../../src/client/records/records.js";
import {
  abilityText,
  cardTexts,
  groundText,
  keywordText,
  scenarioText,
  shotText,
} from "../../../src/rulesets/diskwars/cards/card_text";
import { LANGUAGES, setLanguage } from "../../../src/messages";

const FOLDER = new URL("../../../../../tests/golden/files/", import.meta.url);
const boards = readdirSync(FOLDER)
  .filter((name) => name.startsWith("diskwars-"))
  .flatMap((name) => {
    const { bodies } = readFile(readFileSync(new URL(name, FOLDER)));
    return foldLog(structuredClone(bodies) as RecordBody[])?.board ?? [];
  });
const texts = () =>
  boards.flatMap((board) => [
    ...board.profiles.flatMap(({ abilities = [], keywords = [], shots = [] }) => [
      ...abilities.map((ability) => abilityText(ability)),
      ...keywords.flatMap((one) => Object.values(keywordText(one))),
      ...shots.map(shotText),
    ]),
    ...board.cards.flatMap(cardTexts),
    ...board.layout.scenarios.map(scenarioText),
    ...board.terrain.flatMap(({ terrain }) =>
      (terrain.keywords ?? []).flatMap((one) => Object.values(groundText(one))),
    ),
  ]);

afterAll(() => setLanguage("en"));

describe("texts from effects", () => {
  it.each(LANGUAGES)("are whole sentences in %s, with every value", (language) => {
    setLanguage(language);
    const found = new Set(texts());
    expect(found.size).toBeGreaterThan(60);
    for (const text of found) expect(text).not.toMatch(/[{}]|undefined|NaN/);
  });
  it("say nothing in English on a German page", () => {
    setLanguage("de");
    for (const text of texts())
      expect(text).not.toMatch(/\b(the|your|disks?|within|damage|range|strength|toughness|each|enemy)\b/i);
  });
  it("say whose disks a scenario changes", () => {
    setLanguage("en");
    const ability = { type: "increase_toughness", toughness: 1 } as const;
    expect(scenarioText({ id: "", name: "", ability, objective: [] })).toBe("All disks of all players: toughness +1.");
    expect(abilityText({ timing: "passive", effect: { ...ability, selector: "orc" } })).toBe(
      "Always: Your disks (orcs): toughness +1.",
    );
    expect(abilityText({ timing: "passive", effect: { ...ability, reach: "short" } })).toBe(
      "Always: Your other disks within short range: toughness +1.",
    );
  });
});
