// What the panel of a melee says of engagements that were fought: what the records say, not what is still on the board.

import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { MatchStream } from "../../../src/client/stream";
import { readFile } from "../../../src/client/records/records.js";
import type { FigureFile } from "../../../src/rules/figures";
import { awaitedText, engagementSummary, foughtEngagements } from "../../../src/rulesets/diskwars/panels/fought";
import { FigurePlay } from "../../../src/rulesets/diskwars/figures/figure_play";
import { layersOf, squeezedWidth } from "../../../src/rulesets/diskwars/panels/melee_graph";

function load(name: string): MatchStream {
  const { header, records } = readFile(
    new Uint8Array(readFileSync(new URL(`../../../../../tests/golden/files/${name}.match.jsonl`, import.meta.url))),
  );
  if (!header) throw new Error("no header");
  const stream = new MatchStream({ match: header.match, header, head: records.length });
  stream.append(records);
  return stream;
}

describe.each(["diskwars-points", "diskwars-elimination"])("the melee of %s", (name) => {
  const stream = load(name);
  const { bodies } = stream;
  const places = bodies.flatMap(({ events = [] }, place) =>
    events.some(({ type }) => type === "blows_struck") ? [place + 1] : [],
  );

  it("counts all damage that was dealt while engagements were resolved", () => {
    expect(places.length).toBeGreaterThan(0);
    const seq = places[0]!;
    const events = bodies.slice(0, seq).flatMap(({ events = [] }) => events);
    const frozen = events.findLastIndex(({ type }) => type === "engagements_frozen");
    let isOpen = false;
    let dealt = 0;
    for (const event of events.slice(frozen)) {
      if (event.type === "engagement_began") isOpen = true;
      if (event.type === "engagement_ended") isOpen = false;
      if (isOpen && event.type === "damage_dealt") dealt += event.taken;
    }
    const counted = [...foughtEngagements(bodies, seq).values()]
      .flatMap(({ damage }) => [...damage.values()])
      .reduce((sum, one) => sum + one, 0);
    expect(dealt).toBeGreaterThan(0);
    expect(counted).toBe(dealt);
  });

  it("is explained after its links are gone", () => {
    for (const seq of [...places, bodies.length]) {
      const board = stream.stateAt(seq)?.board;
      if (!board) continue;
      for (const [number, fought] of foughtEngagements(bodies, seq)) {
        if (!fought.hasBlows || number >= board.engagements.length) continue;
        const text = engagementSummary(board, number, fought);
        if (fought.damage.size) expect(text).toMatch(/took \d|destroyed|wounded/);
      }
    }
  });

  it("says of an engagement without pins that it is not fought", () => {
    const now = stream.stateAt(places[0]!)!.board!;
    const board = {
      ...now,
      pins: [],
      engagements: now.engagements.map((one) => ({ ...one, strikers: [], resolved: false })),
    };
    board.engagements.forEach((_, number) =>
      expect(engagementSummary(board, number, undefined)).toBe("Not fought: no pin is left."),
    );
  });
});

describe("the melee of a figure", () => {
  const figure = (id: string) =>
    JSON.parse(readFileSync(new URL(`../../../src/rules/figures/${id}.json`, import.meta.url), "utf-8")) as FigureFile;

  it("says of engagements that were fought before its position that they were", () => {
    const play = new FigurePlay("F9", figure("F9").positions[0]!);
    play.begin();
    const texts = [1, 2].map((number) => engagementSummary(play.board!, number, undefined));
    expect(texts).toEqual(["Fought before.", "Fought before."]);
  });

  it("says of what is fought before the first question what it has brought, once it was watched", () => {
    const play = new FigurePlay("F9", figure("F9").positions[0]!);
    expect(play.answers).toEqual([]);
    expect(play.board!.engagements).toEqual([]);
    play.begin();
    const fought = foughtEngagements(play.stream.bodies, play.stream.seq);
    const texts = [2, 1].map((number) => engagementSummary(play.board!, number, fought.get(number)));
    expect(texts).toEqual(["Plaguebearers took 2; Shaman destroyed", "Plaguebearers destroyed"]);
    expect(play.answers.length).toBe(2);
    expect(play.back().hasBegun).toBe(false);
    play.take(play.answers[0]!);
    expect(play.back().answers.length).toBe(2);
  });

  it.each(["FAQ1", "FAQ1-core"])("says of an engagement that is fought in %s what it has brought", (id) => {
    const play = new FigurePlay(id, figure(id).positions[0]!);
    play.begin();
    const before = play.board!;
    expect(before.active_engagement).toBe(0);
    while (play.answers.length) play.take(play.answers.at(-1)!);
    const fought = foughtEngagements(play.stream.bodies, play.stream.seq);
    expect([...fought.keys()]).toEqual([1, 0]);
    const text = engagementSummary(play.board!, 0, fought.get(0));
    expect(text).toContain("destroyed");
    expect(text).not.toContain("before");
  });

  it("names the engagements that may be chosen now where others wait, also in a circle", () => {
    const node = figure("F6").positions[0]!.nodes.find(({ question }) => question?.type === "engagement");
    const texts = (node?.options?.unavailable ?? []).map(({ numbers }) => awaitedText(numbers));
    expect(texts).toEqual(["After engagements 3 and 4.", "After engagements 3 and 4."]);
    expect(awaitedText({ engagement: 1, after: 0 })).toBe("After engagement 1.");
    expect(awaitedText({ engagement: 1 })).toBe("");
  });
});

describe("names in the picture of a melee", () => {
  it("stay inside of it and beside one another, however many disks a layer has", () => {
    for (const count of [1, 2, 3, 5, 8]) {
      const links = Array.from({ length: count }, (_, disk) => ({ attacker: disk, defender: count }));
      const disks = Array.from({ length: count + 1 }, (_, id) => ({ id, x: id * 1000 }));
      const { nodes } = layersOf(
        { engagements: [{ links }], disks } as unknown as Parameters<typeof layersOf>[0],
        300,
        76,
      );
      const top = nodes
        .filter(({ disk }) => disk < count)
        .map((node) => {
          const wide = squeezedWidth("Swordsmen", node) ?? 54;
          return [node.x - wide / 2, node.x + wide / 2] as const;
        });
      for (const [k, [from, to]] of top.entries()) {
        expect(from).toBeGreaterThanOrEqual(top[k - 1]?.[1] ?? 0);
        expect(to).toBeLessThanOrEqual(300);
      }
    }
  });
});
