// Checks, luck and viewpoints of matches, by the page's own code on golden match files.

import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { MatchStream } from "../src/client/stream";
import { isSealed, readFile } from "../src/core/records.js";
import { luckLine, luckReport } from "../src/replay/luck";
import { momentsOf, sinceLastTurn } from "../src/replay/moments";
import { verifyMatch } from "../src/replay/verify";
import { hasViewpoints, seenFrom } from "../src/replay/viewpoint";

function load(name: string): MatchStream {
  const { header, records } = readFile(new Uint8Array(readFileSync(new URL(`../../../tests/golden/files/${name}.match.jsonl`, import.meta.url))));
  if (!header) throw new Error("no header");
  const stream = new MatchStream({ match: header.match, header, head: records.length });
  stream.append(records);
  return stream;
}

describe("checks", () => {
  it.each(["diskwars-elimination", "diskwars-points", "diskwars-four", "pit-counted"])("find nothing wrong with %s", (name) => {
    const checks = [...verifyMatch(load(name))];
    expect(checks.map(({ fault }) => fault)).toEqual([null, null, null, null]);
    expect(checks.find(({ id }) => id === "dice")?.checked).toBeGreaterThan(2);
  });
  it("name the record whose dice were changed", () => {
    const stream = load("diskwars-elimination");
    const place = stream.bodies.findIndex(({ events = [] }) => events.some(({ type }) => type === "shot_fired"));
    const shot = stream.bodies[place]?.events?.find(({ type }) => type === "shot_fired") as unknown as { dice: { results: number[] } };
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
});

describe("a viewpoint", () => {
  it("shows what others kept to themselves as sealed", () => {
    const stream = load("diskwars-elimination");
    expect(hasViewpoints(stream)).toBe(true);
    const handOf = (viewed: MatchStream) => viewed.stateAt(9)?.board?.sides.map(({ hand }) => isSealed(hand) || (hand !== null && "#" in (hand as object)));
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
