// What the page says beforehand of landings, fights and shots is what the engine decides.

import { readFileSync } from "node:fs";

import { afterEach, describe, expect, it } from "vitest";

import { boardRulesOf } from "../../../src/client/records/boards.js";
import { type BoardState, type Decision } from "../../../src/client/records/match.js";
import { blowOf, clashOf } from "../../../src/rulesets/diskwars/forecast/clash";
import { fightOutlook, scatterTargets, shotOdds, standingLinks } from "../../../src/rulesets/diskwars/forecast/fight";
import {
  abilityNotes,
  landingNotes,
  lossesFirst,
  note,
  pathNotes,
  stopsMove,
  stopsPath,
  targetChange,
  worstNote,
} from "../../../src/rulesets/diskwars/forecast/forecast";
import { circleOf, isOnField, piecesUnder, pinsIfPlaced } from "../../../src/rulesets/diskwars/forecast/position";
import { effectOf } from "../../../src/rulesets/diskwars/forecast/preselect";
import { names, setLanguage } from "../../../src/messages";
import type { diskwars } from "../../../src/protocol/types";

// The vectors are plain JSON that only these tests read.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
const vectors: any = JSON.parse(
  readFileSync(new URL("../../../../../tests/vectors/forecasts.json", import.meta.url), "utf8"),
);
const asBoard = (board: unknown): BoardState => boardRulesOf("diskwars").full(board as diskwars.Board);

afterEach(() => setLanguage("en"));

describe("a landing", () => {
  const rows = vectors.landings.flatMap(({ board, rows: of }: { board: unknown; rows: object[] }) =>
    of.map((row) => ({ board: asBoard(board), ...row })),
  );

  it("is on the field, pins, and lies on ground as the engine says", () => {
    for (const { board, disk, x, y, legal, pins, ground } of rows) {
      expect(isOnField(board, { ...circleOf(board, disk), x, y })).toBe(legal);
      if (!legal) continue;
      expect(pinsIfPlaced(board, disk, x, y)).toEqual(pins);
      expect(piecesUnder(board, { ...circleOf(board, disk), x, y })).toEqual(ground);
    }
  });
  it("ends a move where the engine lets the disk not go on", () => {
    let ends = 0;
    for (const { board, disk, x, y, legal, goes_on: goesOn } of rows) {
      if (!legal || goesOn === null) continue;
      expect(stopsMove(board, disk, x, y), `disk ${disk} at ${x}, ${y}`).toBe(!goesOn);
      ends += Number(!goesOn);
    }
    expect(ends).toBeGreaterThan(50);
  });
  it("is said to end the move onto enemies where it does, which is not so of a Relentless disk", () => {
    let goings = 0;
    for (const { board, disk, x, y, legal, goes_on: goesOn } of rows) {
      if (!legal || goesOn === null) continue;
      const texts = landingNotes(board, disk, x, y, true).map(({ text }) => text);
      if (goesOn)
        expect(
          texts.filter((text) => text.endsWith("The move ends here.")),
          `disk ${disk} at ${x}, ${y}`,
        ).toEqual([]);
      goings += Number(goesOn && landingNotes(board, disk, x, y, true).some(({ rule }) => rule === "R8.6"));
    }
    expect(goings).toBeGreaterThan(0);
  });
  it("names Impact, Guard and dangerous ground where the engine rolls for them", () => {
    for (const { board, disk, x, y, legal, impact, guards, dangers } of rows) {
      if (!legal) continue;
      const rules = landingNotes(board, disk, x, y, true).map(({ rule }) => rule);
      const told = (rule: string) => rules.filter((one) => one === rule).length;
      expect(told("R8.5.2") > 0, `impact of ${disk}`).toBe(impact.length > 0);
      expect(told("R16.2")).toBe(guards.length);
      // Null where the disk falls or is asked for something before the ground harms it.
      if (dangers) expect(told("R10.5"), `danger of ${disk} at ${x}, ${y}`).toBe(dangers.length);
    }
  });
});

