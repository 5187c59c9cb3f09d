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

  it("has the dice of a line, and the rules that it follows", () => {
    const lines = entries.flatMap(({ lines: found }) => found);
    expect(lines.some(({ draws }) => (draws?.length ?? 0) > 0)).toBe(true);
    expect(lines.some(({ rules }) => rules.length > 0)).toBe(true);
  });
});
