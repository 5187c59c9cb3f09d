// Armies as text and as links.

import { describe, expect, it } from "vitest";

import { armyHash, armyOfHash, ArmyTextError, readArmy, writeArmy } from "../src/armies/text";
import { qrPath } from "../src/lobby/qr";

const NAMES = {
  disks: [{ id: "karl", name: "Karl Franz" }, { id: "tank", name: "Steam Tank" }, { id: "odd", name: "Rune: Lord, x2" }],
  cards: [{ id: "press", name: "Press On" }, { id: "feint", name: "Feint" }],
};
const ARMY = { id: "own-1", name: "Riders; all", regiments: [{ hero: "karl", units: ["tank", "tank", "odd"] }], hand: ["press", "feint"] };

describe("an army as text", () => {
  it("is read as it was written", () => {
    const text = writeArmy(ARMY, NAMES);
    expect(text).toContain("Karl Franz: Steam Tank x2,");
    const { regiments, hand } = readArmy(writeArmy({ ...ARMY, name: "Riders" }, NAMES), NAMES);
    expect({ regiments, hand }).toEqual({ regiments: ARMY.regiments, hand: ARMY.hand });
  });
  it("may stand in one line, with comments and ids", () => {
    expect(readArmy("karl: tank x2; cards: feint # the rest", NAMES).regiments).toEqual([{ hero: "karl", units: ["tank", "tank"] }]);
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
    for (const text of ["", "x", "e30", btoa('{"name":1}'), btoa('{"name":"a","regiments":[{"hero":5}],"hand":[]}')]) expect(armyOfHash(text)).toBeNull();
  });
});

describe("the QR code of a link", () => {
  it("is a square of modules with its three corners", () => {
    const { path, size } = qrPath("http://127.0.0.1:8765/m/abc");
    expect(size).toBe(33);
    expect(path).toContain("M2 2h1v1h-1z");
    expect(path).not.toContain("M3 3h1v1h-1z");
  });
});
