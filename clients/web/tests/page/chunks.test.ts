// Modules that screens opened together need share a chunk, and no chunk waits for one after it.

import { expect, test } from "vitest";

import { makeGroups } from "../../chunks.js";

const SRC = "/page/src";
const MAIN = `${SRC}/app/main.ts`;
const LOBBY = `${SRC}/lobby/Lobby.svelte`;
const MATCH = `${SRC}/rulesets/diskwars/DiskwarsMatch.svelte`;

/** Return the chunk of each module of a page with these imports; every module that the chunks name imports something. */
function chunksOf(imports: Readonly<Record<string, ReadonlyArray<string>>>, missing = ""): Record<string, string> {
  const modules = {
    getModuleInfo: (id: string) => (id === missing ? null : { importedIds: imports[id] ?? [] }),
  };
  const groups = makeGroups(SRC).toSorted((one, other) => other.priority - one.priority);
  const ids = [...new Set([...Object.keys(imports), ...Object.values(imports).flat()])];
  return Object.fromEntries(
    ids.map((id) => [id, groups.map(({ name }) => name(id, modules)).find((name) => name !== null) ?? ""]),
  );
}

test("each module is in the first chunk that needs it", () => {
  const imports = {
    [MAIN]: ["svelte"],
    [LOBBY]: ["svelte", "both", "list"],
    [MATCH]: ["svelte", "both", "screen", "board", "disk"],
    [`${SRC}/rulesets/diskwars/lessons/LessonPage.svelte`]: ["board", "disk", "step"],
    [`${SRC}/rulesets/pit/PitMatch.svelte`]: ["screen", "board", "cells"],
    [`${SRC}/rules/Rules.svelte`]: ["sections"],
  };
  expect(chunksOf(imports)).toMatchObject({
    [MAIN]: "first",
    svelte: "first",
    both: "first",
    list: "lobby",
    screen: "match",
    board: "board",
    disk: "disks",
    step: "learn",
    [MATCH]: "diskwars",
    cells: "small",
    sections: "",
  });
});

test("what a chunk imports is in it or in one before, however deep", () => {
  const imports: Record<string, string[]> = {
    [MAIN]: ["a"],
    a: ["b"],
    [LOBBY]: ["c", "a"],
    c: ["d"],
    [MATCH]: ["d", "e"],
    e: ["f", "c"],
    f: ["e"],
  };
  const order = makeGroups(SRC).toSorted((one, other) => other.priority - one.priority);
  const chunks = chunksOf(imports);
  const places = new Map<string, number>();
  for (const [id, chunk] of Object.entries(chunks)) {
    const modules = { getModuleInfo: (asked: string) => ({ importedIds: imports[asked] ?? [] }) };
    places.set(
      id,
      order.findIndex(({ name }) => name(id, modules) === chunk),
    );
  }
  for (const [id, imported] of Object.entries(imports))
    for (const other of imported)
      expect(places.get(other), `${id} imports ${other}`).toBeLessThanOrEqual(places.get(id)!);
});

test("a module that was renamed ends the build", () => {
  expect(() => chunksOf({ [MAIN]: [] }, LOBBY)).toThrow("lobby/Lobby.svelte");
});
