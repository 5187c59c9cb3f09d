// Stacks and the signs of covered disks: plain geometry of the picture.

import { describe, expect, it } from "vitest";

import { MAX_CALLOUTS, calloutAt, placeCallouts } from "../../../src/board/callouts";
import { pickDisk } from "../../../src/board/picking";
import { placeLineLabel, placeRingLabel, placeRingLabels } from "../../../src/board/labels";
import { stacksOf } from "../../../src/rulesets/diskwars/board/stacks";

const disk = (id: number, x: number, y: number, r = 28, z = id) => ({ id, x, y, z, r, short: `Disk ${id}`, damage: 0 });

describe("stacks", () => {
  it("join disks through others, topmost first, and leave out those that only touch", () => {
    const [low, middle, high, beside, alone] = [
      disk(0, 100, 100),
      disk(1, 140, 100),
      disk(2, 180, 100),
      disk(3, 236, 100),
      disk(4, 500, 500),
    ];
    expect(stacksOf([low, beside, high, alone, middle])).toEqual([[high, middle, low]]);
  });
  it("are made of disks that overlap by 10 µm, and not of those that overlap by 9, wherever they are", () => {
    for (let place = 0; place < 1000; place += 1) {
      const [x, y] = [30_000 + 613 * place, 40_001 + 377 * place];
      const beside = (overlap: number) => [
        disk(0, x / 1000, y / 1000, 28.575),
        disk(1, (x + 28_575 + 22_225 - overlap) / 1000, y / 1000, 22.225),
      ];
      expect([stacksOf(beside(10)).length, stacksOf(beside(9)).length], `at ${x}, ${y}`).toEqual([1, 0]);
    }
  });
  it("come with the largest first", () => {
    const [pair, three] = [
      [disk(0, 0, 0), disk(1, 10, 0)],
      [disk(2, 300, 0), disk(3, 310, 0), disk(4, 320, 0)],
    ];
    expect(stacksOf([...pair, ...three]).map((stack) => stack.length)).toEqual([3, 2]);
  });
});

describe("a click on a stack", () => {
  it("means the topmost disk that can be chosen", () => {
    expect(
      pickDisk(
        [3, 2, 1],
        new Map([
          [3, "dim"],
          [2, "choice"],
          [1, "choice"],
        ]),
        null,
      ),
    ).toBe(2);
    expect(
      pickDisk(
        [3, 2, 1],
        new Map([
          [3, "acting"],
          [1, "dim"],
        ]),
        null,
      ),
    ).toBe(3);
    expect(pickDisk([], new Map(), null)).toBeNull();
  });
  it("means the next one below when it comes again, and goes round", () => {
    const marks = new Map([
      [3, "own_choice"],
      [2, "dim"],
      [1, "target"],
    ] as const);
    expect(pickDisk([3, 2, 1], marks, 3)).toBe(1);
    expect(pickDisk([3, 2, 1], marks, 1)).toBe(3);
    expect(pickDisk([3, 2, 1], marks, 7)).toBe(3);
  });
  it("looks through the whole stack where nothing is asked, and stays on what acts", () => {
    expect(pickDisk([3, 2, 1], new Map(), 3)).toBe(2);
    expect(pickDisk([3, 2, 1], new Map([[3, "acting"]]), 3)).toBe(3);
  });
});

describe("signs of covered disks", () => {
  const field = { width: 914, height: 914 };
  it("lie off the disks, off one another, and on the field", () => {
    const disks = [disk(0, 40, 40), disk(1, 50, 45), disk(2, 60, 60), disk(3, 120, 60)];
    const signs = placeCallouts(disks.slice(0, 3), disks, 1, field);
    expect(signs).toHaveLength(3);
    for (const [place, one] of signs.entries()) {
      expect([one.x >= 0, one.y >= 0, one.x + one.width <= 914, one.y + one.height <= 914]).toEqual([
        true,
        true,
        true,
        true,
      ]);
      for (const other of signs.slice(place + 1)) {
        const isApart =
          one.x + one.width <= other.x ||
          other.x + other.width <= one.x ||
          one.y + one.height <= other.y ||
          other.y + other.height <= one.y;
        expect(isApart).toBe(true);
      }
      const covers = disks.some(
        ({ x, y }) => x > one.x && x < one.x + one.width && y > one.y && y < one.y + one.height,
      );
      expect(covers).toBe(false);
    }
  });
  it("are at most six, and are found where they are", () => {
    const disks = Array.from({ length: 9 }, (_, id) => disk(id, 100 + 80 * id, 400));
    const signs = placeCallouts(disks, disks, 1, field);
    expect(signs).toHaveLength(MAX_CALLOUTS);
    for (const { disk: of, x, y } of signs) expect(calloutAt(signs, x + 1, y + 1)).toBe(of);
    expect(calloutAt(signs, -50, -50)).toBeNull();
  });
});

describe("the label of a ring", () => {
  const [ring, size] = [
    { x: 100, y: 100, r: 50 },
    { width: 40, height: 10 },
  ];

  it("stands on top, and where that is out of view or on a planned disk, at another side", () => {
    expect(placeRingLabel(ring, size, "0 0 200 200", [])).toEqual([100, 50]);
    expect(placeRingLabel(ring, size, "0 0 200 200", [{ x: 110, y: 60, r: 14 }])).toEqual([100, 150]);
    expect(placeRingLabel(ring, size, "0 60 200 85", [])).toEqual([150, 100]);
    expect(placeRingLabel(ring, size, "0 60 165 85", [])).toEqual([50, 100]);
  });
  it("stands between two sides where only that is in view", () => {
    expect(placeRingLabel(ring, size, "115 60 50 20", [])).toEqual([140, 70]);
  });
  it("keeps off the labels of other rings", () => {
    const [one, other] = placeRingLabels(
      [
        { ring, size },
        { ring: { ...ring, r: 54 }, size },
      ],
      "0 0 200 200",
      [],
    );
    expect([one?.x, one?.y]).toEqual([100, 50]);
    expect([other?.x, other?.y]).toEqual([100, 154]);
  });
  it("stays on top where no side is free", () => {
    expect(placeRingLabel(ring, size, "90 90 20 20", [])).toEqual([100, 50]);
  });
});

describe("the label of a line", () => {
  const size = { width: 80, height: 20 };

  const shown = { px: 1, viewBox: "-500 -500 1000 1000" };
  it("stands in its middle, and beside a line that is shorter, clear of it", () => {
    expect(placeLineLabel([0, 100], [200, 100], size, shown)).toEqual([100, 100]);
    expect(placeLineLabel([0, 100], [60, 100], size, shown)).toEqual([30, 64]);
    expect(placeLineLabel([60, 100], [0, 100], size, shown)).toEqual([30, 64]);
    expect(placeLineLabel([0, 0], [0, 60], size, { ...shown, px: 0.5 })[0]).toBe(53);
    expect(placeLineLabel([5, 5], [5, 5], size, shown)).toEqual([5, 5]);
  });
  it("stays in view, and goes to the other side of a line at an edge", () => {
    const seen = { px: 1, viewBox: "0 0 400 400" };
    expect(placeLineLabel([-200, 100], [10, 100], size, seen)).toEqual([size.width / 2, 100]);
    expect(placeLineLabel([100, 20], [160, 20], size, seen)).toEqual([130, 56]);
    expect(placeLineLabel([390, 390], [390, 390], size, seen)).toEqual([400 - size.width / 2, 400 - size.height / 2]);
  });
});
