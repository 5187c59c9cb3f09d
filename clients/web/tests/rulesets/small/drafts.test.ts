// Answers of the small games are chosen first, and sent by one button.

import { describe, expect, it } from "vitest";

import { answerNamed, answersOf } from "../../../src/rulesets/small/answers";
import { game as regimentsGame } from "../../../src/rulesets/regiments/regiments";
import { game as pitGame } from "../../../src/rulesets/pit/pit";
import {
  NO_DRAFT,
  NOTHING_ASKED,
  withCommit,
  type Action,
  type Context,
  type Draft,
} from "../../../src/rulesets/small/game";

const CONTEXT: Context = { seat: 0, seats: ["Ann", "Bob"], toPicture: (x, y) => [x, y], turned: 0 };
const HOLD = { type: "hold" } as Action;
const CHARGE = { type: "charge", target: 1 } as Action;
const FOOT = { name: "Foot", weapon_skill: 3, strength: 3, toughness: 3, armour: 2, attacks: 1 };
const drafted = (action: Action): Draft => ({ selected: null, action });

describe("the button that sends an answer", () => {
  const asked = {
    ...NOTHING_ASKED,
    choices: [
      { label: "Hold", action: HOLD },
      { label: "B Foot", action: CHARGE, commit: "Charge B Foot" },
    ],
  };

  it("is there once one of several answers is chosen, and says what it does", () => {
    expect(withCommit(asked, NO_DRAFT).commit).toBeNull();
    expect(withCommit(asked, drafted(HOLD)).commit?.label).toBe("Hold");
    const charge = withCommit(asked, drafted({ ...CHARGE }));
    expect(charge.commit).toEqual({ label: "Charge B Foot", action: CHARGE });
    expect(charge.choices).toHaveLength(2);
  });
  it("is one answer of the command line, and not two of the same name", () => {
    const labels = (draft: Draft) => answersOf(withCommit(asked, draft), String).map(({ label }) => label);
    expect(labels(NO_DRAFT)).toEqual(["Hold", "B Foot"]);
    expect(labels(drafted(HOLD))).toEqual(["Hold", "B Foot"]);
    expect(answerNamed("hold", answersOf(withCommit(asked, drafted(HOLD)), String))).toMatchObject({ kind: "commit" });
    expect(answerNamed("b foot", answersOf(withCommit(asked, drafted(HOLD)), String))).toMatchObject({
      kind: "choice",
      at: 1,
    });
  });
  it("stands for the only answer there is, and for none where a piece may still be chosen", () => {
    const only = { ...asked, choices: [{ label: "Hold", action: HOLD }] };
    expect(withCommit(only, NO_DRAFT)).toMatchObject({ choices: [], commit: { label: "Hold" } });
    const pieces = new Map([[3, { selected: 3, action: null }]]);
    expect(withCommit({ ...only, tokens: pieces }, NO_DRAFT).commit).toBeNull();
    expect(
      withCommit({ ...only, ways: [{ label: "Advance", isOn: false, draft: NO_DRAFT }] }, NO_DRAFT).commit,
    ).toBeNull();
  });
  it("keeps what a game has put together itself", () => {
    const commit = { label: "March", action: HOLD };
    expect(withCommit({ ...asked, commit }, drafted(CHARGE)).commit).toBe(commit);
  });
});