describe("a path", () => {
  interface Row {
    disk: number;
    places: [number, number][];
    dangers: number[][];
    ends: boolean;
  }
  const rows = (vectors.paths as { board: unknown; rows: Row[] }[]).flatMap(({ board, rows: of }) =>
    of.map((row) => ({ ...row, board: asBoard(board), path: row.places.map(([x, y]) => ({ x, y })) })),
  );
  const dangersOf = ({ board, disk, path }: { board: BoardState; disk: number; path: { x: number; y: number }[] }) =>
    pathNotes(board, disk, path).filter(({ rule }) => rule === "R10.5");
  it("ends at the flip at which the engine ends it: rough ground that the disk left and lands on again too", () => {
    for (const { board, disk, path, ends } of rows) {
      for (let flips = 1; flips <= path.length; flips += 1) {
        expect(
          stopsPath(board, disk, path.slice(0, flips)),
          `disk ${disk}, flip ${flips} of ${JSON.stringify(path)}`,
        ).toBe(ends && flips === path.length);
      }
      if (ends)
        expect(
          pathNotes(board, disk, path)
            .map(({ rule }) => rule)
            .some((rule) => rule === "R10.9" || rule === "R8.5.5"),
        ).toBe(true);
    }
    const returns = rows.filter(
      ({ board, disk, places, ends }) => ends && places.length > 1 && (board.disks[disk]?.terrain ?? []).includes(0),
    );
    expect(returns.length).toBeGreaterThan(1);
  });
  it("names every flip for which the engine rolls for dangerous ground, in the worst tone", () => {
    for (const row of rows) {
      const pieces = [...new Set(row.dangers.flat())];
      const flipsOf = (piece: number) =>
        row.dangers.flatMap((found, flip) => (found.includes(piece) ? [String(flip + 1)] : []));
      const nameOf = (piece: number) => row.board.terrain[piece]?.terrain.name ?? "";
      const typeOf = (piece: number) => (nameOf(piece) === "Fissure" ? "arcane" : "physical");
      const found = dangersOf(row);
      const at = (piece: number) =>
        row.path.length > 1 ? ` at ${flipsOf(piece).length > 1 ? "flips" : "flip"} ${names(flipsOf(piece))}` : "";
      expect(found.map(({ text }) => text).sort()).toEqual(
        pieces.map((piece) => `${nameOf(piece)} is dangerous: d6 ${typeOf(piece)} damage${at(piece)}.`).sort(),
      );
      expect(found.every(({ tone }) => tone === "bad")).toBe(true);
    }
    const twice = rows.find(({ dangers }) => dangers.filter((found) => found.length).length > 1);
    setLanguage("de");
    expect(twice && dangersOf(twice)[0]?.text).toMatch(
      / ist gefährlich: W6 Schaden \((arkan|physisch)\) beim Wenden \d und \d\.$/,
    );
  });
  it("says after which flip the player decides again, for the engine carries out no more of it (R-76)", () => {
    const row = rows.find(({ dangers }) => dangers.slice(0, -1).some((found) => found.length));
    const flip = 1 + (row?.dangers.findIndex((found) => found.length) ?? 0);
    expect(row && pathNotes(row.board, row.disk, row.path).map(({ text }) => text)).toContain(
      `After flip ${flip} you decide again whether to go on.`,
    );
  });
});

