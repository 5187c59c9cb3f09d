// What the guided match names the first time that it matters, on the boards of the first match.

import { describe, expect, it } from "vitest";

import type { BoardState } from "../../../src/client/records/match.js";
import type { diskwars } from "../../../src/protocol/types";
import { FigurePlay } from "../../../src/rulesets/diskwars/figures/figure_play";
import { firstUses } from "../../../src/rulesets/diskwars/guide/first_uses";
import { diskName } from "../../../src/rulesets/diskwars/names";
import card from "../../../src/rulesets/diskwars/lessons/boards/card.json";
import melee from "../../../src/rulesets/diskwars/lessons/boards/melee.json";
import turn from "../../../src/rulesets/diskwars/lessons/boards/turn.json";
import type { LessonBoard } from "../../../src/rulesets/diskwars/lessons/lessons";

function boardOf(lesson: unknown): BoardState {
  const { id, position } = lesson as LessonBoard;
  const { board } = new FigurePlay(id, position);
  if (!board) throw new Error(`${id} has no board`);
  return board;
}

const usesOf = (board: BoardState, question: diskwars.Question["type"], options: diskwars.Options = {}) =>
  new Map(firstUses(board, 0, { question, options }).map((use) => [use.id, use]));

describe("the first time that it matters", () => {
  it("is named what disks that lie on enemies strike with, with the figures of these disks", () => {
    const board = boardOf(melee);
    const blows = usesOf(board, "engagement").get("blows");
    const top = board.disks[blows?.disk ?? -1];
    const profile = board.profiles[top?.profile ?? -1];
    expect(profile?.name).toBe("Marienburg Swordsmen");
    expect(blows?.values).toMatchObject({ name: profile?.name, strength: profile?.strength });
    const struck = board.pins.find(({ top: one }) => one === blows?.disk)?.bottom ?? -1;
    const other = board.profiles[board.disks[struck]?.profile ?? -1];
    expect(blows?.values).toMatchObject({
      other: diskName(board, struck),
      counter: other?.counter_strength,
      toughness: other?.toughness,
    });
  });
  it("is named how heroes differ, and what drops count", () => {
    const board = boardOf(melee);
    const hero = board.disks.findIndex(({ profile }) => board.profiles[profile]?.kind === "hero");
    const pinned = {
      ...board,
      pins: [{ top: hero, bottom: board.disks.findIndex(({ seat }) => seat !== board.disks[hero]?.seat) }],
    };
    expect(usesOf(pinned as BoardState, "activation").get("stamina")).toMatchObject({
      disk: hero,
      values: { stamina: board.profiles[board.disks[hero]?.profile ?? -1]?.stamina },
    });
    const disks = board.disks.map((disk) => (disk.id === hero ? { ...disk, damage: 2 } : disk));
    expect(usesOf({ ...board, disks }, "activation").get("damage")).toMatchObject({
      disk: hero,
      values: { damage: 2 },
    });
    expect(usesOf(board, "activation").has("damage")).toBe(false);
  });
  it("is named the sign of a card, and an ability", () => {
    const board = boardOf(card);
    const hand = board.sides[0]?.hand as ReadonlyArray<string>;
    const cards = hand.map((id) => board.cards.find((one) => one.id === id));
    const uses = usesOf(board, "command_card");
    expect(uses.get("strategy")?.values).toMatchObject({ name: cards[0]?.name, count: cards[0]?.activations });
    expect(uses.get("card_ability")?.card).toBe(cards.findIndex((one) => one?.abilities?.length));
    expect(usesOf(board, "activation").has("strategy")).toBe(false);
  });
  it("is named what disks do that can act now, and of no others", () => {
    const board = boardOf(turn);
    const archer = board.disks.findIndex(({ profile, seat }) => seat === 0 && board.profiles[profile]?.shots?.length);
    const example = { type: "move_disk" as const, disk: archer, path: [] };
    const uses = usesOf(board, "activation", { parametric: [{ example, disk: archer, flips: 3 }] });
    expect(uses.get("movement")).toMatchObject({ disk: archer });
    expect(uses.get("missile")?.values["shot"]).toMatch(/^Shot: \d/);
    expect(usesOf(board, "activation").size).toBe(0);
  });
  it("are scenario, deployment and objective named where a quick match does without their cards", () => {
    const board = boardOf(turn);
    expect(usesOf(board, "deployment").get("zone_card")?.values).toEqual({ name: "none" });
    expect(usesOf({ ...board, round: 2 }, "activation").get("scoring")?.values).toEqual({ name: "none" });
  });
});
