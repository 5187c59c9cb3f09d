// What plans look ahead with agrees with the engine's geometry where both are asked the same.

import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import {
  arePolygonsWithin,
  diskOverlapsPolygon,
  isPolygonInside,
  pinnedFromTop,
  rotatePolygon,
  type Polygon,
  type StackedDisk,
} from "../../src/board/plane";

const vectors = JSON.parse(readFileSync(new URL("../../../../tests/vectors/plane.json", import.meta.url), "utf-8"));
const circle = ([x, y, r]: readonly [number, number, number]) => ({ x, y, r });

describe("stacks", () => {
  it.each(["strict", "contact"] as const)("pins of the topmost disk, %s", (mode) => {
    for (const { disks, [mode]: pins } of vectors.pins) {
      const stack: StackedDisk[] = disks.map(([id, x, y, r, z]: number[]) => ({ id, x, y, r, z }));
      const top = [...stack].sort((one, other) => other.z - one.z)[0];
      if (!top) continue;
      const wanted = pins
        .filter(([upper]: [number, number]) => upper === top.id)
        .map(([, lower]: [number, number]) => lower);
      expect(
        pinnedFromTop(
          top,
          stack.filter((disk) => disk !== top),
          mode,
        ),
      ).toEqual(wanted);
    }
  });
});

describe("pieces", () => {
  it("overlap disks", () => {
    for (const { disk, corners, overlaps } of vectors.disk_and_polygon)
      expect(diskOverlapsPolygon(circle(disk), corners)).toBe(overlaps);
  });
  it("are near each other exactly from their distance on", () => {
    for (const { a, b, gap_sq: gap } of vectors.two_polygons as { a: Polygon; b: Polygon; gap_sq: number }[]) {
      const reach = Math.ceil(Math.sqrt(gap));
      expect(arePolygonsWithin(a, b, reach)).toBe(true);
      if (gap > 0) expect(arePolygonsWithin(a, b, reach - 1)).toBe(false);
    }
  });
  it("lie inside rectangles", () => {
    for (const {
      corners,
      rectangle: [x0, y0, x1, y1],
      distance,
      inside,
    } of vectors.polygon_inside_rectangle) {
      expect(isPolygonInside(corners, { x0, y0, x1, y1 }, distance)).toBe(inside);
    }
  });
  it("turn by steps of 5 degrees", () => {
    for (const { corners, step, to, turned } of vectors.turned)
      expect(rotatePolygon(corners, step, to[0], to[1])).toEqual(turned);
  });
});
