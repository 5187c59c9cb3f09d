// Positions of files are held to the bounds of tests/vectors/positions.json, as the readers in Python hold them.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

import { encode } from "../../src/client/records/canonical.js";
import { boardFaults, BOUNDS, LIMITS, positionFault } from "../../src/client/records/position_bounds.js";
import { genesis, nextHash, WrongRecord } from "../../src/client/records/records.js";
import type { RecordBody } from "../../src/client/records/match.js";
import { MatchStream } from "../../src/client/stream";
import type { MatchHeader } from "../../src/protocol/types";

type Json = unknown;
interface Change {
  readonly path: ReadonlyArray<string | number>;
  readonly value: Json;
  readonly faults: ReadonlyArray<string>;
}
type Name = keyof typeof BOUNDS;
interface Vectors {
  readonly limits: Json;
  readonly rulesets: Readonly<
    Record<Name, { readonly bounds: Json; readonly board: Json; readonly changes: ReadonlyArray<Change> }>
  >;
}

const vectors = JSON.parse(
  readFileSync(new URL("../../../../tests/vectors/positions.json", import.meta.url), "utf8"),
) as Vectors;
const NAMES = Object.keys(BOUNDS) as Name[];

function changed(board: Json, { path, value }: Pick<Change, "path" | "value">): Json {
  const copy = structuredClone(board);
  const above = path.slice(0, -1).reduce((part, key) => (part as Record<string | number, Json>)[key], copy);
  (above as Record<string | number, Json>)[path.at(-1) as string | number] = value;
  return copy;
}

describe("bounds of positions", () => {
  it("are those of the readers in Python", () => {
    expect(LIMITS).toEqual(vectors.limits);
    for (const name of NAMES) expect(BOUNDS[name]).toEqual(vectors.rulesets[name].bounds);
  });

  it("find in changed boards what the vectors say", () => {
    for (const name of NAMES) {
      const { board, changes } = vectors.rulesets[name];
      expect([...boardFaults(board, BOUNDS[name])], name).toEqual([]);
      for (const change of changes) {
        const faults = [...boardFaults(changed(board, change), BOUNDS[name])].toSorted();
        expect(faults, `${name} ${change.path.join(".")}`).toEqual(change.faults);
      }
    }
  });

  it("hold for the sizes of lists, texts and boards", () => {
    const first = (board: Json): string | undefined => [...boardFaults(board, BOUNDS.pit)][0];
    expect(first({ fought: Array(LIMITS.entries + 1).fill(0) })).toBe("$.board.fought: more than 1000 entries");
    expect(first({ phase: "x".repeat(LIMITS.text + 1) })).toBe("$.board.phase: longer than 20000");
    expect(first({ a: Array(999).fill(Array(999).fill(0)) })).toBe("$.board: more than 50000 values");
    expect(first(7)).toBe("$.board: it is no object");
  });

  it("keep a file from being folded that begins where no board can be drawn", () => {
    const header = { type: "diskwars-match", format: 1, match: "m", ruleset: "pit" } as MatchHeader;
    const board = changed(vectors.rulesets.pit.board, { path: ["width"], value: 1_000_000 });
    const body = { events: [{ type: "position_set", position: { board } }] } as unknown as RecordBody;
    const record = { seq: 1, salt: "0".repeat(32), body };
    const hash = nextHash(genesis(encode(header)), record);
    const file = { header, records: [{ ...record, hash }], bodies: [body], head: hash, isEnded: false };
    const fault = "$.events[0].position.board.width: 1000000 is not in 1 to 100";
    expect(() => MatchStream.ofFile(file)).toThrow(
      new WrongRecord(1, `no match can have come to this position, ${fault}`),
    );
    expect(positionFault({ events: [{ type: "branch_began", board }] }, "pit")).toContain("$.events[0].board.width");
    expect(positionFault({ events: [{ type: "branch_began" }, 7, null] }, "pit")).toBeNull();
  });
});
