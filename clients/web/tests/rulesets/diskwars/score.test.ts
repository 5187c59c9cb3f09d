// The running score against what the engine scored at the end of golden matches, and what a melee came to.

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

import { foldLog, type RecordBody } from "../../../src/client/records/match.js";
import { readFile } from "../../../src/client/records/records.js";
import { meleeOutcomes, outcomeText } from "../../../src/rulesets/diskwars/panels/melee_outcome";
import { finalScores, objectiveOf, scoreNow, scoredParts } from "../../../src/rulesets/diskwars/panels/score";

const FOLDER = new URL("../../../../../tests/golden/files/", import.meta.url);
const MATCHES = readdirSync(FOLDER)
  .filter((name) => name.startsWith("diskwars-"))
  .map((name) => ({ name, ...readFile(readFileSync(new URL(name, FOLDER))) }));
const scored = MATCHES.filter(({ bodies }) => scoredParts(bodies) !== null);

describe("the score", () => {
  it("is compared in matches of several seats", () => expect(scored.length).toBeGreaterThan(3));
  it.each(scored.map(({ name, bodies }) => [name, bodies] as const))(
    "of %s is that of the engine, part by part",
    (_, bodies) => {
      const board = foldLog(structuredClone(bodies) as RecordBody[])?.board;
      const parts = scoredParts(bodies);
      expect(board && parts).toBeTruthy();
      for (const { seat, eliminated, points } of board?.sides ?? []) {
        const objective = board && objectiveOf(board, seat);
        expect(objective).not.toBeNull();
        const found: Record<string, number> = {};
        for (const { part, points: more } of board && objective ? scoreNow(board, seat, objective.parts) : [])
          found[part.type] = (found[part.type] ?? 0) + more;
        if (!eliminated) expect(found).toEqual(parts?.get(seat));
        expect(Object.values(found).reduce((sum, more) => sum + more, 0)).toBe(points);
      }
    },
  );
});

describe("the score at the end", () => {
  it.each(scored.map(({ name, bodies }) => [name, bodies] as const))("of %s is that of its scoring", (_, bodies) => {
    const board = foldLog(structuredClone(bodies) as RecordBody[])?.board;
    expect(board && finalScores(board, bodies).map(({ points }) => points)).toEqual(
      board?.sides.map(({ points }) => points),
    );
  });
  it("is that of the table where an elimination ended the match without a scoring", () => {
    const { bodies } =
      MATCHES.find(({ name }) => name === "diskwars-elimination.match.jsonl") ?? expect.fail("no match");
    const board = foldLog(structuredClone(bodies) as RecordBody[])?.board ?? expect.fail("no board");
    expect(scoredParts(bodies)).toBeNull();
    const scores = finalScores(board, bodies);
    for (const { points, parts } of scores) expect(points).toBe(parts.reduce((sum, one) => sum + one.points, 0));
    expect(board.sides.findIndex(({ eliminated }) => !eliminated)).toBe(
      scores.findIndex(({ points }) => (points ?? 0) > 0),
    );
  });
});

describe("the outcome of a melee", () => {
  const melees = MATCHES.flatMap(({ name, bodies }) =>
    bodies.flatMap((body, place) =>
      (body.events ?? []).some(({ type }) => type === "engagement_ended") ? [{ name, bodies, seq: place + 1 }] : [],
    ),
  );
  it("names every disk that was struck, with the damage that the records say", () => {
    expect(melees.length).toBeGreaterThan(10);
    let struck = 0;
    for (const { bodies, seq } of melees) {
      const board = foldLog(structuredClone(bodies.slice(0, seq)) as RecordBody[])?.board;
      for (const outcome of meleeOutcomes(bodies, seq)) {
        for (const { disk, tokens, toughness, fate } of outcome.disks) {
          struck += 1;
          if (fate === "destroyed") expect(board?.disks[disk]?.place).not.toBe("battlefield");
          if (board) expect(outcomeText(board, outcome)).toContain(`${tokens} of ${toughness}`);
        }
      }
    }
    expect(struck).toBeGreaterThan(10);
  });
  it("is gone once the next cards are revealed", () => {
    for (const { bodies, seq } of melees) {
      const reveal = bodies.findIndex(
        ({ events = [] }, place) =>
          place >= seq &&
          events.some(({ type }) => type === "cards_revealed") &&
          !events.some(({ type }) => type === "engagements_frozen"),
      );
      if (reveal >= 0) expect(meleeOutcomes(bodies, reveal + 1)).toEqual([]);
    }
  });
});
