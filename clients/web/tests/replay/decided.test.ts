// What decided a match: chances from strength, and the deeds that changed them, on golden match files.

import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { readFile } from "../../src/client/records/records.js";
import { MatchStream } from "../../src/client/stream";
import { MAX_MOMENTS, chanceOf, decidedFor } from "../../src/replay/decided";

function load(name: string): MatchStream {
  const { header, records } = readFile(
    new Uint8Array(readFileSync(new URL(`../../../../tests/golden/files/${name}.match.jsonl`, import.meta.url))),
  );
  if (!header) throw new Error("no header");
  const stream = new MatchStream({ match: header.match, header, head: records.length });
  stream.append(records);
  return stream;
}

describe("chances", () => {
  it("are shares of the squares of what is left", () => {
    expect(chanceOf([10, 10], 0)).toBe(0.5);
    expect(chanceOf([20, 10], 0)).toBe(0.8);
    expect(chanceOf([20, 10], 1)).toBe(0.2);
    expect(chanceOf([0, 0, 0], 1)).toBeCloseTo(1 / 3);
  });
});

describe.each(["diskwars-elimination", "diskwars-points", "diskwars-four"])("what decided %s", (name) => {
  const stream = load(name);
  const board = stream.state?.board;
  if (!board) throw new Error("no board");
  const winners = stream.state?.result?.winners ?? [];

  it.each(board.sides.map(({ seat }) => seat))("is for seat %d what changed its chances most", (seat) => {
    const isWinner = winners.includes(seat);
    const { steps, moments } = decidedFor(stream.bodies, board, seat, isWinner);
    expect(moments.length).toBeGreaterThan(0);
    expect(moments.length).toBeLessThanOrEqual(MAX_MOMENTS);
    expect(moments.map(({ seq }) => seq)).toEqual(moments.map(({ seq }) => seq).sort((one, other) => one - other));
    for (const { before, after, lost, seq } of moments) {
      expect(isWinner ? after : before).toBeGreaterThan(isWinner ? before : after);
      expect(lost.length).toBeGreaterThan(0);
      const removed = (stream.bodies[seq - 1]?.events ?? []).flatMap((event) =>
        "disks" in event && Array.isArray(event.disks) ? event.disks : [],
      );
      expect(removed).toContain(lost[0]?.disk);
    }
    // Chances add up to one, and end where the last loss left them.
    const others = board.sides.map((side) => decidedFor(stream.bodies, board, side.seat, false).steps.at(-1)?.[1] ?? 0);
    expect(others.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1);
    expect(steps[0]?.[0]).toBe(1);
  });
});

describe("losses", () => {
  const stream = load("diskwars-elimination");
  const board = stream.state?.board;
  if (!board) throw new Error("no board");
  const moments = board.sides.flatMap(({ seat }) => decidedFor(stream.bodies, board, seat, false).moments);

  it("name the damage and those who dealt it", () => {
    const fallen = moments.flatMap(({ lost }) => lost).filter(({ kind }) => kind === "melee");
    expect(fallen.length).toBeGreaterThan(0);
    for (const { by, taken, toughness } of fallen) {
      expect(by.length).toBeGreaterThan(0);
      expect(taken).toBeGreaterThan(0);
      expect(toughness).toBeGreaterThan(0);
    }
  });
  it("that were taken back count for nothing", () => {
    const { bodies } = stream;
    const [seat] = board.sides.map((side) => side.seat);
    const all = decidedFor(bodies, board, seat ?? 0, false).steps;
    const undone = decidedFor([...bodies, { at_ms: 0, taken_back_to: 1 }], board, seat ?? 0, false).steps;
    expect(all.length).toBeGreaterThan(1);
    expect(undone).toHaveLength(1);
  });
});

describe("losses that nothing has hit", () => {
  const stream = load("diskwars-elimination");
  const board = stream.state?.board;
  if (!board) throw new Error("no board");
  const disk = board.disks.find(({ seat }) => seat === 0)?.id ?? 0;
  const lossAfter = (...events: ReadonlyArray<object>) =>
    decidedFor([{ at_ms: 0, events: events as never }], board, 0, false).moments[0]?.lost[0];
  const removed = (cause?: object) => ({
    type: "disks_removed",
    disks: [disk],
    pins_gained: [],
    pins_lost: [],
    reasons: [],
    cause,
  });

  it("say why: a reserve that stayed, an ability and whose it was, toughness that others had lent", () => {
    expect(lossAfter({ type: "reserves_lost", disks: [disk], reasons: [] })).toMatchObject({ without: "reserve" });
    expect(lossAfter(removed({ kind: "engage_ability", disk: 3 }))).toMatchObject({ without: "ability", by: [3] });
    expect(lossAfter(removed({ kind: "battle_ability" }))).toMatchObject({ without: "ability", by: [] });
    expect(lossAfter(removed({ kind: "removal" }))).toMatchObject({ without: "toughness", by: [] });
  });
  it("count damage of before apart from that of the deed", () => {
    const hit = {
      type: "damage_dealt",
      disk,
      dealt: 2,
      taken: 2,
      tokens: 5,
      toughness: 4,
      reasons: [],
      cause: { kind: "attack", disk: 3 },
    };
    expect(lossAfter(hit, removed())).toMatchObject({ taken: 2, before: 3, kind: "attack", by: [3], without: null });
  });
});
