// Folding shares what it can: no record is changed by it, and no kept state by what is folded after it.

import { readFileSync, readdirSync } from "node:fs";

import { afterEach, describe, expect, it, vi } from "vitest";

import { MatchStream } from "../../src/client/stream";
import { foldLog, foldRecord, plainMatch } from "../../src/client/records/match.js";
import { readFile, undoTextConversion } from "../../src/client/records/records.js";

const FOLDER = new URL("../../../../tests/golden/files/", import.meta.url);
const NAMES = readdirSync(FOLDER).flatMap(
  (name) => /^((?:close-quarters|diskwars|pit|regiments)-.*)\.match\.jsonl$/.exec(name)?.[1] ?? [],
);

function freeze<Value>(value: Value): Value {
  if (value !== null && typeof value === "object") Object.values(Object.freeze(value)).forEach(freeze);
  return value;
}
const load = (name: string) => readFile(new Uint8Array(readFileSync(new URL(`${name}.match.jsonl`, FOLDER))));

describe("the fold of a file", () => {
  it("has files to look at", () => expect(NAMES.length).toBeGreaterThan(20));
  it.each(NAMES)("changes no record of %s", (name) => {
    const { bodies } = load(name);
    expect(foldLog(freeze(bodies))).not.toBeNull();
  });
});

describe("a file that a program for texts has saved", () => {
  it("is the file again without its carriage returns and its mark", () => {
    const written = new TextEncoder().encode('{"text":"\\\\r\\\\n"}\n{"second":1}\n');
    const saved = new TextEncoder().encode(`\uFEFF${new TextDecoder().decode(written).replaceAll("\n", "\r\n")}`);
    expect(undoTextConversion(saved)).toEqual(written);
    expect(undoTextConversion(written)).toEqual(written);
  });
});

describe("a copy of a match", () => {
  afterEach(() => vi.unstubAllGlobals());
  it.each(["diskwars-four", "pit-counted", "close-quarters-counted", "regiments-counted"])(
    "of %s calls what a browser calls on its window only",
    async (name) => {
      const clone = structuredClone;
      vi.stubGlobal("structuredClone", function (this: unknown, value: unknown): unknown {
        if (this !== undefined && this !== globalThis) throw new TypeError("Illegal invocation");
        return clone(value);
      });
      vi.resetModules();
      const match = await import("../../src/client/records/match.js");
      const state = match.foldLog(load(name).bodies);
      expect(match.plainMatch(match.copyMatch(state!))).toEqual(match.plainMatch(state!));
    },
  );
});

describe("a seek", () => {
  it.each(["diskwars-four", "diskwars-agreements", "pit-counted"])(
    "finds in %s what folding from the beginning finds, in any order",
    (name) => {
      const file = load(name);
      if (!file.header) throw new Error("no header");
      const stream = MatchStream.ofFile({ ...file, header: file.header });
      const count = file.bodies.length;
      const head = JSON.stringify(plainMatch(stream.state!));
      const found = new Map<number, string>();
      for (let step = 0; step < 2 * count; step += 1) {
        const seq = 1 + ((37 * step) % count);
        const state = stream.stateAt(seq)!;
        const text = JSON.stringify(plainMatch(state));
        expect(found.get(seq) ?? text).toBe(text);
        found.set(seq, text);
        // Whoever folds on with what they were given changes nothing that is kept.
        const next = file.bodies[seq];
        if (seq < stream.seq && next && next.taken_back_to === undefined) foldRecord(state, next);
      }
      for (const [seq, text] of found)
        expect(text).toBe(JSON.stringify(plainMatch(foldLog(file.bodies.slice(0, seq))!)));
      expect(JSON.stringify(plainMatch(stream.state!))).toBe(head);
    },
  );
});
