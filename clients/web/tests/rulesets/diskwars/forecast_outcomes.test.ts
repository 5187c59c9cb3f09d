// Moves, reinforcements, shots and fights among disks of both packs bring what the page forecasts, or it says what it leaves out.
// DISKWARS_OUTCOMES names another file of the same form, with as many rows as one likes.

import { readFileSync } from "node:fs";

import { afterEach, describe, expect, it } from "vitest";

import { boardRulesOf } from "../../../src/client/records/boards.js";
import type { BoardState } from "../../../src/client/records/match.js";
import { aftermathOf, clashOf, type Clash } from "../../../src/rulesets/diskwars/forecast/clash";
import {
  fightOutlook,
  scatterTargets,
  shotOdds,
  standingLinks,
  struckIn,
} from "../../../src/rulesets/diskwars/forecast/fight";
import {
  landingNotes,
  pathNotes,
  shotConsequences,
  stepsOf,
  stopsPath,
} from "../../../src/rulesets/diskwars/forecast/forecast";
import { profileOf } from "../../../src/rulesets/diskwars/forecast/position";
import { hasKeyword } from "../../../src/rulesets/diskwars/forecast/stats";
import { setLanguage } from "../../../src/messages";
import type { diskwars } from "../../../src/protocol/types";

interface Row {
  disk: number;
  path: [number, number][];
  flips: number;
  open: boolean;
  dealt: [number, number][];
  wounded: number[];
  destroyed: number[];
  stripped: boolean;
}
const FILE =
  process.env["DISKWARS_OUTCOMES"] ?? new URL("../../../../../tests/vectors/forecast_outcomes.json", import.meta.url);
interface Group<Of> {
  board: object;
  rows: Of[];
}
interface Landed extends Omit<Row, "flips" | "path"> {
  x: number;
  y: number;
}
interface Shot {
  disk: number;
  target: number;
  shot: number;
  dice: number;
  nearest: number[];
  of: number;
  unharmed: number;
  struck: number;
  taken: number;
  after?: Pick<Row, "dealt" | "destroyed" | "open" | "wounded">;
}
interface Fight {
  disks: object[];
  pins: object[];
  engagements: diskwars.Engagement[];
  engagement: number;
  steps: { speed: string; blows: [number, number, number][] }[];
  wounded: number[];
  destroyed: number[];
  triggers: number;
}
const all = JSON.parse(readFileSync(FILE, "utf8")) as {
  outcomes: Group<Row>[];
  reinforcements: Group<Landed>[];
  shots: Group<Shot>[];
  fights: Group<Fight>[];
};
const groups = all.outcomes;
const asBoard = (board: unknown): BoardState => boardRulesOf("diskwars").full(board as diskwars.Board);
const rows = groups.flatMap(({ board, rows: of }) => {
  const full = asBoard(board);
  return of.map((row) => {
    const places = row.path.map(([x, y]) => ({ x, y }));
    const flies = hasKeyword(profileOf(full, row.disk), "flying");
    // What a walking disk does after the flips that are made is decided again; a flight goes on to its last place (R8.7).
    return { ...row, board: full, places, made: flies ? places : places.slice(0, row.flips) };
  });
});
const inOrder = (list: Iterable<number>) => [...list].sort((one, other) => one - other);

/** What clashes bring, as rows write it. */
function factsOf(clashes: ReadonlyArray<Clash>): Pick<Row, "dealt" | "destroyed" | "wounded"> {
  const sums = new Map<number, number>();
  for (const { target, taken } of clashes.flatMap(({ strikes }) => strikes))
    if (taken) sums.set(target, (sums.get(target) ?? 0) + taken);
  const fates = clashes.flatMap(({ strikes, falls }) => [
    ...strikes.map(({ target, fate }) => [target, fate] as const),
    ...falls.map(({ disk: fallen, fate }) => [fallen, fate] as const),
  ]);
  const of = (wanted: string) => inOrder(fates.flatMap(([one, fate]) => (fate === wanted ? [one] : [])));
  return {
    dealt: [...sums].sort(([one], [other]) => one - other),
    wounded: of("wounded"),
    destroyed: of("destroyed"),
  };
}

