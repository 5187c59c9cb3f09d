// What the log of a small game says of the records of a match.

import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { readFile } from "../../../src/client/records/records.js";
import { MatchStream } from "../../../src/client/stream";
import { game } from "../../../src/rulesets/pit/pit";
import { logEntries } from "../../../src/rulesets/small/log";

const { header, records, ...rest } = readFile(
  new Uint8Array(readFileSync(new URL("../../../../../tests/golden/files/pit-four.match.jsonl", import.meta.url))),
);
if (!header) throw new Error("no header");
const stream = MatchStream.ofFile({ header, records, ...rest });
const entries = logEntries(game, stream, {
  seat: null,
  seats: ["Ilse", "Marek", "Vera", "Otto"],
  turned: 0,
  toPicture: (x, y) => [x, y],
});

describe("the log of a small game", () => {
  it("says in its own order that the match began and ended, and names its rounds", () => {
    const texts = entries.flatMap(({ lines }) => lines.map(({ text }) => text));
    expect(texts.indexOf("The match begins")).toBeGreaterThanOrEqual(0);
    expect(texts.indexOf("The match is over")).toBeGreaterThan(texts.indexOf("The match begins"));
    expect(entries.filter(({ heading }) => heading).map(({ heading }) => heading)).toContain("Round 2");
  });

  it("tells a check that failed from one that improves a fighter", () => {
    const event = { type: "fighter_improved", fighter: 0, stat: "agility", needed: 9, reasons: [] } as const;
    const dice = { kind: "number_dice", results: [4, 5], size: 6 };
    const textOf = (fields: object) =>
      game.log(stream.state?.board as never, { ...event, ...fields } as never, {
        seat: null,
        seats: [],
        turned: 0,
        toPicture: (x, y) => [x, y],
      })?.text;
    expect(textOf({ value: 8, dice })).toMatch(/ improves$/);
    expect(textOf({ value: 9, dice })).toMatch(/ does not improve$/);
    expect(textOf({ value: 9, needed: undefined })).toMatch(/ improves$/);
    expect(textOf({ stat: undefined })).toMatch(/ does not improve$/);
  });

  it("has the dice of a line, and the rules that it follows", () => {
    const lines = entries.flatMap(({ lines: found }) => found);
    expect(lines.some(({ draws }) => (draws?.length ?? 0) > 0)).toBe(true);
    expect(lines.some(({ rules }) => rules.length > 0)).toBe(true);
  });
});
