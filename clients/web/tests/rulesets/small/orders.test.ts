// Typed orders of the small games: the words of the terminal, and why a line is none.

import { readFileSync } from "node:fs";

import { afterEach, describe, expect, it } from "vitest";

import { boardRulesOf } from "../../../src/client/records/boards.js";
import { setLanguage } from "../../../src/messages";
import { game as pitGame } from "../../../src/rulesets/pit/pit";
import { game as closeQuartersGame } from "../../../src/rulesets/close_quarters/close_quarters";
import { game as regimentsGame } from "../../../src/rulesets/regiments/regiments";
import { NO_DRAFT, type Context, type Draft } from "../../../src/rulesets/small/game";
import { seatMarks } from "../../../src/rulesets/small/typed_orders";

const CONTEXT: Context = { seat: 0, seats: ["Ann", "Bob"], toPicture: (x, y) => [x, y], turned: 0 };
afterEach(() => setLanguage("en"));

it("pieces are called by the marks of the terminal's map", () => {
  expect(seatMarks([0, 0, 1, 0, 1])).toEqual(["A1", "A2", "B1", "A3", "B2"]);
});

describe("typed orders", () => {
  // The vectors are plain JSON that only this test reads.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const vectors: any = JSON.parse(
    readFileSync(new URL("../../../../../tests/vectors/small_orders.json", import.meta.url), "utf8"),
  );
  const games = { pit: pitGame, close_quarters: closeQuartersGame, regiments: regimentsGame };

  it.each(Object.keys(games) as (keyof typeof games)[])("mean in %s what they mean in the terminal", (ruleset) => {
    for (const { board, seat, question, options, orders } of vectors[ruleset]) {
      const full = boardRulesOf(ruleset).full(board) as never;
      const { onOrder } = games[ruleset].ask(full, { id: "d", seat, question } as never, options, NO_DRAFT, CONTEXT);
      const offered = new Set(
        [
          ...(options.actions ?? []),
          ...(options.parametric ?? []).map(({ example }: { example: object }) => example),
        ].map(({ type }) => type),
      );
      for (const [line, action] of orders) {
        const meant = onOrder?.(line) ?? null;
        const taken = meant !== null && typeof meant !== "string" && offered.has(meant.type) ? meant : null;
        expect(taken, `${question.type}: ${line}`).toEqual(action);
      }
    }
  });
});

describe("the pit", () => {
  const profiles = [
    { name: "Captain", rank: "leader", weapons: ["sword", "great-sword"] },
    { name: "Thug", rank: "henchman" },
  ];
  const fighter = (id: number, seat: number, profile: number, status = "ok") => ({
    id,
    seat,
    profile,
    x: id,
    y: seat,
    status,
    wounds: 1,
    melee: 10,
    pierce: 0,
    injury: 0,
  });
  const board = {
    fighters: [
      fighter(0, 0, 0),
      fighter(1, 0, 1),
      fighter(2, 1, 0),
      fighter(3, 1, 1),
      fighter(4, 1, 1, "incapacitated"),
    ],
    profiles,
    combats: [],
    weapons: [
      { id: "sword", name: "Sword" },
      { id: "great-sword", name: "Great sword" },
    ],
  } as never;
  const limits = {
    fighter: 0,
    attacks: 3,
    targets: [2, 3],
    weapons: ["sword", "great-sword"],
    example: { type: "declare_attacks", attacks: [{ target: 2, weapon: "sword" }] },
  };
  const ask = (type: string) =>
    pitGame.ask(
      board,
      { id: "d", seat: 0, question: { type, fighter: 0 } } as never,
      { actions: [], parametric: type === "attack_declaration" ? [limits] : [] } as never,
      NO_DRAFT,
      CONTEXT,
    );
  const order = (type: string, line: string) => ask(type).onOrder?.(line);

  it("moves and engages by mark, by name, and by a part of it, to the cell of the terminal's map", () => {
    expect(order("movement", "move A2 4 5")).toEqual({ type: "move", fighter: 1, x: 4, y: 5 });
    expect(order("movement", "Move a captain to (4, 5)")).toEqual({ type: "move", fighter: 0, x: 4, y: 5 });
    expect(order("engagement", "engage a thu 0 11")).toEqual({ type: "engage", fighter: 1, x: 0, y: 11 });
    expect(order("movement", "end")).toEqual({ type: "end_phase" });
  });
  it("calls a cell in words as the order does", () => {
    const own = { fighter: 0, cells: [{ x: 4, y: 5 }], example: { type: "move", fighter: 0, x: 4, y: 5 } };
    const asked = pitGame.ask(
      board,
      { id: "d", seat: 0, question: { type: "movement" } } as never,
      { actions: [], parametric: [own] } as never,
      { selected: 0, action: null },
      CONTEXT,
    );
    expect(asked.spots[0]?.label).toBe("Move to column 4, row 5");
  });
  it("aims all attacks at one enemy, each weapon at least once, or divides them", () => {
    expect(order("attack_declaration", "attack B2")).toEqual({
      type: "declare_attacks",
      attacks: [
        { target: 3, weapon: "sword" },
        { target: 3, weapon: "sword" },
        { target: 3, weapon: "great-sword" },
      ],
    });
    expect(order("attack_declaration", "attack B Captain great sword, b2 Sword, B2")).toEqual({
      type: "declare_attacks",
      attacks: [
        { target: 2, weapon: "great-sword" },
        { target: 3, weapon: "sword" },
        { target: 3, weapon: "sword" },
      ],
    });
    setLanguage("de");
    expect(order("attack_declaration", "attack B2 großschwert")).toEqual({
      type: "declare_attacks",
      attacks: [{ target: 3, weapon: "great-sword" }],
    });
  });
  it("says why a line is no order", () => {
    expect(order("movement", "move A1")).toBe("Type who and where: move NAME 4 5 is column 4, row 5.");
    expect(order("movement", "move Grim 4 5")).toBe("Nothing on the table is called “Grim”.");
    expect(order("movement", "move captain 4 5")).toBe("“captain” may be A Captain and B Captain.");
    expect(order("attack_declaration", "attack B3")).toBe("Nothing on the table is called “B3”.");
    expect(order("attack_declaration", "attack")).toBe(
      "Name the target: attack NAME, or attack NAME sword, NAME hammer.",
    );
    expect(order("movement", "engage A1 4 5")).toBe("“engage” answers nothing that is asked now.");
    expect(order("movement", "dance")).toBeNull();
  });
  it("lists the forms that are taken now", () => {
    expect(ask("movement").orderForms).toEqual(["move NAME 4 5", "end"]);
    expect(ask("attack_declaration").orderForms).toEqual(["attack NAME", "attack NAME sword, NAME hammer"]);
    expect(ask("concession").orderForms).toEqual([]);
  });
});

