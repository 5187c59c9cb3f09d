// Suggested places of disks: beside what the player has laid, on no disk of theirs, and within the limits of the zones.

import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { MatchStream } from "../../../src/client/stream";
import { readFile } from "../../../src/client/records/records.js";
import { INCH_UM, radiusOf } from "../../../src/rulesets/diskwars/forecast/position";
import { suggestPlaces, type DeploymentRoom } from "../../../src/rulesets/diskwars/tools/suggested_places";
import type { diskwars } from "../../../src/protocol/types";

const { header, records } = readFile(
  new Uint8Array(
    readFileSync(new URL("../../../../../tests/golden/files/diskwars-points.match.jsonl", import.meta.url)),
  ),
);
if (!header) throw new Error("no header");
const stream = new MatchStream({ match: header.match, header, head: records.length });
stream.append(records);
const board = stream.state!.board as never;
const disks = stream.state!.board!.disks.filter(({ seat }) => seat === 1).map(({ id }) => id);

const zone = (number: number, x0: number, width: number): diskwars.Area => ({
  zone: number,
  x0: x0 * INCH_UM,
  y0: 0,
  x1: (x0 + width) * INCH_UM,
  y1: 6 * INCH_UM,
});
/** All disks at one place, as no player would lay them. */
const heap = disks.map((disk) => ({ disk, x: 3 * INCH_UM, y: 3 * INCH_UM }));
const wide: DeploymentRoom = {
  areas: [zone(0, 0, 12), zone(1, 20, 12)],
  limits: new Map([
    [0, 3],
    [1, 3],
  ]),
  count: Math.min(6, disks.length),
  disks,
  required: disks.slice(-1),
  example: heap,
};

function overlaps(places: ReadonlyArray<diskwars.Placement>): number {
  return places.flatMap((a, k) =>
    places
      .slice(k + 1)
      .filter((b) => Math.hypot(a.x - b.x, a.y - b.y) < radiusOf(board, a.disk) + radiusOf(board, b.disk)),
  ).length;
}

describe("suggested places", () => {
  it("keep what the player has laid", () => {
    const laid = { disk: disks[0]!, x: 26 * INCH_UM, y: 2.5 * INCH_UM };
    const placed = suggestPlaces(board, wide, [laid]);
    expect(placed[0]).toEqual(laid);
    expect(placed).toHaveLength(wide.count);
    expect(new Set(placed.map(({ disk }) => disk)).size).toBe(wide.count);
  });
  it("lie on no own disk, and no more of them in a zone than it takes", () => {
    const placed = suggestPlaces(board, wide, []);
    expect(placed).toHaveLength(wide.count);
    expect(overlaps(placed)).toBe(0);
    expect(placed.filter(({ x }) => x < 12 * INCH_UM)).toHaveLength(3);
  });
  it("have those that must be there first", () => {
    const one = suggestPlaces(board, { ...wide, count: 1 }, []);
    expect(one.map(({ disk }) => disk)).toEqual(wide.required);
  });
  it("leave a disk in the hand for which there is no room", () => {
    const narrow = { ...wide, areas: [zone(0, 0, 3.2)], limits: new Map([[0, 6]]) };
    const placed = suggestPlaces(board, narrow, []);
    expect(placed.length).toBeLessThan(wide.count);
    expect(placed.length).toBeGreaterThan(0);
    expect(overlaps(placed)).toBe(0);
  });
});