describe("a landing on enemies", () => {
  interface Row {
    disk: number;
    x: number;
    y: number;
    dealt: [number, number][];
    wounded: number[];
    destroyed: number[];
  }
  const rows = (vectors.clashes as { board: unknown; rows: Row[] }[]).flatMap(({ board, rows: of }) =>
    of.map((row) => ({ ...row, board: asBoard(board) })),
  );
  const inOrder = (list: Iterable<number>) => [...list].sort((one, other) => one - other);

  it("deals by Impact, Guard and engage abilities what the engine deals", () => {
    for (const { board, disk, x, y, dealt, wounded, destroyed } of rows) {
      const clash = clashOf(board, disk, { x, y }, true);
      const of = (fate: string) =>
        inOrder(clash.strikes.filter((one) => one.fate === fate).map(({ target }) => target));
      const label = `disk ${disk} at ${x}, ${y}`;
      expect(clash.open, label).toEqual([]);
      expect(clash.strikes.map(({ target, taken }) => [target, taken]).sort(), label).toEqual([...dealt].sort());
      expect(of("wounded"), label).toEqual(inOrder(wounded));
      expect(of("destroyed"), label).toEqual(inOrder(destroyed));
    }
    expect(rows.length).toBeGreaterThan(30);
  });
  describe("that have engage abilities", () => {
    const boards = (vectors.clashes as { board: { profiles: { name: string }[] } }[]).map(({ board }) => board);
    const printed = (name: string) =>
      boards.flatMap(({ profiles }) => profiles).find((one) => one.name === name) ?? expect.fail(`no ${name}`);
    const duel = (abilities: unknown[], changes: object = {}) =>
      asBoard({
        ...boards[0],
        terrain: [],
        pins: [],
        profiles: [
          { ...printed("Karl Franz"), stamina: 0, toughness: 5, keywords: [] },
          { ...printed("Archaon"), keywords: [], abilities, ...changes },
        ],
        disks: [0, 1].map((id) => ({
          id,
          seat: id,
          profile: id,
          place: "battlefield",
          x: 200_000 + 90_000 * id,
          y: 200_000,
          z: id + 1,
        })),
      });
    const textsOf = (board: BoardState) => landingNotes(board, 0, 270_000, 200_000, true);
    const near = {
      timing: "engage",
      effect: { type: "deal_damage_near", amount: { flat: 1 }, damage_type: "untyped", reach: "short" },
    };

    it("adds what they deal to the melee", () => {
      const [without, notes] = [textsOf(duel([])), textsOf(duel([near]))];
      expect(without.some(({ loss }) => loss)).toBe(false);
      expect(without.map(({ text }) => text)).toContain("Melee as things stand: Archaon deals 4 of 5 to Karl Franz.");
      expect(notes.map(({ text }) => text)).toEqual(
        expect.arrayContaining([
          "On landing: Archaon deals 1 of 5 to Karl Franz.",
          "Melee as things stand: Archaon deals 4 of 5 to Karl Franz and destroys it.",
        ]),
      );
      expect(worstNote(notes)?.text).toBe("Melee as things stand: Archaon deals 4 of 5 to Karl Franz and destroys it.");
    });
    it("adds up what several triggers of one disk deal another", () => {
      const notes = textsOf(duel([near, near])).map(({ text }) => text);
      expect(notes.filter((text) => text.startsWith("On landing"))).toEqual([
        "On landing: Archaon deals 2 of 5 to Karl Franz.",
      ]);
      const wounding = textsOf(duel(Array(6).fill(near))).map(({ text }) => text);
      expect(wounding.filter((text) => text.startsWith("On landing"))).toEqual([
        "On landing: Archaon deals 5 of 5 to Karl Franz and destroys it.",
      ]);
    });
    it("heeds range, choice and dice, and says the words of an ability that is no number", () => {
      const open = [
        { timing: "engage", effect: { type: "roll_wound", minimum: 5 } },
        { ...near, optional: true },
        { timing: "engage", effect: { ...near.effect, amount: { d6: 1 } } },
      ];
      for (const ability of open) {
        const notes = textsOf(duel([ability]));
        const [words] = notes.filter(({ text }) => text.startsWith("Archaon: Engage: "));
        expect(words).toMatchObject({ tone: "bad", rule: "R6.6" });
        expect(notes.some(({ text }) => text.startsWith("On landing"))).toBe(false);
      }
      expect(textsOf(duel([{ ...near, timing: "focus" }])).some(({ rule }) => rule === "R6.6")).toBe(false);
    });
  });
  it("tells of the loss of an own disk in a fatal line, and of no melee that it survives", () => {
    let lost = 0;
    for (const { board, disk, x, y, destroyed } of rows) {
      const notes = landingNotes(board, disk, x, y, true);
      if (destroyed.includes(disk)) {
        expect(worstNote(notes)).toMatchObject({ tone: "bad", loss: "destroyed" });
        expect(notes.some(({ rule }) => rule === "R15.3.3")).toBe(false);
        lost += 1;
      }
    }
    expect(lost).toBeGreaterThan(0);
  });
});

