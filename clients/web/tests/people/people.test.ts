// Pictures of players, and which matches have a picture of their board.

import { describe, expect, it, vi } from "vitest";

import type { MatchSummary } from "../../src/protocol/types";
import { avatarOf } from "../../src/people/avatar";

vi.mock("../../src/lists/words", () => ({ isKnown: (ruleset: string) => ruleset === "diskwars" }));
const { picturePath } = await import("../../src/history/picture");

describe("the picture of a player", () => {
  it("follows from the seed alone, whatever its size", () => {
    for (const seed of [0, 1, 17, 4_294_967_295, 2 ** 52]) expect(avatarOf(seed)).toEqual(avatarOf(seed));
  });

  it("differs between most players", () => {
    const drawn = new Set(Array.from({ length: 2000 }, (_, seed) => JSON.stringify(avatarOf(seed * 7919))));
    expect(drawn.size).toBeGreaterThan(1500);
  });

  it("has a charge of another hue than the field", () => {
    for (let seed = 0; seed < 5000; seed += 1) {
      const [field, charge] = [avatarOf(seed).field, avatarOf(seed).charge].map((color) =>
        Number(/hsl\(([\d.]+)/.exec(color)?.[1]),
      );
      const apart = Math.abs((field ?? 0) - (charge ?? 0));
      expect(Math.min(apart, 360 - apart)).toBeGreaterThanOrEqual(70);
    }
  });
});

describe("the picture of a board", () => {
  const ended: MatchSummary = {
    match: "abc",
    ruleset: "diskwars",
    status: "ended",
    seats: [{}, {}],
    created_ms: 0,
    updated_ms: 0,
    match_options: {},
    records: 81,
    result: { winners: [0], end_reason: "victory_points" },
  };

  it("is that after the last record", () => {
    expect(picturePath(ended)).toBe("/matches/abc/board.svg?seq=81");
  });

  it.each<[string, Partial<MatchSummary>]>([
    ["is not over", { status: "running" }],
    ["was closed before it began", { result: { end_reason: "closed" } }],
    ["was left before it began", { result: { end_reason: "abandoned" } }],
    ["is locked", { is_locked: true }],
    ["nobody may watch", { match_options: { watchers: "none" } }],
    ["is of a game without pictures", { ruleset: "counting" }],
  ])("is not asked for where the match %s", (_, part) => {
    expect(picturePath({ ...ended, ...part })).toBeNull();
  });
});
