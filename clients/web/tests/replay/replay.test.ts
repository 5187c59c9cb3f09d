// Checks, luck and viewpoints of matches, by the page's own code on golden match files.

import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { MatchStream } from "../../src/client/stream";
import { isSealed, readFile } from "../../src/client/records/records.js";
import { luckLine, luckReport, type RollReader } from "../../src/replay/luck";
import { momentsOf, roundsOf, sinceLastTurn } from "../../src/replay/moments";
import { verifyMatch } from "../../src/replay/verify";
import { hasViewpoints, seenFrom } from "../../src/replay/viewpoint";
import { closeQuartersRolls } from "../../src/rulesets/close_quarters/rolls";
import { pitRolls } from "../../src/rulesets/pit/rolls";
import { regimentsRolls } from "../../src/rulesets/regiments/rolls";

function load(name: string): MatchStream {
  const { header, records } = readFile(
    new Uint8Array(readFileSync(new URL(`../../../../tests/golden/files/${name}.match.jsonl`, import.meta.url))),
  );
  if (!header) throw new Error("no header");
  const stream = new MatchStream({ match: header.match, header, head: records.length });
  stream.append(records);
  return stream;
}

describe("marks of rounds", () => {
  it("are one for each record, also where turns begin in which nobody has anything to decide", () => {
    const bodies = [{ events: [{ turn: 1 }] }, {}, { events: [{ turn: 2 }, {}, { turn: 3 }] }];
    expect(roundsOf<{ readonly turn?: number }>(bodies, ({ turn }) => turn)).toEqual([
      { seq: 1, round: 1 },
      { seq: 3, round: 3 },
    ]);
  });
});

describe("checks", () => {
  it.each(["diskwars-elimination", "diskwars-points", "diskwars-four", "pit-counted"])(
    "find nothing wrong with %s",
    (name) => {
      const checks = [...verifyMatch(load(name))];
      expect(checks.map(({ fault }) => fault)).toEqual([null, null, null, null]);
      expect(checks.find(({ id }) => id === "dice")?.checked).toBeGreaterThan(2);
    },
  );
  it("name the record whose dice were changed", () => {
    const stream = load("diskwars-elimination");
    const place = stream.bodies.findIndex(({ events = [] }) => events.some(({ type }) => type === "shot_fired"));
    const shot = stream.bodies[place]?.events?.find(({ type }) => type === "shot_fired") as unknown as {
      dice: { results: number[] };
    };
    shot.dice.results[0] = 1 + ((shot.dice.results[0] ?? 1) % 6);
    expect([...verifyMatch(stream)].find(({ id }) => id === "dice")?.fault?.seq).toBe(place + 1);
  });
  it("name the record whose hash does not follow", () => {
    const stream = load("diskwars-elimination");
    stream.records[4] = { ...stream.records[4]!, salt: "00".repeat(16) };
    expect([...verifyMatch(stream)][0]?.fault?.seq).toBe(5);
  });
});

