// What an objective scores in words.

import { describe, expect, it } from "vitest";

import { objectiveText, type ObjectivePart } from "../../../src/rulesets/diskwars/panels/objective";
import { setLanguage } from "../../../src/messages";

const PARTS: ReadonlyArray<ObjectivePart> = [
  { type: "slay_units", cost: 6 },
  ...(["slay_heroes", "slay_elite", "hold_zones", "hold_terrain", "hold_middle", "survive"] as const).map((type) => ({
    type,
    points: 3,
  })),
];

describe("an objective", () => {
  it("names its points in both languages", () => {
    for (const language of ["en", "de"] as const) {
      setLanguage(language);
      for (const part of PARTS) expect(objectiveText(part)).toMatch(part.type === "slay_units" ? /^1 .*6/ : /^3 P?p?/);
    }
    setLanguage("en");
  });
  it("has a singular", () => {
    expect(objectiveText({ type: "survive", points: 1 })).toBe("1 point for each own disk on the table");
    expect(objectiveText({ type: "slay_units", cost: 1 })).not.toContain("every 1");
  });
});
