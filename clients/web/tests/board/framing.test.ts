// What the camera shows: a disk and its reach readably, all that a question is about, or the whole table.

import { describe, expect, it } from "vitest";

import {
  RAIL_MM,
  followedView,
  isInView,
  revealedView,
  wholeView,
  type Frame,
  type View,
} from "../../src/board/framing";

const INCH = 25.4;
const FIELD = { width: 36 * INCH, height: 36 * INCH };
/** The stage of a window of 1440 by 900 px above the bar of a question. */
const STAGE = { width: 840, freeHeight: 748, field: FIELD };
const PHONE = { width: 390, freeHeight: 400, field: FIELD };

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
        isSubject: false,
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
        isSubject: false,
      }),
    ).toBe(true);
  });
});