describe("a focus ability", () => {
  interface Row {
    action: diskwars.Focus;
    dealt: [number, number][];
    wounded: number[];
    destroyed: number[];
    healed?: [number, number][];
    weakened?: [number, number][];
  }
  const all = (vectors.abilities as { board: unknown; rows: Row[] }[]).flatMap(({ board, rows: of }) =>
    of.map((row) => ({ ...row, board: asBoard(board) })),
  );
  const rows = all.filter(({ dealt }) => dealt.length);
  const decision = { question: { type: "activation" } } as Decision;

  it("deals to its target, and around it, what the engine deals", () => {
    for (const { board, action, dealt, wounded, destroyed } of rows) {
      const effect = effectOf(board, decision, action) ?? expect.fail("no effect");
      const { strikes } = blowOf(board, action.disk, action.target ?? -1, effect) ?? expect.fail("a die decides");
      const label = JSON.stringify(action);
      const of = (fate: string) =>
        strikes
          .filter((one) => one.fate === fate)
          .map(({ target }) => target)
          .sort();
      expect(strikes.map(({ target, taken }) => [target, taken]).sort(), label).toEqual([...dealt].sort());
      expect(of("wounded"), label).toEqual([...wounded].sort());
      expect(of("destroyed"), label).toEqual([...destroyed].sort());
    }
    expect(rows.length).toBeGreaterThan(15);
  });
  it("is said to harm disks of its own side in the worst tone", () => {
    const harms = rows.flatMap(({ board, action }) => {
      const notes =
        abilityNotes(
          board,
          action.disk,
          action.target ?? -1,
          effectOf(board, decision, action) ?? expect.fail("no effect"),
        ) ?? [];
      return notes.map(({ tone }, place) => ({
        tone,
        isOwn:
          board.disks[action.disk]?.seat ===
          board.disks[
            blowOf(
              board,
              action.disk,
              action.target ?? -1,
              effectOf(board, decision, action) ?? expect.fail("no effect"),
            )?.strikes[place]?.target ?? -1
          ]?.seat,
      }));
    });
    expect(harms.every(({ tone, isOwn }) => (tone === "bad") === isOwn)).toBe(true);
    expect(new Set(harms.map(({ tone }) => tone)).size).toBe(2);
  });
  it("heals and weakens as the engine does", () => {
    const changes = all.filter(({ healed, weakened }) => healed ?? weakened);
    for (const { board, action, healed, weakened, wounded, destroyed } of changes) {
      const target = action.target ?? -1;
      const effect = effectOf(board, decision, action) ?? expect.fail("no effect");
      const fate = destroyed.includes(target) ? "destroyed" : wounded.includes(target) ? "wounded" : undefined;
      expect(targetChange(board, target, effect), JSON.stringify(action)).toEqual(
        healed ? { tokens: healed[0]?.[1] } : { reduction: weakened?.[0]?.[1], fate },
      );
      expect(abilityNotes(board, action.disk, target, effect)).toHaveLength(fate ? 2 : 1);
    }
    expect(changes.length).toBeGreaterThan(5);
  });
  it("says what becomes of tokens, in both languages", () => {
    const { board, action } = rows[0] ?? expect.fail("no row");
    const said = () =>
      (
        [
          { type: "empower", reach: "medium" },
          { type: "add_activation_token", reach: "medium" },
          { type: "remove_activation_token", reach: "medium", id_word: "rat" },
        ] as const
      ).map((effect) =>
        abilityNotes(board, action.disk, action.target ?? -1, effect)?.[0]?.text.replace(
          /^.*?(: | gets| loses| erhält| verliert)/,
          "$1",
        ),
      );
    expect(said()).toEqual([
      ": empowered",
      expect.stringContaining("gets an activation token"),
      expect.stringContaining("loses its activation token"),
    ]);
    setLanguage("de");
    expect(said()).toEqual([
      ": gestärkt",
      expect.stringContaining("erhält einen Aktivierungsmarker"),
      expect.stringContaining("verliert den Aktivierungsmarker"),
    ]);
  });
  it("is no number where a die decides, or where nobody can say", () => {
    const { board, action } = rows[0] ?? expect.fail("no row");
    const [disk, target] = [action.disk, action.target ?? -1];
    expect(
      abilityNotes(board, disk, target, {
        type: "deal_damage",
        amount: { d6: 1 },
        damage_type: "arcane",
        reach: "medium",
      }),
    ).toBeNull();
    expect(abilityNotes(board, disk, target, { type: "heal", amount: { d6: 1 }, reach: "medium" })).toBeNull();
    expect(abilityNotes(board, disk, target, { type: "fight_engagement" })).toBeNull();
  });
});