/** Words that say that a die, a choice or something not worked out has a part in a landing. */
const CAVEATS = new Set(["R10.5", "R6.6", "R19.19"]);

afterEach(() => setLanguage("en"));

describe("a move among disks of both packs", () => {
  it("brings the damage, wounds, removals and loss of empowerment that the engine decides", () => {
    for (const { board, disk, made, open, dealt, wounded, destroyed, stripped } of rows) {
      if (open) continue;
      const clashes = stepsOf(board, disk, made).map(({ clash }) => clash);
      const label = `disk ${disk} by ${JSON.stringify(made)} on ${JSON.stringify(board.disks)}`;
      expect(factsOf(clashes), label).toEqual({ dealt, wounded, destroyed });
      expect(
        clashes.some(({ stripper }) => stripper !== null),
        label,
      ).toBe(stripped);
    }
  });
  it("pauses at the flip at which the engine asks again", () => {
    for (const { board, disk, places, flips } of rows) {
      const steps = stepsOf(board, disk, places);
      const pause = steps.findIndex(({ clash }) => clash.isPause);
      expect(pause < 0 ? places.length : pause + 1, `disk ${disk} by ${JSON.stringify(places)}`).toBe(flips);
    }
  });
  it("is said in words where a die or a player decides", () => {
    for (const { board, disk, made, open } of rows) {
      const notes = pathNotes(board, disk, made);
      const isSaid = notes.some(({ rule, text }) => CAVEATS.has(rule) || /(Impact|Guard) d6/.test(text));
      if (open) expect(isSaid, `disk ${disk}: ${notes.map(({ text }) => text).join(" ")}`).toBe(true);
    }
  });
  it("names everybody who falls without any damage", () => {
    let falls = 0;
    for (const { board, disk, made, open, dealt, wounded, destroyed } of rows) {
      if (open || dealt.length || !(wounded.length + destroyed.length)) continue;
      const texts = pathNotes(board, disk, made).map(({ text }) => text);
      expect(texts.filter((text) => /^(?!Melee).* loses toughness and is /.test(text)).length).toBe(
        wounded.length + destroyed.length,
      );
      falls += 1;
    }
    expect(falls).toBeGreaterThan(5);
  });
});

describe("a reinforcement", () => {
  it("brings what the engine decides, or is said in words where a die or a player decides", () => {
    for (const { board: plain, rows: of } of all.reinforcements) {
      const board = asBoard(plain);
      for (const { disk, x, y, open, dealt, wounded, destroyed } of of) {
        const label = `disk ${disk} at ${x}, ${y} on ${JSON.stringify(board.disks)}`;
        if (open) {
          const notes = landingNotes(board, disk, x, y, false);
          expect(
            notes.some(({ rule }) => CAVEATS.has(rule)),
            label,
          ).toBe(true);
        } else expect(factsOf([clashOf(board, disk, { x, y }, false)]), label).toEqual({ dealt, wounded, destroyed });
      }
    }
  });
});

describe("a shot", () => {
  it("has the chances of the engine, and what follows from the destruction of its target", () => {
    let followed = 0;
    for (const { board: plain, rows: of } of all.shots) {
      const board = asBoard(plain);
      for (const { disk, target, shot, dice, nearest, of: total, unharmed, struck, taken, after } of of) {
        const odds = shotOdds(board, disk, target, shot) ?? expect.fail("no shot");
        const label = `disk ${disk} at ${target} on ${JSON.stringify(board.disks)}`;
        expect([odds.dice, scatterTargets(board, disk, target)], label).toEqual([dice, nearest]);
        const found = [odds.unharmed, odds.struck, odds.expected];
        const judged = [unharmed, struck, taken].map((one) => one / total);
        expect(Math.max(...found.map((one, place) => Math.abs(one - (judged[place] ?? 1)))), label).toBeLessThan(1e-9);
        if (!after) continue;
        const { open, ...facts } = after;
        const notes = shotConsequences(board, disk, target, true);
        if (open)
          expect(
            notes.some(({ rule }) => CAVEATS.has(rule)),
            label,
          ).toBe(true);
        else {
          expect(factsOf([aftermathOf(board, target)]), label).toEqual(facts);
          const harmed = facts.wounded.length + facts.destroyed.length;
          expect(
            notes.filter(({ text }) => / and (wounds it|destroys it|is wounded|is destroyed)/.test(text)).length,
          ).toBe(harmed);
          followed += harmed;
        }
      }
    }
    expect(followed).toBeGreaterThan(0);
  });
});

