// What the camera shows: a disk and its reach readably, all that a question is about, or the whole table.

import { describe, expect, it } from "vitest";

import {
  RAIL_MM,
  followedView,
  heldView,
  isInView,
  revealedView,
  wholeView,
  type Frame,
  type View,
} from "../../src/board/framing";

const INCH = 25.4;
const FIELD = { width: 36 * INCH, height: 36 * INCH };
/** The stage of a window of 1440 by 900 px above the bar of a question. */
const STAGE = { width: 840, height: 748, field: FIELD };
const PHONE = { width: 390, height: 400, field: FIELD };

const scaleOf = ({ width }: View, stage = STAGE): number => (stage.width / width) * INCH;
const box = (x: number, y: number, r: number, isSubject: boolean): Frame => ({
  x0: (x - r) * INCH,
  x1: (x + r) * INCH,
  y0: (y - r) * INCH,
  y1: (y + r) * INCH,
  isSubject,
});

describe("the view", () => {
  it("of the whole table has room for the rail, and figures on the smallest disks", () => {
    const view = wholeView(STAGE);
    expect(view.x).toBeLessThanOrEqual(-RAIL_MM);
    expect(
      isInView(STAGE, view, {
        x0: -RAIL_MM,
        y0: -RAIL_MM,
        x1: FIELD.width + RAIL_MM,
        y1: FIELD.height + RAIL_MM - 0.001,
      }),
    ).toBe(true);
    expect(1.75 * scaleOf(view)).toBeGreaterThan(30);
  });
  it("of a disk shows all that it reaches at 24 px an inch or more", () => {
    const reach = box(18, 18, 9.6, true);
    const view = followedView(STAGE, reach);
    expect(isInView(STAGE, view, reach)).toBe(true);
    expect(scaleOf(view)).toBeGreaterThan(24);
    expect(scaleOf(followedView(STAGE, box(18, 18, 1, true)))).toBeCloseTo(60);
  });
  it("of a disk stays readable where its reach does not fit", () => {
    expect(scaleOf(followedView(PHONE, box(18, 18, 9.6, true)), PHONE)).toBeCloseTo(24);
  });
  it("hides nothing that a question is about", () => {
    const spread = box(18, 18, 15, false);
    expect(followedView(STAGE, spread)).toEqual(wholeView(STAGE));
    const near = box(12, 12, 6, false);
    expect(isInView(STAGE, followedView(STAGE, near), near)).toBe(true);
    expect(scaleOf(followedView(STAGE, near))).toBeGreaterThan(scaleOf(wholeView(STAGE)));
  });
  it("shows no more than the rail beyond an edge", () => {
    const view = followedView(STAGE, box(1, 1, 5, true));
    expect([view.x, view.y]).toEqual([-RAIL_MM, -RAIL_MM]);
  });
  it("moves as little as brings a place into it", () => {
    const view = followedView(STAGE, box(6, 6, 4, true));
    const revealed = revealedView(STAGE, view, view.x + view.width + 100, view.y + 100);
    expect(revealed.y).toBe(view.y);
    expect(revealed.x - view.x).toBeLessThan(view.width / 2);
    expect(
      isInView(STAGE, revealed, {
        x0: view.x + view.width + 100,
        x1: view.x + view.width + 100,
        y0: view.y + 100,
        y1: view.y + 100,
      }),
    ).toBe(true);
  });
});

describe("the view of a plan", () => {
  const STAGES = [
    { width: 390, height: 564, field: FIELD },
    { width: 476, height: 390, field: FIELD },
    { width: 840, height: 744, field: FIELD },
  ];
  const FLIP = 2.25 * INCH;
  /** The same numbers in each run, between 0 and 1. */
  const random = (() => {
    let seed = 1;
    return () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  })();
  /** A disk, where it comes to lie after some flips, and a disk beneath it: all of them on the field. */
  function plan(): NonNullable<Frame["needed"]> {
    const r = FLIP / 2;
    const inside = () => r + random() * (FIELD.width - 2 * r);
    const [x, y, angle, far] = [inside(), inside(), random() * 2 * Math.PI, Math.ceil(6 * random()) * FLIP];
    const kept = (value: number) => Math.min(FIELD.width - r, Math.max(r, value));
    const last = { x: kept(x + far * Math.cos(angle)), y: kept(y + far * Math.sin(angle)), r };
    return [{ x, y, r }, last, { x: kept(last.x + r), y: kept(last.y + r), r }];
  }
  const bounds = (needed: NonNullable<Frame["needed"]>) => ({
    x0: Math.min(...needed.map(({ x, r }) => x - r)),
    x1: Math.max(...needed.map(({ x, r }) => x + r)),
    y0: Math.min(...needed.map(({ y, r }) => y - r)),
    y1: Math.max(...needed.map(({ y, r }) => y + r)),
  });

  it("has the disk, its landing and what that lies on whole in it, of 200 random plans", () => {
    for (const stage of STAGES)
      for (let count = 0; count < 200; count += 1) {
        const needed = plan();
        const [at] = needed;
        const frame = { ...box((at?.x ?? 0) / INCH, (at?.y ?? 0) / INCH, 14, true), needed };
        const view = followedView(stage, frame);
        expect(isInView(stage, view, bounds(needed))).toBe(true);
        expect(scaleOf(view, stage)).toBeGreaterThanOrEqual(scaleOf(wholeView(stage), stage) - 1e-9);
      }
  });
  it("stays where the player holds it, moved as little as shows the landing", () => {
    const [stage] = STAGES;
    if (!stage) return;
    const held = { x: 0, y: 0, width: 10 * INCH };
    const needed = bounds([
      { x: 5 * INCH, y: 5 * INCH, r: 1 * INCH },
      { x: 9.5 * INCH, y: 5 * INCH, r: 1 * INCH },
    ]);
    const view = heldView(stage, held, needed);
    expect(view.width).toBeCloseTo(held.width);
    expect(isInView(stage, view, needed)).toBe(true);
    expect(view.x).toBeLessThan(2 * INCH);
  });
  it("of a wide table leaves its edge clear of a column of tools, and is the usual one where it is clear anyhow", () => {
    const column = { width: 54, height: 748 };
    expect(wholeView({ ...STAGE, covered: column })).toEqual(wholeView(STAGE));
    const wide = { ...STAGE, field: { width: 72 * INCH, height: 48 * INCH } };
    const edge = ({ x, width }: View) => ((wide.field.width - x) * wide.width) / width;
    expect(edge(wholeView(wide))).toBeGreaterThan(840 - 54);
    const view = wholeView({ ...wide, covered: column });
    expect(edge(view)).toBeLessThan(840 - 54);
    expect(isInView(wide, view, { x0: 0, y0: 0, x1: wide.field.width, y1: wide.field.height })).toBe(true);
  });
  it("leaves what a question is about clear of a button in the corner", () => {
    const covered = { width: 90, height: 90 };
    const corner = box(33, 33, 2.9, false);
    const stage = { ...PHONE, covered };
    expect(isInView(stage, followedView(PHONE, corner), corner)).toBe(false);
    expect(isInView(stage, followedView(stage, corner), corner)).toBe(true);
    const far = { x0: 800, y0: 800, x1: 860, y1: 860 };
    const view = followedView(PHONE, box(20, 20, 4, true));
    expect(isInView(stage, heldView(stage, view, far), far)).toBe(true);
    const revealed = revealedView(stage, view, 900, 900);
    expect(isInView(stage, revealed, { x0: 900, y0: 900, x1: 900, y1: 900 })).toBe(true);
  });
});
