// Progress of two devices is joined without losing any.

import { describe, expect, it } from "vitest";

import { joinGuided, joinNames, isOfAnother } from "../../src/learn/join_progress";

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

describe("whose progress a device keeps", () => {
  const ann = { player: "a", isGuest: false };

  it.each([
    ["another account's is not the next one's", { player: "b", isGuest: false }, true],
    ["an own one's is", ann, false],
    ["a guest's is of the account that they log in to", { player: "g", isGuest: true }, false],
    ["nobody's, as earlier builds kept it, is", null, false],
    ["what is no owner, is", { player: 3 }, false],
  ])("%s", (_, kept, is) => {
    expect(isOfAnother(kept, ann)).toBe(is);
    if (kept && kept.player === "b") expect(isOfAnother(kept, { player: "g", isGuest: true })).toBe(true);
  });
});
