// What the camera of a small game shows, what is written on its pieces, and how its scores read.

import { describe, expect, it } from "vitest";

import { followedView, isInView, wholeView } from "../../../src/board/framing";
import { scoreText } from "../../../src/lists/score";
import { framedBy } from "../../../src/rulesets/small/framed";
import {
  LEAST_PX,
  NO_DRAFT,
  NOTHING_ASKED,
  printedName,
  type Asked,
  type Token,
} from "../../../src/rulesets/small/game";

const CELL = 60;
const PHONE = { width: 390, height: 520, field: { width: 12 * CELL, height: 12 * CELL } };
const upright = { toPicture: (x: number, y: number): [number, number] => [x, 12 * CELL - y] };
const piece = (id: number, x: number, y: number) => ({ id, x: (x + 0.5) * CELL, y: (y + 0.5) * CELL, r: 26 }) as Token;
const PIECES = [piece(0, 1, 1), piece(1, 4, 1), piece(2, 10, 10)];
const spot = (x: number, y: number) => ({
  x: (x + 0.5) * CELL,
  y: (11.5 - y) * CELL,
  label: "",
  draft: NO_DRAFT,
  isChosen: false,
});

describe("the camera of a small game", () => {
  const frame = (asked: Partial<Asked>, selected: number | null = null) =>
    framedBy({ ...NOTHING_ASKED, ...asked }, { selected, action: null }, PIECES, CELL, upright);

  it("shows the piece that is chosen and every cell it may go to, with cells as large as a finger", () => {
    const reach = frame({ spots: [spot(1, 2), spot(5, 2)] }, 0);
    expect(reach).not.toBeNull();
    const view = followedView(PHONE, reach);
    expect(reach && isInView(PHONE, view, reach)).toBe(true);
    expect((CELL * PHONE.width) / view.width).toBeGreaterThanOrEqual(44);
  });
  it("leaves the table whole where cells far apart may be chosen, or any place", () => {
    expect(followedView(PHONE, frame({ spots: [spot(0, 0), spot(11, 11)] }, 0))).toEqual(wholeView(PHONE));
    expect(frame({ onPlace: () => NO_DRAFT })).toBeNull();
  });
  it("shows all pieces where one of them has to be chosen, and the attacker with its targets where it attacks", () => {
    const all = frame({ tokens: new Map([[0, { selected: 0, action: null }]]) });
    expect(all?.x1).toBe(PIECES[2] && PIECES[2].x + 26);
    const attack = frame({
      focus: 0,
      tokens: new Map([[1, { selected: null, action: { type: "declare_attacks" } }]]) as unknown as Asked["tokens"],
    });
    expect(attack?.x1).toBe(PIECES[1] && PIECES[1].x + 26);
  });
});

describe("words on a small piece", () => {
  it("are large enough to be read on a phone", () => {
    const drawn = 12;
    const { lines, size } = printedName("Captain", "Capt", drawn);
    expect(lines).toEqual(["Capt"]);
    expect((size * drawn) / 100).toBeCloseTo(LEAST_PX);
  });
});

describe("scores", () => {
  it("of regiments are units, of which no thousandth is lost", () => {
    expect(scoreText("regiments", 1750)).toBe("1.75");
    expect(scoreText("regiments", 2001)).toBe("2.001");
    expect(scoreText("pit", 3)).toBe("3");
  });
});

describe("cells on a phone", () => {
  const frame = (x1: number) =>
    framedBy(
      { ...NOTHING_ASKED, spots: [spot(0, 5), spot(x1, 5)] },
      { selected: 0, action: null },
      PIECES,
      CELL,
      upright,
    );
  const drawn = (x1: number) => (CELL * PHONE.width) / followedView(PHONE, frame(x1)).width;

  it("are as large as a finger wherever those of a question fit, with less around them if need be", () => {
    expect(drawn(5)).toBeGreaterThanOrEqual(44);
    expect(drawn(7)).toBeGreaterThan(43.9);
  });
  it("are as large as fits where more are asked for", () => {
    expect(drawn(8)).toBeGreaterThan((CELL * PHONE.width) / wholeView(PHONE).width);
    expect(drawn(8)).toBeLessThan(44);
  });
});
