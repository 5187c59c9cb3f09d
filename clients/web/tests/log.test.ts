// What the log says of the records of a match.

import { readFileSync } from "node:fs";

import { afterEach, describe, expect, it } from "vitest";

import { MatchStream } from "../src/client/stream";
import { diskName } from "../src/board/view";
import { readFile } from "../src/core/records.js";
import { logEntry } from "../src/log";
import { setLanguage } from "../src/messages";

const { header, records } = readFile(new Uint8Array(readFileSync(new URL("../../../tests/golden/files/diskwars-reserves.match.jsonl", import.meta.url))));
if (!header) throw new Error("no header");
const stream = new MatchStream({ match: header.match, header, head: records.length });
stream.append(records);
const { state, bodies } = stream;

afterEach(() => setLanguage("en"));

describe("a pass", () => {
  const passes = bodies.flatMap((body, place) => (body.action?.type === "pass_disk" ? [{ body, seq: place + 1, disk: body.action.disk }] : []));
  const linesOf = ({ body, seq }: (typeof passes)[number]) => logEntry(seq, body, state, ["Ilse", "Marek"])?.lines ?? [];

  it("is the first line of its record, in both languages, with its rule", () => {
    expect(passes.length).toBeGreaterThan(10);
    for (const [language, word] of [["en", "passes"], ["de", "passt"]] as const) {
      setLanguage(language);
      for (const pass of passes) {
        const [first] = linesOf(pass);
        expect(first?.text).toContain(`${diskName(state!.board!, pass.disk)} ${word}`);
        expect(first?.rules).toEqual(["R8.1.4"]);
      }
    }
  });
  it("says whether the disk has done something before", () => {
    const [pass] = passes;
    const ended = { ...pass!.body, events: pass!.body.events!.filter(({ type }) => type !== "activation_began") };
    expect(linesOf(pass!)[0]?.text).toContain("activated without an action");
    expect(linesOf({ ...pass!, body: ended })[0]?.text).toContain("nothing more");
  });
});
