// The map in its corners: it ends at the edge of the table in the size that it is drawn in.

import { expect, it } from "vitest";

import { minimapPlaces, minimapSize } from "../../../src/board/minimap/places";

const field = { width: 1200, height: 600 };

it("stands as far from the lower edge on a phone as on a wide screen", () => {
  for (const isSmall of [true, false]) {
    const map = minimapSize(field, isSmall);
    const places = minimapPlaces({ width: 380, height: 500 }, map);
    expect(places.map(({ top }) => top)).toEqual([14, 14, 486 - map.height, 486 - map.height]);
    expect(places.map(({ left }) => left)).toEqual([318 - map.width, 14, 318 - map.width, 14]);
  }
  expect(minimapSize(field, true)).toEqual({ width: 98, height: 56 });
  expect(minimapSize(field, false)).toEqual({ width: 146, height: 80 });
});