describe("a fight among disks of both packs", () => {
  it("is struck and ends as the engine says, from its beginning and from each later step", () => {
    let later = 0;
    for (const { board: plain, rows: of } of all.fights) {
      for (const { disks, pins, engagements, engagement, steps, wounded, destroyed, triggers } of of) {
        const board = asBoard({ ...plain, disks, pins, engagements });
        const fought = board.engagements[engagement] ?? expect.fail("no engagement");
        const targets = new Map(steps.flatMap(({ blows }) => blows.map(([disk, target]) => [disk, target] as const)));
        const outlook = fightOutlook(board, standingLinks(board, fought.links), targets, struckIn(board, fought));
        const label = `engagement ${engagement} on ${JSON.stringify({ disks, engagements })}`;
        if (triggers) {
          expect(outlook.isTriggering, label).toBe(true);
          continue;
        }
        const found = outlook.steps.map(({ speed, blows }) => ({
          speed,
          blows: blows.map(({ disk, target, strength }) => [disk, target, strength]).sort(),
        }));
        expect(found, label).toEqual(steps.map(({ speed, blows }) => ({ speed, blows: [...blows].sort() })));
        expect([inOrder(outlook.wounded), inOrder(outlook.destroyed)], label).toEqual([
          inOrder(new Set(wounded)),
          inOrder(destroyed),
        ]);
        if (fought.strikers?.length) later += 1;
      }
    }
    expect(later).toBeGreaterThan(0);
  });
});

describe("a Relentless disk that goes on with its move", () => {
  const found = rows.find(
    ({ board, disk, places }) =>
      hasKeyword(profileOf(board, disk), "relentless") &&
      !hasKeyword(profileOf(board, disk), "flying") &&
      pathNotes(board, disk, places.slice(0, 1)).some(({ rule }) => rule === "R8.6") &&
      !stopsPath(board, disk, places.slice(0, 1)),
  );
  const { board, disk, places } = found ?? expect.fail("no such row");
  const onto = places.slice(0, 1);
  const enemy = board.disks.find((one) => one.seat !== board.disks[disk]?.seat)?.id ?? -1;
  const textsOf = (on: BoardState) => pathNotes(on, disk, onto).map(({ text }) => text);
  const isEnding = (texts: string[]) => texts.some((text) => text.endsWith("The move ends here."));

  it("ends it at the next landing on enemies if it lies on one, which the plan says and stops at (R8.6)", () => {
    const goesOn = { ...board, active_disk: disk, pins: [...board.pins, { top: disk, bottom: enemy }] };
    expect([isEnding(textsOf(board)), stopsPath(board, disk, onto)]).toEqual([false, false]);
    expect([isEnding(textsOf(goesOn)), stopsPath(goesOn, disk, onto)]).toEqual([true, true]);
  });
  it("is said not to be forecast where the board does not tell whether it has landed on one, in both languages", () => {
    const own = board.pins.filter(({ top }) => top !== disk);
    const goesOn = { ...board, active_disk: disk, pins: own };
    expect(textsOf(goesOn).filter((text) => text.startsWith("Not forecast: "))).toHaveLength(1);
    setLanguage("de");
    expect(textsOf(goesOn).filter((text) => text.startsWith("Nicht vorhergesagt: "))).toHaveLength(1);
    setLanguage("en");
    expect(textsOf(board).filter((text) => text.startsWith("Not forecast: whether"))).toEqual([]);
  });
});
