// The states that the golden matches of the small games fold to, byte for byte.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

import { foldLog, foldRecord, fullMatch, plainMatch, type MatchState } from "../../src/client/records/match.js";
import { readFile } from "../../src/client/records/records.js";

const FOLDER = new URL("../../../../tests/golden/files/", import.meta.url);
const HASHES = new Map(
  readFileSync(new URL("states.txt", FOLDER), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(" ").reverse() as [string, string]),
);
const NAMES = readdirSync(FOLDER).flatMap(
  (name) => /^((?:pit|close-quarters|regiments)-.*)\.match\.jsonl$/.exec(name)?.[1] ?? [],
);

describe("golden matches of the small games", () => {
  it("are found", () => expect(NAMES.length).toBeGreaterThan(15));
  it.each(NAMES)("%s folds to the states it has always folded to", (name) => {
    const { bodies } = readFile(readFileSync(new URL(`${name}.match.jsonl`, FOLDER)));
    const found = createHash("sha256");
    let state: MatchState | null = null;
    for (const [place, body] of bodies.entries()) {
      const isTakeback = body.taken_back_to !== undefined;
      state = isTakeback
        ? foldLog(structuredClone(bodies.slice(0, place + 1)))
        : foldRecord(state, structuredClone(body));
      const plain = plainMatch(state as MatchState);
      expect(plainMatch(fullMatch(structuredClone(plain)))).toEqual(plain);
      found.update(`${JSON.stringify(plain)}\n`);
    }
    expect(found.digest("hex")).toBe(HASHES.get(name));
  });
});