describe("the luck report", () => {
  it("is one half where the sum is the expected one", () => {
    const die = (rolled: number) => ({ kind: "impact", seat: 0, weights: [0, 1, 1, 1, 1, 1, 1], rolled });
    expect(luckLine(0, "impact", [die(3), die(4)]).percentile).toBeCloseTo(0.5);
    expect(luckLine(0, "impact", [die(6), die(6)]).percentile).toBeCloseTo(1 - 1 / 72);
    expect(luckLine(0, "impact", [die(1)])).toMatchObject({ expected: 3.5, rolled: 1, percentile: 1 / 12 });
  });
  it("counts the rolls of a match", () => {
    const lines = luckReport(load("diskwars-elimination").bodies);
    expect(lines.some(({ kind }) => kind === "ranged_attack")).toBe(true);
    for (const { percentile } of lines) expect(percentile).toBeGreaterThanOrEqual(0);
  });
  // The numbers are those of `diskwars luck --file`, which rounds 62.5 % down.
  it.each<[string, RollReader, string[]]>([
    [
      "pit-counted",
      pitRolls,
      [
        "A all tests: 5 rolls, 2.0 expected, 2 rolled, 51%",
        "A agility: 5 rolls, 52.5 expected, 58 rolled, 66%",
        "A improvement: 1 rolls, 0.6 expected, 1 rolled, 70%",
        "A melee: 4 rolls, 1.4 expected, 1 rolled, 37%",
        "A turn order: 1 rolls, 10.5 expected, 4 rolled, 18%",
        "B all tests: 1 rolls, 0.2 expected, 0 rolled, 40%",
        "B defence: 1 rolls, 0.2 expected, 0 rolled, 40%",
        "B turn order: 1 rolls, 10.5 expected, 13 rolled, 63%",
      ],
    ],
    [
      "close-quarters-counted",
      closeQuartersRolls,
      [
        "A all tests: 59 rolls, 33.5 expected, 37 rolled, 83%",
        "A first turn: 1 rolls, 3.5 expected, 6 rolled, 92%",
        "A kill: 6 rolls, 4.0 expected, 4 rolled, 48%",
        "A leadership: 5 rolls, 2.7 expected, 2 rolled, 27%",
        "A melee: 2 rolls, 1.3 expected, 2 rolled, 78%",
        "A save: 24 rolls, 13.3 expected, 16 rolled, 87%",
        "A shooting: 22 rolls, 12.2 expected, 13 rolled, 64%",
        "B all tests: 67 rolls, 43.5 expected, 42 rolled, 34%",
        "B first turn: 1 rolls, 3.5 expected, 3 rolled, 42%",
        "B kill: 8 rolls, 5.3 expected, 6 rolled, 67%",
        "B leadership: 4 rolls, 3.5 expected, 3 rolled, 23%",
        "B melee: 4 rolls, 1.8 expected, 1 rolled, 23%",
        "B save: 15 rolls, 9.2 expected, 9 rolled, 46%",
        "B shooting: 36 rolls, 23.7 expected, 23 rolled, 40%",
      ],
    ],
    [
      "regiments-counted",
      regimentsRolls,
      [
        "A all tests: 65 rolls, 33.6 expected, 37 rolled, 80%",
        "A hit: 29 rolls, 15.2 expected, 16 rolled, 62%",
        "A leadership: 1 rolls, 0.5 expected, 1 rolled, 75%",
        "A pursuit: 1 rolls, 0.6 expected, 1 rolled, 71%",
        "A save: 5 rolls, 2.5 expected, 2 rolled, 34%",
        "A speed: 10 rolls, 35.0 expected, 34 rolled, 43%",
        "A wound: 29 rolls, 14.8 expected, 17 rolled, 79%",
        "B all tests: 50 rolls, 24.2 expected, 19 rolled, 6%",
        "B hit: 20 rolls, 11.7 expected, 9 rolled, 12%",
        "B leadership: 5 rolls, 2.6 expected, 1 rolled, 9%",
        "B save: 16 rolls, 5.2 expected, 4 rolled, 27%",
        "B speed: 10 rolls, 35.0 expected, 33 rolled, 36%",
        "B wound: 9 rolls, 4.8 expected, 5 rolled, 54%",
      ],
    ],
  ])("says of %s what the command line says", (name, read, expected) => {
    const stream = load(name);
    const lines = luckReport(stream.bodies, read, (seq) => stream.stateAt(seq)?.board ?? null);
    const told = lines.map(
      ({ seat, kind, rolls, expected, rolled, percentile }) =>
        `${"AB"[seat]} ${kind ? kind.replace("_", " ") : "all tests"}: ${rolls} rolls, ${expected.toFixed(1)} expected, ${rolled} rolled, ${Math.round(100 * percentile)}%`,
    );
    expect(told).toEqual(expected);
  });
});

describe("a viewpoint", () => {
  it("shows what others kept to themselves as sealed", () => {
    const stream = load("diskwars-elimination");
    expect(hasViewpoints(stream)).toBe(true);
    const handOf = (viewed: MatchStream) =>
      viewed.stateAt(9)?.board?.sides.map(({ hand }) => isSealed(hand) || (hand !== null && "#" in (hand as object)));
    expect(handOf(seenFrom(stream, 0))).toEqual([false, true]);
    expect(handOf(seenFrom(stream, "public"))).toEqual([true, true]);
    expect(seenFrom(stream, 0).hash).toBe(stream.hash);
  });
});

describe("moments", () => {
  it("are found in the records", () => {
    const { bodies } = load("diskwars-elimination");
    const { rounds, losses, reveals } = momentsOf(bodies);
    expect(rounds[0]?.round).toBe(1);
    expect(losses.length * reveals.length).toBeGreaterThan(0);
    expect(sinceLastTurn(bodies, null)).toBeNull();
    expect(sinceLastTurn(bodies, 0)).toBeGreaterThan(1);
  });
});
