// What the page says beforehand of landings, fights and shots is what the engine decides.

import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { fullMatch, type BoardState } from "../src/core/match.js";
import { fightOutlook, shotOdds, standingLinks } from "../src/diskwars/fight";
import { landingNotes, stopsMove } from "../src/diskwars/forecast";
import { circleOf, isOnField, piecesUnder, pinsIfPlaced } from "../src/diskwars/position";

// The vectors are plain JSON that only these tests read.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
const vectors: any = JSON.parse(readFileSync(new URL("../../../tests/vectors/forecasts.json", import.meta.url), "utf8"));
const asBoard = (board: unknown): BoardState => fullMatch({ ruleset: "diskwars", seats: [], board }).board as BoardState;

describe("a landing", () => {
  const rows = vectors.landings.flatMap(({ board, rows: of }: { board: unknown; rows: object[] }) => of.map((row) => ({ board: asBoard(board), ...row })));

  it("is on the field, pins, and lies on ground as the engine says", () => {
    for (const { board, disk, x, y, legal, pins, ground } of rows) {
      expect(isOnField(board, { ...circleOf(board, disk), x, y })).toBe(legal);
      if (!legal) continue;
      expect(pinsIfPlaced(board, disk, x, y)).toEqual(pins);
      expect(piecesUnder(board, { ...circleOf(board, disk), x, y })).toEqual(ground);
    }
  });
  it("ends a move where the engine lets the disk not go on", () => {
    let ends = 0;
    for (const { board, disk, x, y, legal, goes_on: goesOn } of rows) {
      if (!legal || goesOn === null) continue;
      expect(stopsMove(board, disk, x, y), `disk ${disk} at ${x}, ${y}`).toBe(!goesOn);
      ends += Number(!goesOn);
    }
    expect(ends).toBeGreaterThan(50);
  });
  it("names Impact, Guard and dangerous ground where the engine rolls for them", () => {
    for (const { board, disk, x, y, legal, impact, guards, dangers } of rows) {
      if (!legal) continue;
      const rules = landingNotes(board, disk, x, y, true).map(({ rule }) => rule);
      const told = (rule: string) => rules.filter((one) => one === rule).length;
      expect(told("R8.5.2") > 0, `impact of ${disk}`).toBe(impact.length > 0);
      expect(told("R16.2")).toBe(guards.length);
      // Null where the disk falls or is asked for something before the ground harms it.
      if (dangers) expect(told("R10.5"), `danger of ${disk} at ${x}, ${y}`).toBe(dangers.length);
    }
  });
});

describe("a fight", () => {
  interface Row {
    disks: unknown; pins: unknown; links: { attacker: number; defender: number }[]; steps: { speed: string; blows: [number, number, number][] }[];
    damage: [number, number][]; wounded: number[]; destroyed: number[];
  }
  const inOrder = (list: Iterable<number>) => [...list].sort((one, other) => one - other);

  it("is struck and ends as the engine says", () => {
    let steps = 0;
    for (const { board: plain, rows } of vectors.fights as { board: object; rows: Row[] }[]) {
      for (const row of rows) {
        const board = asBoard({ ...plain, disks: row.disks, pins: row.pins });
        const chosen = new Map(row.steps.flatMap(({ blows }) => blows.map(([disk, target]) => [disk, target] as const)));
        const outlook = fightOutlook(board, standingLinks(board, row.links), chosen);
        expect(outlook.steps.map(({ speed, blows }) => ({ speed, blows: blows.map(({ disk, target, strength }) => [disk, target, strength]).sort() })))
          .toEqual(row.steps.map(({ speed, blows }) => ({ speed, blows: [...blows].sort() })));
        expect(inOrder(outlook.destroyed)).toEqual(inOrder(row.destroyed));
        expect(inOrder(outlook.wounded)).toEqual(inOrder(new Set(row.wounded)));
        steps += outlook.steps.length;
      }
    }
    expect(steps).toBeGreaterThan(60);
  });
});

describe("a shot", () => {
  it("has the chances that the engine gives it, die by die", () => {
    let shots = 0;
    for (const { board: plain, rows } of vectors.shots) {
      const board = asBoard(plain);
      for (const { disk, target, shot, dice, of, unharmed, struck, taken } of rows) {
        const odds = shotOdds(board, disk, target, shot);
        expect(odds?.dice).toBe(dice);
        expect(odds?.unharmed).toBeCloseTo(unharmed / of, 10);
        expect(odds?.struck).toBeCloseTo(struck / of, 10);
        expect(odds?.damaged).toBeCloseTo((of - unharmed - struck) / of, 10);
        expect(odds?.expected).toBeCloseTo(taken / of, 10);
        shots += 1;
      }
    }
    expect(shots).toBeGreaterThan(40);
  });
});
