// The entries of a log are made once, and again when what they are made of has changed.

import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { readFile } from "../../../src/client/records/records.js";
import { MatchStream } from "../../../src/client/stream";
import { EntryList } from "../../../src/rulesets/diskwars/entry_list";

const { header, records } = readFile(
  new Uint8Array(
    readFileSync(new URL("../../../../../tests/golden/files/diskwars-reserves.match.jsonl", import.meta.url)),
  ),
);
if (!header) throw new Error("no header");
const SEATS = ["Ilse", "Marek"];
const stream = new MatchStream({ match: header.match, header, head: records.length });
const list = new EntryList();

describe("the entries of a match", () => {
  it("follow its records without being made again", () => {
    stream.append(records.slice(0, 20));
    const before = list.of(stream, "all", true, SEATS);
    stream.append(records.slice(20));
    const after = list.of(stream, "all", true, SEATS);
    expect(before.length).toBeGreaterThan(0);
    expect(after.length).toBeGreaterThan(before.length);
    expect(before.every((entry, place) => after[place] === entry)).toBe(true);
  });

  it("are made again when a name of a player is known", () => {
    const [first] = list.of(stream, "all", true, SEATS);
    expect(list.of(stream, "all", true, ["Ilse", "Vera"])[0]).not.toBe(first);
  });
});
