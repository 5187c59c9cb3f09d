// Sight and distances agree with the engine: written by hand where a case is fine, and by the engine on boards of played matches.

import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import type { BoardState } from "../../../src/client/records/match.js";
import { gapOf } from "../../../src/rulesets/diskwars/forecast/position";
import { findSight, sightBetween, sightPolygon } from "../../../src/rulesets/diskwars/forecast/sight";

// The vectors are plain JSON that only these tests read.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
const load = (name: string): any =>
  JSON.parse(readFileSync(new URL(`../../../../../tests/vectors/${name}.json`, import.meta.url), "utf8"));
const plane = load("plane");
const circle = ([x, y, r]: readonly [number, number, number]) => ({ x, y, r });

describe("lines of sight", () => {
  it("begin and end in the same 64-gons", () => {
    for (const { radius, corners } of plane.rims) expect(sightPolygon({ x: 0, y: 0, r: radius })).toEqual(corners);
  });
  it("are found exactly where the vectors say, both ways", () => {
    for (const { name, a, b, blockers, sight } of plane.sight) {
      expect(findSight(circle(a), circle(b), blockers) !== null, name).toBe(sight);
      expect(findSight(circle(b), circle(a), blockers) !== null, name).toBe(sight);
    }
  });
});

describe("boards of played matches", () => {
  const { boards } = load("sight");
  const asBoard = ({
    terrain,
    disks,
  }: {
    terrain: { name: string; corners: number[][]; keywords: string[] }[];
    disks: { circle: [number, number, number]; on: number[] }[];
  }) =>
    ({
      terrain: terrain.map(({ name, corners, keywords }) => ({
        corners,
        terrain: { id: name, name, keywords: keywords.map((id) => ({ id })) },
      })),
      disks: disks.map(({ circle: [x, y], on }, id) => ({
        id,
        x,
        y,
        z: id,
        seat: 0,
        profile: id,
        place: "battlefield",
        terrain: on,
      })),
      profiles: disks.map(({ circle: [, , radius] }) => ({ radius, keywords: [] })),
    }) as unknown as BoardState;

  it("show the same disks to each other, and name what hides the rest", () => {
    let hidden = 0;
    for (const vector of boards) {
      const board = asBoard(vector);
      for (const [viewer, row] of (vector.seen as string[]).entries()) {
        for (const [other, wanted] of [...row].entries()) {
          if (other === viewer) continue;
          const report = sightBetween(board, viewer, other);
          expect(report.isSeen, `${viewer} sees ${other}`).toBe(wanted === "1");
          expect(report.hiding.length > 0).toBe(wanted === "0");
          hidden += Number(!report.isSeen);
        }
      }
    }
    expect(hidden).toBeGreaterThan(20);
  });
  it("have the same gaps between their disks, to the micrometre", () => {
    for (const { disks, gaps } of boards) {
      for (const [one, row] of (gaps as number[][]).entries()) {
        for (const [other, wanted] of row.entries())
          expect(gapOf(circle(disks[one].circle), circle(disks[other].circle))).toBe(wanted);
      }
    }
    for (const { a, b, gap } of plane.disks) expect(gapOf(circle(a), circle(b))).toBe(gap);
  });
});
