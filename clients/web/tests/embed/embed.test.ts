// The embed: which part of the table is shown, what is written on pieces, and what a scene tells.

import { expect, test } from "vitest";

import { labelOf, linesOf } from "../../src/embed/board";
import { hasChanged, placeOf, wordsOf } from "../../src/embed/player";
import { AGAIN_MS, MAX_READS, planRetry } from "../../src/embed/retries";
import { pickLanguage, t } from "../../src/embed/texts";
import type { MatchScenes, Piece, Placed, Scene } from "../../src/embed/types";
import { changedIn, fitted, viewOf } from "../../src/embed/view";

const TABLE = { x: 0, y: 0, width: 900, height: 900 };
const piece = (id: number, name = "Steam Tank"): Piece => ({ id, seat: id % 2, radius: 20, name, letters: "ST" });
const at = (id: number, x: number, y: number, hurt = 0): Placed => [id, x, y, 0, hurt, [], []];
const scene = (seq: number, placed: ReadonlyArray<Placed>, more: Partial<Scene> = {}): Scene => ({
  seq,
  kind: "activation",
  round: 1,
  scores: [2, 1],
  placed,
  ...more,
});
const match = (scenes: ReadonlyArray<Scene>, more: Partial<MatchScenes> = {}): MatchScenes => ({
  ruleset: "diskwars",
  records: 40,
  rounds: 5,
  width: 900,
  height: 900,
  grid: 0,
  areas: [],
  pieces: [piece(0), piece(1, "Night Goblins"), piece(2, "Night Goblins")],
  scenes,
  ...more,
});
const pieces = new Map([0, 1, 2].map((id) => [id, piece(id)]));

test("a record belongs to the last scene that does not end after it", () => {
  const scenes = [3, 9, 9, 20].map((seq) => scene(seq, []));
  expect([0, 1, 8, 9, 19, 20, 999].map((seq) => placeOf(scenes, seq))).toEqual([3, 0, 0, 2, 2, 3, 3]);
});

test("what has moved, was hurt, acts, or is lost is what a scene is about", () => {
  const before = scene(3, [at(0, 100, 100), at(1, 500, 500), at(2, 700, 700)]);
  expect(changedIn(scene(4, before.placed), before)).toEqual([]);
  expect(changedIn(scene(4, [at(0, 100, 100), at(1, 500, 500, 1)], { lost: [2] }), before)).toEqual([
    at(1, 500, 500, 1),
    at(1, 500, 500),
    at(2, 700, 700),
  ]);
  const acting = scene(4, before.placed, { actor: { seat: 0, pieces: [0] } });
  expect(changedIn(acting, before)).toEqual([at(0, 100, 100), at(0, 100, 100)]);
});

test("a view has the shape of the stage, holds what it is for, and lies on the table where it can", () => {
  for (const wide of [0.5, 1, 1.6, 3]) {
    const box = fitted({ x: 850, y: 10, width: 50, height: 100 }, wide, TABLE);
    expect(box.width / box.height).toBeCloseTo(wide);
    expect(box.x + box.width).toBeGreaterThanOrEqual(900);
    expect(box.y).toBeLessThanOrEqual(10);
    if (box.width <= 900) expect(box.x + box.width).toBeCloseTo(900);
  }
});

test("the view follows what happens, and rests while it shows that", () => {
  const scenes = [
    scene(3, [at(0, 100, 100), at(1, 800, 800)]),
    scene(4, [at(0, 140, 120), at(1, 800, 800)], { actor: { seat: 0, pieces: [0] } }),
    scene(5, [at(0, 150, 130), at(1, 800, 800)], { actor: { seat: 0, pieces: [0] } }),
    scene(6, [at(0, 150, 130), at(1, 760, 760)], { actor: { seat: 1, pieces: [1] } }),
  ];
  const near = viewOf(match(scenes), pieces, 1, 1.5, null);
  expect(near.width).toBeLessThan(700);
  expect(viewOf(match(scenes), pieces, 2, 1.5, near)).toBe(near);
  const far = viewOf(match(scenes), pieces, 3, 1.5, near);
  expect(far.x).toBeGreaterThan(near.x);
});

test("a name is written where it can be read, and letters stand for it where not", () => {
  expect(linesOf("Knights of the Griffon", 2)).toEqual(["Knights of", "the Griffon"]);
  expect(labelOf(piece(0, "Knights of the Griffon"), 40).lines.join(" ")).toBe("Knights of the Griffon");
  for (const px of [8, 12, 20, 40]) {
    const { lines, size } = labelOf(piece(0, "Reikland Crossbowmen"), px);
    expect(size * px).toBeGreaterThanOrEqual(9);
    expect(lines.length > 1 || lines[0] === "ST").toBe(true);
  }
});

test("a scene names who acts and what is lost, each once, and at the end the winner", () => {
  const shown = { scenes: match([], { winners: [1] }), players: ["Marek", ""] };
  const acts = scene(4, [], { actor: { seat: 0, name: "Steam Tank", pieces: [0] }, lost: [1, 2] });
  expect(wordsOf(acts, shown)).toBe("Activated: Steam Tank. Lost: Night Goblins");
  expect(wordsOf(scene(4, [], { actor: { seat: 0 } }), shown)).toBe("Turn of Marek");
  expect(wordsOf(scene(9, [], { kind: "end" }), shown)).toBe("Won by Seat B");
  expect(wordsOf(scene(9, [], { kind: "end" }), { ...shown, scenes: match([], { winners: [] }) })).toBe("Nobody won");
});

test("the language is the first of the reader that the embed has", () => {
  expect([["de-AT", "en"], ["fr", "pl"], ["fr"], []].map(pickLanguage)).toEqual(["de", "pl", "en", "en"]);
  expect(t("embed.round", { round: 2, rounds: 5 }, "pl")).toBe("Runda 2 z 5");
  expect(t("embed.lost", { names: "{names} <b>" }, "de")).toBe("Verloren: {names} <b>");
});

test("a match without a board yet is asked for again, and not for ever", () => {
  const again = planRetry({ kind: "nothing", waitMs: 1_000 }, 1);
  expect(again).toEqual({ text: "embed.fault.nothing", waitMs: AGAIN_MS, isOffered: false });
  expect(planRetry({ kind: "nothing", waitMs: 1_000 }, MAX_READS).waitMs).toBe(null);
});

test("a busy server is asked again when it says, until readers have to do it", () => {
  const busy = { kind: "busy", waitMs: 3_000 } as const;
  expect(planRetry(busy, 4)).toEqual({ text: "embed.fault.busy", waitMs: 3_000, isOffered: false });
  expect(planRetry(busy, 5)).toEqual({ text: "embed.fault.overloaded", waitMs: null, isOffered: true });
});

test("a match that is hidden or unknown is not asked for again", () => {
  for (const kind of ["hidden", "unknown"] as const) {
    expect(planRetry({ kind, waitMs: 1_000 }, 1)).toEqual({
      text: `embed.fault.${kind}`,
      waitMs: null,
      isOffered: false,
    });
  }
});

test("a match has changed with its records or the names of its players", () => {
  const shown = { scenes: match([]), players: ["Marek", ""] };
  expect(hasChanged(shown, { scenes: match([]), players: ["Marek", ""] })).toBe(false);
  expect(hasChanged(shown, { scenes: match([], { records: 41 }), players: ["Marek", ""] })).toBe(true);
  expect(hasChanged(shown, { scenes: match([]), players: ["Marek", "Ilse"] })).toBe(true);
});
