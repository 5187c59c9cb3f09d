// Moves of close quarters without a pointer: by arrow keys, and in words.

import { describe, expect, it } from "vitest";

import { game } from "../../../src/rulesets/close_quarters/close_quarters";
import { NO_DRAFT, reasonShown, type Context, type Draft } from "../../../src/rulesets/small/game";

const model = (id: number, x: number, y: number) => ({ id, unit: 0, x, y, status: "standing", is_leader: id === 0 });
const BOARD = {
  units: [{ id: 0, seat: 0, side: 0, profile: 0 }],
  models: [model(0, 600, 400), model(1, 600, 500)],
  profiles: [{ name: "Guards" }],
} as never;
const EXAMPLE = {
  type: "advance",
  moves: [
    { model: 0, x: 600, y: 400 },
    { model: 1, x: 600, y: 500 },
  ],
};
const OPTIONS = { actions: [], parametric: [{ unit: 0, distance: 600, example: EXAMPLE }] } as never;
const DECISION = { id: "d", seat: 0, question: { type: "unit_action", unit: 0 } } as never;
const CONTEXT: Context = { seat: 0, seats: ["Ann"], toPicture: (x, y) => [x, y], turned: 0 };
const ask = (draft: Draft) => game.ask(BOARD, DECISION, OPTIONS, draft, CONTEXT);
const movesOf = (action: unknown) => (action as typeof EXAMPLE | null)?.moves;

describe("a squad that moves", () => {
  const advance: Draft = { selected: null, action: EXAMPLE as never };

  it("goes step by step, as one, and says where its leader is", () => {
    const once = ask(advance).onStep?.(25.4, 0) ?? NO_DRAFT;
    expect(movesOf(once.action)).toEqual([
      { model: 0, x: 700, y: 400 },
      { model: 1, x: 700, y: 500 },
    ]);
    const twice = ask(once).onStep?.(0, -25.4) ?? NO_DRAFT;
    expect(movesOf(twice.action)).toEqual([
      { model: 0, x: 700, y: 300 },
      { model: 1, x: 700, y: 400 },
    ]);
    expect(ask(twice).help).toContain("Leader at 7.0, 3.0 in, 1.4 of 6.0 in away.");
  });
  it("moves the one model that is chosen", () => {
    const one = ask({ ...advance, selected: 1 }).onStep?.(0, 25.4) ?? NO_DRAFT;
    expect(movesOf(one.action)).toEqual([
      { model: 0, x: 600, y: 400 },
      { model: 1, x: 600, y: 600 },
    ]);
  });
  it("takes the order of the terminal before anything is chosen, and never goes too far", () => {
    const { onOrder, onStep } = ask(NO_DRAFT);
    expect(onStep).toBeNull();
    expect(movesOf(onOrder?.("advance 6 0"))).toEqual([
      { model: 0, x: 1200, y: 400 },
      { model: 1, x: 1200, y: 500 },
    ]);
    expect(movesOf(onOrder?.("Advance 0 20"))).toEqual([
      { model: 0, x: 600, y: 1000 },
      { model: 1, x: 600, y: 1100 },
    ]);
    expect(movesOf(onOrder?.("advance 1,5 -2"))).toEqual([
      { model: 0, x: 750, y: 200 },
      { model: 1, x: 750, y: 300 },
    ]);
    expect(onOrder?.("fly 1 1")).toBeNull();
  });
});

describe("why a piece is not offered", () => {
  const reasons = [
    { code: "not_legal", text: "a", rule: "B-9", model: 3 },
    { code: "not_legal", text: "b", rule: "B-11", model: 4 },
  ];

  it("is said of the piece that the player looks at, else of the first one", () => {
    expect(reasonShown(reasons, 4)).toEqual({ reason: reasons[1], piece: 4, isLooked: true });
    expect(reasonShown(reasons, 9)).toEqual({ reason: reasons[0], piece: 3, isLooked: false });
    expect(reasonShown([], 4)).toBeNull();
  });
});