describe("a click on a piece", () => {
  const unit = (id: number, x: number) => ({
    id,
    seat: id,
    profile: 0,
    x,
    y: 1,
    facing: "east",
    files: 4,
    models: [1, 1, 1, 1],
    started: 4,
    status: "steady",
  });
  const regiments = {
    units: [unit(0, 0), unit(1, 3)],
    profiles: [FOOT],
    weapons: [{ id: "hand", name: "Hand weapon" }],
    contacts: [],
    waiting: [0],
    sides: [[0], [1]],
  } as never;
  const fighter = (id: number) => ({ id, seat: id % 2, profile: 0, x: id, y: 0, status: "ok", wounds: 1 });
  const pit = {
    fighters: [0, 1, 2, 3].map(fighter),
    profiles: [{ name: "Thug", rank: "henchman" }],
    weapons: [],
    combats: [
      [0, 1],
      [2, 3],
    ],
  } as never;

  it("prepares a charge, says what the dice need on both sides, and sends nothing", () => {
    const options = { actions: [HOLD, CHARGE], parametric: [] } as never;
    const ask = (draft: Draft) =>
      withCommit(
        regimentsGame.ask(
          regiments,
          { id: "d", seat: 0, question: { type: "order", unit: 0 } } as never,
          options,
          draft,
          CONTEXT,
        ),
        draft,
      );
    const charge = ask(NO_DRAFT).tokens.get(1);
    expect(charge).toEqual({ selected: null, action: CHARGE });
    expect(ask(charge ?? NO_DRAFT).commit).toEqual({ label: "Charge B Foot", action: CHARGE });
    expect(ask(charge ?? NO_DRAFT).rows).toEqual([]);
    expect(ask(charge ?? NO_DRAFT).links).toEqual([{ from: 0, to: 1, kind: "attack", group: 0 }]);
    // C-1: the charge has one strength more, 4 against a toughness of 3.
    expect(ask(charge ?? NO_DRAFT).outlook.slice(0, 2)).toEqual([
      "A Foot: hit on 4+, wound on 3+, saved on 1 or less; an attack wounds: 28\u00a0%.",
      "B Foot: hit on 4+, wound on 4+, saved on 2 or less; an attack wounds: 17\u00a0%.",
    ]);
    expect(ask(NO_DRAFT).outlook).toEqual([]);
  });
  it("prepares the fight that a fighter is in", () => {
    const actions = [0, 1].map((combat) => ({ type: "choose_combat", combat })) as Action[];
    const ask = (draft: Draft) =>
      withCommit(
        pitGame.ask(
          pit,
          { id: "d", seat: 0, question: { type: "combat" } } as never,
          { actions } as never,
          draft,
          CONTEXT,
        ),
        draft,
      );
    const fight = ask(NO_DRAFT).tokens.get(3);
    expect(fight).toEqual({ selected: null, action: actions[1] });
    expect(ask(NO_DRAFT).commit).toBeNull();
    expect(ask(fight ?? NO_DRAFT).commit).toEqual({ label: "Begin this fight", action: actions[1] });
  });
});

describe("the last rolls of the pit", () => {
  const fighter = (id: number) => ({ id, seat: id % 2, profile: 0, x: id, y: 0, status: "ok", wounds: 1 });
  const board = {
    fighters: [0, 1].map(fighter),
    profiles: [{ name: "Thug", rank: "henchman" }],
    weapons: [],
    combats: [[0, 1]],
  } as never;
  const check = (face: number) => ({ faces: [face], kept: face, needed: 10, passed: face >= 10 });
  const melee = (by: number, face: number) => ({
    type: "melee_rolled",
    fighter: by,
    target: 1 - by,
    checks: [check(face)],
    reasons: [{ rule: "A-1" }],
  });
  const defence = (of: number, face: number) => ({
    type: "defence_rolled",
    target: of,
    checks: [check(face)],
    reasons: [{ rule: "A-1" }],
  });
  const facesOf = (events: object[]) =>
    pitGame.sheets(board, events as never, CONTEXT)[0]?.rows.map(([text]) => text?.split(": ")[1]);

  it("are the last attack of each seat, with what was rolled against it", () => {
    expect(facesOf([melee(0, 3), defence(1, 4), melee(0, 5), defence(1, 6), melee(1, 7), defence(0, 8)])).toEqual([
      "5",
      "6",
      "7",
      "8",
    ]);
    expect(facesOf([melee(0, 3), melee(0, 5), defence(1, 6)])).toEqual(["5", "6"]);
    expect(facesOf([defence(1, 6)])).toBeUndefined();
  });
});
