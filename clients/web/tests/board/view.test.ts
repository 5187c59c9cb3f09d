// What the table shows of disks: the figures in force, as the events of the engine state them.

import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { makeDisks } from "../../src/rulesets/diskwars/board/view";
import { Projection } from "../../src/board/projection";
import { MatchStream } from "../../src/client/stream";
import type { BoardState, MatchState } from "../../src/client/records/match.js";
import { readFile } from "../../src/client/records/records.js";

function load(name: string): MatchStream {
  const { header, records } = readFile(
    new Uint8Array(readFileSync(new URL(`../../../../tests/golden/files/${name}.match.jsonl`, import.meta.url))),
  );
  if (!header) throw new Error("no header");
  const stream = new MatchStream({ match: header.match, header, head: records.length });
  stream.append(records);
  return stream;
}

/** Return a match under way, with as many disks on the table as it ever has before its last records. */
function underWay(): MatchState & { readonly board: BoardState } {
  const stream = load("diskwars-points");
  const states = stream.bodies
    .map((_, place) => structuredClone(stream.stateAt(place + 1)))
    .filter((state) => state?.board);
  const laid = (state: MatchState | null) =>
    state?.board?.disks.filter(({ place }) => place === "battlefield").length ?? 0;
  return states.sort((one, other) => laid(other) - laid(one))[0] as MatchState & { readonly board: BoardState };
}

const shown = (match: MatchState & { readonly board: BoardState }) =>
  makeDisks(match, new Projection(match.board.field, 0), [], null);

describe("the figures on a disk", () => {
  it("count the card that its player has revealed", () => {
    const match = underWay();
    const before = shown(match).filter(({ seat }) => seat === 0);
    expect(before.length).toBeGreaterThan(2);
    const abilities = [
      { timing: "passive", effect: { type: "increase_toughness", toughness: 2 } },
      { timing: "passive", effect: { type: "increase_melee_strength", strength: 3, counter_strength: 1 } },
      { timing: "passive", effect: { type: "increase_movement", flips: 1 } },
    ];
    (match.board.cards as unknown[]).push({ ...match.board.cards[0], id: "of-the-test", abilities });
    (match.board.sides[0] as { revealed_card: string }).revealed_card = "of-the-test";
    const after = shown(match);
    for (const disk of before) {
      const now = after.find(({ id }) => id === disk.id)!;
      expect([now.toughness, now.strength, now.counter]).toEqual([
        disk.toughness + 2,
        disk.strength + 3,
        disk.counter + 1,
      ]);
      expect(now.change).toEqual({
        toughness: disk.change.toughness + 2,
        strength: disk.change.strength + 3,
        counter: disk.change.counter + 1,
      });
    }
    expect(
      after
        .filter(({ seat }) => seat === 0)
        .some(({ id, movement }) => movement === before.find((disk) => disk.id === id)!.movement + 1),
    ).toBe(true);
  });
  it("are the printed ones with the tokens where nothing else counts", () => {
    const match = underWay();
    (match.board.sides as { revealed_card: string | null }[]).forEach((side) => (side.revealed_card = null));
    const [disk] = shown(match);
    const state = match.board.disks[disk!.id] as { weakened: number; empowered: boolean };
    state.weakened += 1;
    expect(shown(match)[0]!.toughness).toBe(Math.max(0, disk!.toughness - 1));
  });
});