describe("a list of notes", () => {
  it("begins with what an own disk does not survive, and is else in its order", () => {
    const list = [
      note("first"),
      { ...note("wound", "", "bad"), loss: "wounded" as const },
      note("bad", "", "bad"),
      { ...note("end", "", "bad"), loss: "destroyed" as const },
    ];
    expect(lossesFirst(list).map(({ text }) => text)).toEqual(["wound", "end", "first", "bad"]);
  });
});

describe("one line for all notes", () => {
  it("is the loss of an own disk, its wound, else the first bad one, else the first", () => {
    const [good, plain, bad] = [note("good", "", "good"), note("plain"), note("bad", "", "bad")];
    const [wound, loss] = [
      { ...bad, loss: "wounded" as const },
      { ...bad, loss: "destroyed" as const },
    ];
    expect(worstNote([good, plain, bad, wound, loss])).toBe(loss);
    expect(worstNote([good, plain, bad, wound])).toBe(wound);
    expect(worstNote([good, plain, bad])).toBe(bad);
    expect(worstNote([good, plain])).toBe(good);
    expect(worstNote([])).toBe(undefined);
  });
});

describe("a fight", () => {
  interface Row {
    disks: unknown;
    pins: unknown;
    links: { attacker: number; defender: number }[];
    steps: { speed: string; blows: [number, number, number][] }[];
    damage: [number, number][];
    wounded: number[];
    destroyed: number[];
  }
  const inOrder = (list: Iterable<number>) => [...list].sort((one, other) => one - other);

  it("is struck and ends as the engine says", () => {
    let steps = 0;
    for (const { board: plain, rows } of vectors.fights as { board: object; rows: Row[] }[]) {
      for (const row of rows) {
        const board = asBoard({ ...plain, disks: row.disks, pins: row.pins });
        const chosen = new Map(
          row.steps.flatMap(({ blows }) => blows.map(([disk, target]) => [disk, target] as const)),
        );
        const outlook = fightOutlook(board, standingLinks(board, row.links), chosen);
        expect(
          outlook.steps.map(({ speed, blows }) => ({
            speed,
            blows: blows.map(({ disk, target, strength }) => [disk, target, strength]).sort(),
          })),
        ).toEqual(row.steps.map(({ speed, blows }) => ({ speed, blows: [...blows].sort() })));
        expect(inOrder(outlook.destroyed)).toEqual(inOrder(row.destroyed));
        expect(inOrder(outlook.wounded)).toEqual(inOrder(new Set(row.wounded)));
        steps += outlook.steps.length;
      }
    }
    expect(steps).toBeGreaterThan(60);
  });
});

describe("a shot", () => {
  it("has the chances that the engine gives it, die by die", () => {
    let shots = 0;
    for (const { board: plain, rows } of vectors.shots) {
      const board = asBoard(plain);
      for (const { disk, target, shot, dice, nearest, of, unharmed, struck, taken } of rows) {
        const odds = shotOdds(board, disk, target, shot);
        expect(scatterTargets(board, disk, target)).toEqual(nearest);
        expect(odds?.dice).toBe(dice);
        expect(odds?.unharmed).toBeCloseTo(unharmed / of, 10);
        expect(odds?.struck).toBeCloseTo(struck / of, 10);
        expect(odds?.damaged).toBeCloseTo((of - unharmed - struck) / of, 10);
        expect(odds?.expected).toBeCloseTo(taken / of, 10);
        shots += 1;
      }
    }
    expect(shots).toBeGreaterThan(40);
  });
});
