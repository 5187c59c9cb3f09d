// Armies as text and as links.

import { afterEach, describe, expect, it } from "vitest";

import { faultWords } from "../../../src/rulesets/diskwars/armies/faults";
import { armyHash, armyOfHash, ArmyTextError, readArmy, writeArmy } from "../../../src/rulesets/diskwars/armies/text";
import { qrPath } from "../../../src/lobby/qr";
import { LANGUAGES, setLanguage } from "../../../src/messages";
import armyFaults from "../../../src/messages/de/parts/army_faults.json";

const NAMES = {
  disks: [
    { id: "karl", name: "Karl Franz" },
    { id: "tank", name: "Steam Tank" },
    { id: "odd", name: "Rune: Lord, x2" },
  ],
  cards: [
    { id: "press", name: "Press On" },
    { id: "feint", name: "Feint" },
  ],
};
const ARMY = {
  id: "own-1",
  name: "Riders; all",
  regiments: [{ hero: "karl", units: ["tank", "tank", "odd"] }],
  hand: ["press", "feint"],
};

describe("an army as text", () => {
  it("is read as it was written", () => {
    const text = writeArmy(ARMY, NAMES);
    expect(text).toContain("Karl Franz: Steam Tank x2,");
    const { regiments, hand } = readArmy(writeArmy({ ...ARMY, name: "Riders" }, NAMES), NAMES);
    expect({ regiments, hand }).toEqual({ regiments: ARMY.regiments, hand: ARMY.hand });
  });
  it("may stand in one line, with comments and ids", () => {
    expect(readArmy("karl: tank x2; cards: feint # the rest", NAMES).regiments).toEqual([
      { hero: "karl", units: ["tank", "tank"] },
    ]);
  });
  it("is refused at the first unknown name, and where it is none", () => {
    expect(() => readArmy("Karl Franz: Steam Tank\nBoris: Steam Tank", NAMES)).toThrow(ArmyTextError);
    expect(() => readArmy("Karl Franz: Steam Tank x41", NAMES)).toThrow(ArmyTextError);
    expect(() => readArmy("", NAMES)).toThrow(ArmyTextError);
  });
});

describe("an army in a link", () => {
  it("comes back, with any name", () => {
    for (const name of ["Ä „Reiter“ 🐎", "<img src=x onerror=alert(1)>"]) {
      const found = armyOfHash(armyHash({ ...ARMY, name }));
      expect(found?.name).toBe(name);
      expect(found?.regiments).toEqual(ARMY.regiments);
    }
  });
  it("is nothing where the link is cut or made up", () => {
    for (const text of ["", "x", "e30", btoa('{"name":1}'), btoa('{"name":"a","regiments":[{"hero":5}],"hand":[]}')])
      expect(armyOfHash(text)).toBeNull();
  });
});

describe("the QR code of a link", () => {
  it("is a square of modules with its three corners", () => {
    const { path, size } = qrPath("http://127.0.0.1:8765/m/abc");
    expect(size).toBe(29 + 2 * 4);
    expect(path).toContain("M4 4h1v1h-1z");
    expect(path).not.toContain("M5 5h1v1h-1z");
  });
  it("leaves the four light modules around it that scanners look for", () => {
    const { path, size } = qrPath("http://127.0.0.1:8765/m/abc");
    const places = [...path.matchAll(/M(\d+) (\d+)/g)].flatMap(([, x, y]) => [Number(x), Number(y)]);
    expect([Math.min(...places), Math.max(...places)]).toEqual([4, size - 5]);
  });
});

describe("what is wrong with an army", () => {
  const known: Readonly<Record<string, string>> = {
    karl: "Karl Franz",
    tank: "Steam Tank",
    grom: "Grom",
    press: "Press On",
    pistol: "Pistoliers",
  };
  const find = (id: string) =>
    known[id] ? { name: known[id], leftOut: id === "pistol" ? "expansion" : null } : undefined;
  const army = { regiments: [{ hero: "karl", units: ["tank", "tank", "grom", "pistol"] }], hand: ["press"] };
  const words = (code: string, place: string, numbers = {}) =>
    faultWords({ code: code as never, text: "what the server says", remedy: "add 2", place, numbers }, army, find);
  afterEach(() => setLanguage("en"));

  it("is said in German with names, numbers and what mends it", () => {
    setLanguage("de");
    expect(words("too_many_points", "$.regiments[0]", { cost: 12, points: 9 })).toEqual({
      problem: "Die Einheiten von Karl Franz kosten 12, der Held hat 9 Punkte",
      remedy: "Lass Einheiten für 3 Punkte weg.",
    });
    expect(words("too_many_copies", "$.regiments[0].units[1]", { found: 2, most: 1 })).toEqual({
      problem: "2-mal Steam Tank, höchstens 1 je Regiment",
      remedy: "Lass 1 weg.",
    });
    expect(words("second_hero", "$.regiments[0].units[2]").problem).toBe(
      "Grom ist ein zweiter Held im Regiment von Karl Franz",
    );
    expect(words("wrong_number_of_cards", "$.hand", { found: 1, wanted: 4 })).toEqual({
      problem: "1 Befehlskarte, nötig: 4",
      remedy: "Füge 3 hinzu.",
    });
    expect(words("wrong_faction", "$.hand[0]").problem).toBe("Press On verlangt einen Helden der anderen Fraktion");
  });
  it.each(LANGUAGES.slice(1))("has no fault with a gap in %s", (language) => {
    setLanguage(language);
    const numbers = { cost: 9, points: 8, found: 3, least: 1, most: 2, small: 1, others: 2, wanted: 2 };
    for (const code of Object.keys(armyFaults).filter((key) => !/^change|remedy$/.test(key))) {
      const { problem, remedy } = words(code, "$.regiments[0].units[0]", numbers);
      expect(`${problem} ${remedy}`).not.toMatch(/[{}]|undefined|NaN|server says/);
      expect(remedy).not.toBe("");
    }
  });
  it("names the pack that is left out, in both languages", () => {
    expect(words("unknown_disk_type", "$.regiments[0].units[3]")).toEqual({
      problem: "Pistoliers belongs to the pack expansion",
      remedy: "Leave it out, or play with expansion.",
    });
    setLanguage("de");
    expect(words("unknown_disk_type", "$.regiments[0].units[3]").problem).toBe("Pistoliers gehört zum Satz expansion");
  });
  it("is what the server says in English", () => {
    expect(words("second_hero", "$.regiments[0].units[2]")).toEqual({
      problem: "what the server says",
      remedy: "add 2",
    });
  });
});
