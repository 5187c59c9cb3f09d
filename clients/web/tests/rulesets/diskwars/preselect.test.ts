// What is chosen beforehand: never an own disk for what harms it, and the own side where somebody goes first.

import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { MatchStream } from "../../../src/client/stream";
import type { Decision } from "../../../src/client/records/match.js";
import { readFile } from "../../../src/client/records/records.js";
import { firstAnswer, firstTarget, harmsOwn } from "../../../src/rulesets/diskwars/forecast/preselect";
import type { diskwars } from "../../../src/protocol/types";

const { header, records } = readFile(
  new Uint8Array(
    readFileSync(new URL("../../../../../tests/golden/files/diskwars-points.match.jsonl", import.meta.url)),
  ),
);
if (!header) throw new Error("no header");
const stream = new MatchStream({ match: header.match, header, head: records.length });
stream.append(records);
const board = stream.state!.board!;

const SEAT = 1;
const own = board.disks.filter(({ seat }) => seat === SEAT).map(({ id }) => id) as [number, number, number];
const enemies = board.disks.filter(({ seat }) => seat !== SEAT).map(({ id }) => id) as [number, number];
const asked = (question: Partial<diskwars.Decision["question"]> & { type: string }): Decision =>
  ({ id: "1.0", seat: SEAT, question }) as unknown as Decision;
const activation = asked({ type: "activation", card: "" });
const shot = (target: number): diskwars.Shoot => ({ type: "shoot", disk: own[0], target });

describe("a target", () => {
  it("is chosen beforehand if it is the only enemy", () => {
    expect(firstTarget(board, activation, [shot(own[1]), shot(enemies[0])])).toBe(enemies[0]);
    expect(firstTarget(board, activation, [shot(enemies[0]), shot(enemies[1])])).toBeNull();
  });
  it("is not chosen beforehand if it is an own disk that would be harmed", () => {
    expect(firstTarget(board, activation, [shot(own[1])])).toBeNull();
    expect(harmsOwn(board, activation, shot(own[1]))).toBe(true);
    expect(harmsOwn(board, activation, shot(enemies[0]))).toBe(false);
  });
  it("is an own disk where that is helped", () => {
    const helped = board.cards.find(({ abilities }) =>
      abilities?.some(
        ({ timing, effect }) =>
          timing === "battle" && ["empower", "heal", "remove_activation_token"].includes(effect.type),
      ),
    );
    const harmed = board.cards.find(({ abilities }) =>
      abilities?.some(({ timing, effect }) => timing === "battle" && effect.type === "deal_damage"),
    );
    const use: diskwars.UseAbility = { type: "use_ability", disk: own[0], target: own[1] };
    const cards = [helped, harmed].filter((card) => card !== undefined);
    expect(cards.length).toBeGreaterThan(0);
    for (const card of cards)
      expect(firstTarget(board, asked({ type: "activation", card: card.id }), [use])).toBe(
        card === helped ? own[1] : null,
      );
  });
});

describe("an answer", () => {
  const scatter = asked({ type: "scatter" });
  const takes = (target: number): diskwars.Action => ({ type: "choose_scatter", target });

  it("lets the own side go first, in whichever seat it is", () => {
    expect(
      firstAnswer(
        board,
        asked({ type: "first_player" }),
        [0, 1].map((seat) => ({ type: "choose_first_player", seat })),
      ),
    ).toBe(SEAT);
  });
  it("gives the scatter dice to an enemy, and to no own disk that is not chosen", () => {
    expect(firstAnswer(board, scatter, [takes(own[0]), takes(enemies[0])])).toBe(1);
    expect(firstAnswer(board, scatter, [takes(own[0]), takes(own[1])])).toBeNull();
    expect(firstAnswer(board, scatter, [takes(own[0])])).toBe(0);
  });
});
