// What the log says of the records of a match.

import { readFileSync } from "node:fs";

import { afterEach, describe, expect, it } from "vitest";

import { MatchStream } from "../../../src/client/stream";
import { diskName } from "../../../src/rulesets/diskwars/names";
import { readFile } from "../../../src/client/records/records.js";
import { withTakebacks } from "../../../src/match/takebacks";
import { logEntry } from "../../../src/rulesets/diskwars/log";
import { setLanguage } from "../../../src/messages";

const { header, records } = readFile(
  new Uint8Array(
    readFileSync(new URL("../../../../../tests/golden/files/diskwars-reserves.match.jsonl", import.meta.url)),
  ),
);
if (!header) throw new Error("no header");
const stream = new MatchStream({ match: header.match, header, head: records.length });
stream.append(records);
const { state, bodies } = stream;

afterEach(() => setLanguage("en"));

describe("a move", () => {
  it("is one line with all its flips until something comes of one, and names what it went over and lies on", () => {
    let [joined, over] = [0, 0];
    for (const [place, body] of bodies.entries()) {
      const kinds = (body.events ?? []).map(({ type }) => type);
      const runs = kinds.filter((type, k) => type === "disk_flipped" && kinds[k - 1] !== "disk_flipped").length;
      const moves = (logEntry(place + 1, body, state, ["Ilse", "Marek"])?.lines ?? [])
        .map(({ text }) => text)
        .filter((text) => / flips?/.test(text));
      expect(moves).toHaveLength(runs);
      joined += moves.filter((text) => /[2-9] flips/.test(text)).length;
      over += moves.filter((text) => text.includes(", over ")).length;
    }
    expect(joined).toBeGreaterThan(5);
    expect(over).toBeGreaterThan(0);
  });
  it("of a scout says that it is one, for no round has begun", () => {
    const { header: known, records: kept } = readFile(
      new Uint8Array(
        readFileSync(new URL("../../../../../tests/golden/files/diskwars-three.match.jsonl", import.meta.url)),
      ),
    );
    if (!known) throw new Error("no header");
    const other = new MatchStream({ match: known.match, header: known, head: kept.length });
    other.append(kept);
    const round = other.bodies.findIndex(({ events = [] }) => events.some(({ type }) => type === "round_began"));
    const moves = other.bodies.flatMap((body, place) =>
      (logEntry(place + 1, body, other.state, [])?.lines ?? [])
        .filter(({ icon }) => icon === "rot")
        .map(({ text }) => [place <= round, text.startsWith("Scouting, ")] as const),
    );
    expect(moves.filter(([isBefore]) => isBefore).length).toBeGreaterThan(0);
    for (const [isBefore, isScout] of moves) expect(isScout).toBe(isBefore);
  });
  it("says in which order it went over and onto disks, in both languages", () => {
    const [one, other] = [diskName(state!.board!, 3), diskName(state!.board!, 2)];
    const flip = { type: "disk_flipped", disk: 0, x: 0, y: 0, pins_lost: [], terrain: [] };
    const events = [
      { ...flip, pins_gained: [{ top: 0, bottom: 3 }] },
      { ...flip, pins_gained: [{ top: 0, bottom: 2 }] },
    ] as unknown as NonNullable<(typeof bodies)[number]["events"]>;
    for (const [language, words] of [
      ["en", `2 flips, over ${one}, onto ${other}`],
      ["de", `2-mal gewendet, über ${one}, auf ${other}`],
    ] as const) {
      setLanguage(language);
      expect(
        logEntry(1, { at_ms: 0, events } as (typeof bodies)[number], state, [])?.lines.map(({ text }) => text),
      ).toEqual([expect.stringContaining(words)]);
    }
  });
});

describe("a pass", () => {
  const passes = bodies.flatMap((body, place) =>
    body.action?.type === "pass_disk" ? [{ body, seq: place + 1, disk: body.action.disk }] : [],
  );
  const linesOf = ({ body, seq }: (typeof passes)[number]) =>
    logEntry(seq, body, state, ["Ilse", "Marek"])?.lines ?? [];

  it("is the first line of its record, in both languages, with its rule", () => {
    expect(passes.length).toBeGreaterThan(10);
    for (const [language, word] of [
      ["en", "passes"],
      ["de", "passt"],
    ] as const) {
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

describe("a takeback", () => {
  it("names who asked for which deed, and strikes out what it undid", () => {
    const file = new URL("../../../../../tests/golden/files/diskwars-agreements.match.jsonl", import.meta.url);
    const { bodies } = readFile(new Uint8Array(readFileSync(file)));
    const seats = ["Ilse", "Marek"];
    const entries = withTakebacks(
      bodies.flatMap((body, place) => logEntry(place + 1, body, null, seats) ?? []),
      bodies,
      seats,
    );
    const back = bodies.flatMap(({ taken_back_to: to }, place) => (to === undefined ? [] : [{ to, seq: place + 1 }]));
    expect(back.length).toBeGreaterThan(0);
    for (const { to, seq } of back) {
      // Without an offer, who takes back has asked nobody.
      const asked = bodies
        .slice(to, seq)
        .flatMap(({ events = [] }) => events.filter(({ type }) => type === "offer_made" || type === "takeback_made"));
      const [first] = asked;
      const asker = first?.type === "offer_made" || first?.type === "takeback_made" ? first.seat : -1;
      const deed = entries.find((entry) => entry.seq === to + 1);
      const text = deed?.lines[0]?.text ?? "";
      expect(deed?.isUndone).toBe(true);
      expect(entries.find((entry) => entry.seq === seq)?.lines[0]?.text).toBe(`${seats[asker]} takes back: ${text}`);
    }
    const undone = entries.filter(({ isUndone }) => isUndone).map(({ seq }) => seq);
    expect(undone.every((seq) => back.some(({ to, seq: last }) => to < seq && seq < last))).toBe(true);
  });
});
