// Progress of two devices is joined without losing any.

import { describe, expect, it } from "vitest";

import { joinGuided, joinNames } from "../../src/learn/join_progress";

const FIRST = { match: "hbx7", begun_ms: 1000, hints: ["deployment"] };
const LATER = { match: "c9dk", begun_ms: 2000, hints: ["melee"] };

describe("boards of two devices", () => {
  it("are each there once", () => {
    expect(joinNames(["turn", "land"], ["pit-1", "turn"])).toEqual(["turn", "land", "pit-1"]);
  });
});

describe("guided matches of two devices", () => {
  it("are the one that began later, whichever device says it", () => {
    expect(joinGuided(FIRST, LATER)).toBe(LATER);
    expect(joinGuided(LATER, FIRST)).toBe(LATER);
    expect(joinGuided(FIRST, null)).toBe(FIRST);
    expect(joinGuided(null, null)).toBe(null);
  });
  it("have the hints that were read on either, and are over where one said so", () => {
    const joined = joinGuided(FIRST, { match: "hbx7", begun_ms: 1000, hints: ["melee"], is_over: true });
    expect(joined).toEqual({ match: "hbx7", begun_ms: 1000, hints: ["deployment", "melee"], is_over: true });
  });
});