describe("regiments", () => {
  const unit = (id: number, seat: number) => ({
    id,
    seat,
    profile: id % 2,
    x: id,
    y: 0,
    facing: "east",
    files: 4,
    models: [1, 1, 1, 1],
    started: 4,
    status: "steady",
  });
  const board = {
    units: [unit(0, 0), unit(1, 0), unit(2, 1), unit(3, 1)],
    profiles: [{ name: "Foot" }, { name: "Horse" }],
    weapons: [],
    contacts: [],
    waiting: [0, 1],
    sides: [[0], [1]],
  } as never;
  const ends = [
    { x: 1, y: 0, facing: "north", path: ["forward", "left"] },
    { x: 1, y: 0, facing: "east", path: ["left", "right", "forward"] },
    { x: 1, y: 0, facing: "east", path: ["forward"] },
  ];
  const order = (line: string) =>
    regimentsGame
      .ask(
        board,
        { id: "d", seat: 0, question: { type: "order", unit: 0 } } as never,
        {
          actions: [],
          parametric: [{ unit: 0, points: 3, ends, example: { type: "march", path: ["forward"] } }],
        } as never,
        NO_DRAFT,
        CONTEXT,
      )
      .onOrder?.(line);

  it("marches by steps, or to where a march can end", () => {
    expect(order("march forward left")).toEqual({ type: "march", path: ["forward", "left"] });
    expect(order("march f r f")).toEqual({ type: "march", path: ["forward", "right", "forward"] });
    expect(order("march to 1 0 north")).toEqual({ type: "march", path: ["forward", "left"] });
    expect(order("march 1 0 north")).toEqual({ type: "march", path: ["forward", "left"] });
    // Without a direction it faces as now, on the shortest way.
    expect(order("march to (1, 0)")).toEqual({ type: "march", path: ["forward"] });
  });
  it("charges, reforms and holds", () => {
    expect(order("charge B2")).toEqual({ type: "charge", target: 3 });
    expect(order("charge b foot")).toEqual({ type: "charge", target: 2 });
    expect(order("reform 6")).toEqual({ type: "reform", files: 6 });
    for (const type of ["hold", "fight", "retreat"]) expect(order(type)).toEqual({ type });
  });
  it("says why a line is no order", () => {
    expect(order("march to 7 7")).toBe("No march of this unit ends there.");
    expect(order("march to 1 0 south")).toBe("No march of this unit ends there.");
    expect(order("march on")).toBe("Type the steps or the end: march forward left, or march to 4 5 north.");
    expect(order("charge foot")).toBe("“foot” may be A Foot and B Foot.");
    expect(order("reform")).toBe("Type how many files: reform 6.");
    expect(order("hold the line")).toBeNull();
  });
  it("gives secret orders to the units that are named, and leaves those of the others as they are drafted", () => {
    const limits = [0, 1].map((id) => ({
      unit: id,
      ends: id === 0 ? ends : [],
      orders: [{ type: "hold" }],
      example: {
        type: "lock_orders",
        orders: [
          { unit: 0, order: { type: "hold" } },
          { unit: 1, order: { type: "hold" } },
        ],
      },
    }));
    const draft = {
      selected: 1,
      action: {
        type: "lock_orders",
        orders: [
          { unit: 0, order: { type: "hold" } },
          { unit: 1, order: { type: "reform", files: 2 } },
        ],
      },
    } as unknown as Draft;
    const asked = regimentsGame.ask(
      board,
      { id: "d", seat: 0, question: { type: "secret_orders" } } as never,
      { actions: [], parametric: limits } as never,
      draft,
      CONTEXT,
    );
    expect(asked.onOrder?.("A1 march to 1 0")).toEqual({
      type: "lock_orders",
      orders: [
        { unit: 0, order: { type: "march", path: ["forward"] } },
        { unit: 1, order: { type: "reform", files: 2 } },
      ],
    });
    // Of two units of this name, only one takes orders.
    expect(asked.onOrder?.("orders foot charge B1; horse hold")).toEqual({
      type: "lock_orders",
      orders: [
        { unit: 0, order: { type: "charge", target: 2 } },
        { unit: 1, order: { type: "hold" } },
      ],
    });
    expect(asked.onOrder?.("B1 hold")).toBe("B Foot takes no order of yours now.");
    expect(asked.onOrder?.("hold")).toBe(
      "Type a unit and its order, others behind a semicolon: A1 march forward; A2 hold.",
    );
    expect(asked.onOrder?.("Horse")).toBeNull();
  });
});
