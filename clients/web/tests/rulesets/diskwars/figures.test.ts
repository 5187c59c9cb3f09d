// Figures of the rules are matches that answer themselves: every recorded answer folds, in whatever way a reader gives it.

import { describe, expect, it } from "vitest";

import { diskName } from "../../../src/rulesets/diskwars/names";
import en from "../../../src/messages/en/parts/figures.json";
import type { diskwars } from "../../../src/protocol/types";
import { FigurePlay } from "../../../src/rulesets/diskwars/figures/figure_play";
import { CORE, FIGURES, figuresOf, loadFigure, variantName, type FigurePosition } from "../../../src/rules/figures";
import register from "../../../src/rules/register.json";

async function boardOf(id: string, variant = 0): Promise<FigurePosition> {
  const position = (await loadFigure(id))?.positions[variant];
  if (!position) throw new Error(`no figure ${id}`);
  return position;
}
const begin = async (id: string, variant = 0) => new FigurePlay(id, await boardOf(id, variant));
const diskOf = (play: FigurePlay, name: string) => {
  const disk = play.board?.disks.find(({ id }) => play.board && diskName(play.board, id) === name);
  if (!disk) throw new Error(`no disk ${name}`);
  return disk;
};

describe("figures", () => {
  it("are the ten of the rules, the scrum of the FAQ and the set pieces, each with its texts", () => {
    const numbered = FIGURES.filter(({ id }) => /^F\d+$/.test(id)).map(({ id }) => id);
    expect(numbered).toEqual(Array.from({ length: 10 }, (_, place) => `F${place + 1}`));
    expect(FIGURES.length).toBeGreaterThan(20);
    const withCore = FIGURES.filter(({ variants }) => variants.includes(CORE)).map(({ id }) => id);
    expect(withCore).toEqual([...numbered, "FAQ1"]);
    expect(variantName("F4", CORE)).toBe("Disks of the core set");
    for (const { id, variants } of FIGURES) {
      for (const key of ["title", "text", ...variants.filter((one) => one && one !== CORE)])
        expect(en[`${id}.${key}` as keyof typeof en], `${id}.${key}`).toBeTruthy();
    }
  });
  it("name rules that there are, and are found by them", () => {
    const known = new Set(register.flatMap(({ rules }) => rules.map(({ id }) => id)));
    for (const { id, rules } of FIGURES) {
      for (const rule of rules) {
        expect(known.has(rule), `${id} ${rule}`).toBe(true);
        expect(figuresOf(rule).map((one) => one.id)).toContain(id);
      }
    }
    expect(figuresOf("F1").map(({ id }) => id)).toEqual(["F1"]);
    expect(figuresOf("R20.3")).toEqual([]);
  });
  it("can be played along every recorded answer, with every outcome of its dice", async () => {
    for (const { id, variants } of FIGURES) {
      for (const variant of variants.keys()) {
        const position = await boardOf(id, variant);
        const reached = new Set<number>();
        const visit = (play: FigurePlay) => {
          play.begin();
          const number = position.nodes.indexOf(play.node);
          if (reached.has(number)) return;
          reached.add(number);
          expect(play.stream.fault).toBeNull();
          for (const answer of play.answers) {
            expect(play.find(answer.action), `${id}: ${JSON.stringify(answer.action)}`).toBe(answer);
            for (const outcome of answer.outcomes) {
              const next = play.again();
              next.take(answer, outcome);
              visit(next);
            }
          }
        };
        visit(new FigurePlay(id, position));
        expect(reached.size, id).toBe(position.nodes.length);
      }
    }
  }, 120_000);
});

describe("an answer", () => {
  const flip = (dx: number, dy: number): diskwars.Action => ({
    type: "move_disk",
    disk: 1,
    path: [[dx, dy]],
    over_own_disks: true,
  });

  it("need not be aimed to the micrometre: what the landing pins and covers counts", async () => {
    const play = await begin("F1");
    const aimed = flip(-56_000, 11_419);
    expect(play.find(aimed)).toBe(play.answers[0]);
    expect(play.find(flip(57_150, 0)), "onto nobody").toBeNull();
  });
  it("has to be what the figure shows in all else", async () => {
    const play = await begin("F2");
    const path = [
      [76_200, 0],
      [76_200, 0],
    ] as const;
    const whole = play.find({ type: "move_disk", disk: 0, path });
    const onward = play.find({ type: "move_disk", disk: 0, path, end_activation: false });
    expect(whole).not.toBeNull();
    expect(onward).not.toBeNull();
    expect(onward).not.toBe(whole);
    expect(play.find({ type: "shoot", disk: 0, target: 1, shot: 0 })).toBe(
      play.find({ type: "shoot", disk: 0, target: 1 }),
    );
    expect(play.find({ type: "pass_disk", disk: 0 })).toBeNull();
  });
  it("is folded, and can be taken back and given with other dice", async () => {
    const play = await begin("F2");
    const shot = play.find({ type: "shoot", disk: 0, target: 1 });
    if (!shot) throw new Error("no shot");
    play.take(shot);
    expect(diskOf(play, "River Troll").wounds).toBe(1);
    const missed = shot.outcomes.find(({ events }) => !events.some(({ type }) => type === "damage_dealt"));
    if (!missed) throw new Error("no miss");
    const other = play.rollAgain(missed);
    expect(diskOf(other, "River Troll").wounds).toBe(0);
    expect(diskOf(other, "River Troll").damage).toBe(0);
    const before = other.back();
    expect(before.answers).toEqual((await begin("F2")).answers);
    expect(before.stream.seq).toBe(1);
  });
  it("ends figure 1 as the rules say, with stamina and without", async () => {
    for (const [variant, place, wounds] of [
      [0, "battlefield", 1],
      [1, "casualty", 0],
    ] as const) {
      const play = await begin("F1", variant);
      const [only] = play.answers;
      if (only) play.take(only);
      expect(diskOf(play, "Karl Franz")).toMatchObject({ place, wounds, damage: 0 });
      expect(play.answers).toEqual([]);
    }
  });
});
