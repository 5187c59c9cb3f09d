// Signs of disks: each gets a place on the table, whatever object says how large that is.

import { expect, test } from "vitest";

import { placeCallouts, placeSigns } from "../../src/board/callouts";

const disk = (id: number, x: number, y: number) => ({ id, x, y, r: 20, short: `Disk ${id}`, damage: 0 });
const DISKS = [disk(0, 100, 100), disk(1, 110, 104), disk(2, 300, 200), disk(3, 890, 100)];

/** As the projection of a table has them: not as values of its own. */
class Field {
  get width() {
    return 900;
  }
  get height() {
    return 900;
  }
}

test.each([
  ["values", { width: 900, height: 900 }],
  ["getters", new Field()],
])("covered disks have their signs on a field with %s", (_, field) => {
  const signs = placeCallouts(DISKS, DISKS, 1, field);
  expect(signs.map(({ disk: { id } }) => id)).toEqual([0, 1, 2, 3]);
  for (const { x, y, width, height } of signs) {
    expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
    expect(Math.max(x + width, y + height)).toBeLessThanOrEqual(900);
  }
});

test("signs lie off one another, also more of them than covered disks have", () => {
  const many = Array.from({ length: 12 }, (_, id) => disk(id, 100 + 90 * (id % 4), 100 + 90 * Math.floor(id / 4)));
  const signs = placeSigns(many, () => ({ width: 60, height: 20 }), many, 1, new Field());
  expect(signs).toHaveLength(12);
  for (const [k, one] of signs.entries())
    for (const other of signs.slice(k + 1))
      expect(
        Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x) <= 0 ||
          Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y) <= 0,
        `${one.disk.id} and ${other.disk.id}`,
      ).toBe(true);
});
