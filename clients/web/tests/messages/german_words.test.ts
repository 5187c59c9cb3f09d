// What a German reader sees of numbers, sentences, bots and faults of files.

import { afterEach, describe, expect, it } from "vitest";

import { NewerFormat, readFile } from "../../src/client/records/records.js";
import { amountText } from "../../src/rulesets/diskwars/forecast/amount";
import { inches } from "../../src/rulesets/diskwars/forecast/position";
import { decimal, sentence, setLanguage, t } from "../../src/messages";
import pages from "../../src/messages/de/pages.json";
import { english } from "../../src/messages/english";
import { botName, playerName } from "../../src/page/names";
import { fileFaultText } from "../../src/match/file_faults";

const KEYS = Object.keys(english) as (keyof typeof english)[];

afterEach(() => setLanguage("en"));

function faultOf(text: string): unknown {
  try {
    return readFile(new TextEncoder().encode(text));
  } catch (fault) {
    return fault;
  }
}

describe("words of the reader", () => {
  it("are numbers with a point in English and with a comma in German, never grouped", () => {
    expect([decimal(1.25), decimal(1234.5, 3), inches(25_400), inches(38_100)]).toEqual([
      "1.3",
      "1234.500",
      "1",
      "1.5",
    ]);
    setLanguage("de");
    expect([decimal(1.25), decimal(1234.5, 3), inches(25_400), inches(38_100)]).toEqual([
      "1,3",
      "1234,500",
      "1",
      "1,5",
    ]);
  });
  it("are dice by their letter", () => {
    expect([{ flat: 3 }, { d6: 1 }, { d6: 2, flat: 1 }, { d6: 1, flat: -2 }].map(amountText)).toEqual([
      "3",
      "d6",
      "2d6+1",
      "d6−2",
    ]);
    setLanguage("de");
    expect([{ flat: 3 }, { d6: 1 }, { d6: 2, flat: 1 }].map(amountText)).toEqual(["3", "W6", "2W6+1"]);
  });
  it("call an ability by one name in all texts", () => {
    const words: ReadonlyArray<readonly [RegExp, RegExp]> = [
      [/battle abilit/iu, /Schlachtfähigkeit/u],
      [/focus abilit/iu, /Fokusfähigkeit/u],
    ];
    for (const [source, german] of words) {
      setLanguage("en");
      const keys = KEYS.filter((key) => source.test(t(key)));
      expect(keys.length).toBeGreaterThan(2);
      setLanguage("de");
      expect(keys.filter((key) => !german.test(t(key)))).toEqual([]);
    }
    expect(KEYS.filter((key) => t(key).includes("Kartenfähigkeit"))).toEqual([]);
  });
  it("are sentences that end once", () => {
    expect([sentence("Choose"), sentence("Who?"), sentence("Wait…")]).toEqual(["Choose.", "Who?", "Wait…"]);
  });
  it("name the bots, and leave one that they do not know as the server calls it", () => {
    expect([botName("greedy"), botName("mcts")]).toEqual(["Greedy", "Mcts"]);
    setLanguage("de");
    expect([botName("greedy"), botName("mcts")]).toEqual(["Gierig", "Mcts"]);
  });
  it("call guests in the language of the reader, and leave the names that people chose", () => {
    setLanguage("de");
    expect(playerName({ name: "Guest GJ4K", kind: "guest" })).toBe("Gast GJ4K");
    expect(playerName({ name: "Guest House", kind: "registered" })).toBe("Guest House");
  });
  it("say in German where a match file is wrong, and in English what its reader says", () => {
    const fault = faultOf('{"type":"other"}\n');
    expect(fileFaultText(fault)).toMatch(/^header: /);
    expect(fileFaultText(new NewerFormat("format 2"))).toBe("format 2");
    setLanguage("de");
    expect(fileFaultText(fault)).toBe(pages["file.header"]);
    expect(fileFaultText(new NewerFormat("format 2"))).toBe(pages["file.newer"]);
    expect(fileFaultText(new Error(t("file.empty")))).toBe(t("file.empty"));
  });
});
