// What the page says beforehand of attacks in the small games is what the engine rolls.

import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { boardRulesOf } from "../../../src/client/records/boards.js";
import type { RulesetName, WireBoardOf } from "../../../src/client/records/states";
import type { Board as CloseQuartersBoard } from "../../../src/rulesets/close_quarters/board";
import {
  defensiveFirers,
  fireOdds,
  leadershipChance,
  meleeOdds,
  touched,
} from "../../../src/rulesets/close_quarters/odds";
import type { Board as PitBoard, Fighter } from "../../../src/rulesets/pit/pit";
import { attackOdds as pitOdds, blowOf } from "../../../src/rulesets/pit/odds";
import type { Board as RegimentsBoard, Unit } from "../../../src/rulesets/regiments/regiments";
import { attackOdds as regimentsOdds } from "../../../src/rulesets/regiments/odds";

type Chance = readonly [numerator: number, denominator: number];
interface Attack {
  readonly target: number;
  readonly weapon?: string;
}
interface PitRow {
  fighter: number;
  target: number;
  attacks: Attack[];
  hit: Chance;
  unsaved: Chance;
  out: Chance;
}
interface CloseRow {
  board: object;
  unit?: number;
  target: number;
  models: number;
  dice: number;
  model: number;
  weapon: string;
  touched: number[];
  fires: Chance;
  hit: Chance;
  falls?: Chance;
}
interface Vectors {
  pit: { board: object; rows: PitRow[] };
  close_quarters: CloseRow[];
  regiments: { board: object; rows: [number, number, boolean, boolean, number, number][] };
}
const vectors = JSON.parse(
  readFileSync(new URL("../../../../../tests/vectors/small_odds.json", import.meta.url), "utf8"),
) as Vectors;
const boardOf = (ruleset: RulesetName, board: object): unknown =>
  boardRulesOf(ruleset).full(board as WireBoardOf<RulesetName>);
const expectChance = (found: number | null | undefined, [numerator, denominator]: Chance, about: string) =>
  expect(found, about).toBeCloseTo(numerator / denominator, 12);

it("attacks of the pit hit, get through and take out as often as the engine rolls it", () => {
  const board = boardOf("pit", vectors.pit.board) as PitBoard;
  for (const { fighter, target, attacks, hit, unsaved, out } of vectors.pit.rows) {
    const [own, other] = [board.fighters[fighter], board.fighters[target]] as [Fighter, Fighter];
    const odds = pitOdds(board, own, other, attacks);
    const about = `${fighter} on ${target}`;
    if (other.status !== "stunned") {
      expectChance(blowOf(board, own, other, attacks[0]?.weapon).hit, hit, about);
      expectChance(odds.unsaved, unsaved, about);
    }
    expectChance(odds.out, out, about);
  }
});

describe("close quarters", () => {
  const rows = vectors.close_quarters.map((row) => ({
    ...row,
    at: boardOf("close_quarters", row.board) as CloseQuartersBoard,
  }));

  it("fires with as many dice, and hits and kills as often, as the engine rolls it", () => {
    for (const { at, unit, target, models, dice, fires, hit, falls } of rows) {
      if (unit === undefined) continue;
      expectChance(leadershipChance(at, unit), fires, "leadership");
      expect(defensiveFirers(at, unit, target)).toBe(models);
      const odds = fireOdds(at, unit, target, models);
      expect(odds?.dice).toBe(dice);
      const ofFires = (chance: Chance): Chance => [chance[0] * fires[1], chance[1] * fires[0]];
      expectChance(odds?.anyHit, ofFires(hit), "hit");
      expectChance(odds?.anyFalls, ofFires(falls ?? [0, 0]), "falls");
    }
  });
  it("fights with as many dice, and hits and kills as often, and leaves out what players decide", () => {
    for (const { at, unit, model, weapon, touched: enemies, dice, hit, falls } of rows) {
      const own = at.models[model];
      if (unit !== undefined || !own) continue;
      expect(touched(at, own).map(({ id }) => id)).toEqual(enemies);
      const odds = meleeOdds(at, own, weapon);
      expect(odds?.dice).toBe(dice);
      expectChance(odds?.anyHit, hit, "hit");
      if (falls) expectChance(odds?.anyFalls, falls, "falls");
      else expect(odds?.anyFalls).toBeNull();
    }
  });
});

it("attacks of regiments wound as often as the engine rolls it", () => {
  const board = boardOf("regiments", vectors.regiments.board) as RegimentsBoard;
  for (const [unit, target, isCharging, isHack, ...wound] of vectors.regiments.rows) {
    const [own, other] = [board.units[unit], board.units[target]] as [Unit, Unit];
    expectChance(
      regimentsOdds(board, own, other, { isCharging, isHack }).wound,
      wound as unknown as Chance,
      `${unit} on ${target}, charging ${isCharging}, hack ${isHack}`,
    );
  }
});
