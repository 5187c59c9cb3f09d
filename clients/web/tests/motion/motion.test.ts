// Motion: beats of records, the queue that plays them by a clock of the test, and flips as seen from above.

import { readFileSync } from "node:fs";

import { describe, expect, it, vi } from "vitest";

import { MatchStream } from "../../src/client/stream";
import { readFile } from "../../src/client/records/records.js";
import { FADE_MS, PATH_MS, beatsOf, reducedBeats, type MotionBeat } from "../../src/motion/beats";
import { flipTransforms } from "../../src/motion/flip";
import { luckWords } from "../../src/motion/roll_words";
import { CALM_BACKLOG_MS, HURRIED_BACKLOG_MS, MotionQueue, type Beat, type MotionClock } from "../../src/motion/queue";

// The settings are of a browser.
vi.mock("../../src/page/reduced", () => ({ isMotionReduced: () => false }));

class FakeClock implements MotionClock {
  private at = 0;
  private due: { at: number; act: () => void }[] = [];
  now(): number {
    return this.at;
  }
  after(ms: number, act: () => void): () => void {
    const timer = { at: this.at + ms, act };
    this.due.push(timer);
    return () => (this.due = this.due.filter((one) => one !== timer));
  }
  pass(ms: number): void {
    const until = this.at + ms;
    for (;;) {
      const next = this.due.filter(({ at }) => at <= until).sort((one, other) => one.at - other.at)[0];
      if (!next) break;
      this.due = this.due.filter((one) => one !== next);
      this.at = next.at;
      next.act();
    }
    this.at = until;
  }
}

function playing() {
  const clock = new FakeClock();
  const shown: Array<[name: string | null, at: number, speed: number]> = [];
  let leftOut = 0;
  const queue = new MotionQueue<Beat & { readonly name: string }>(
    clock,
    (beat, speed) => shown.push([beat?.name ?? null, clock.now(), speed]),
    () => (leftOut += 1),
  );
  const beat = (name: string, ms: number, holdMs = 0) => ({ name, ms, holdMs });
  return { clock, queue, shown, beat, leftOut: () => leftOut };
}

describe("the queue of motion", () => {
  it("plays one beat after another, each for its time", () => {
    const { clock, queue, shown, beat } = playing();
    queue.push([beat("a", 300), beat("b", 200, 1000)]);
    clock.pass(299);
    expect(shown).toEqual([["a", 0, 1]]);
    clock.pass(2000);
    expect(shown).toEqual([
      ["a", 0, 1],
      ["b", 300, 1],
      [null, 1500, 1],
    ]);
    expect(queue.isPlaying).toBe(false);
  });
  it("plays twice as fast while more than a moment waits", () => {
    const { clock, queue, shown, beat } = playing();
    queue.push([beat("a", CALM_BACKLOG_MS), beat("b", 1000)]);
    clock.pass(CALM_BACKLOG_MS + 1000);
    expect(shown).toEqual([
      ["a", 0, 2],
      ["b", CALM_BACKLOG_MS / 2, 1],
      [null, CALM_BACKLOG_MS / 2 + 1000, 1],
    ]);
  });
  it("leaves out everything when it would fall far behind", () => {
    const { clock, queue, shown, beat, leftOut } = playing();
    queue.push([beat("a", 400)]);
    queue.push([beat("b", HURRIED_BACKLOG_MS)]);
    expect([queue.isPlaying, queue.backlogMs, leftOut()]).toEqual([false, 0, 1]);
    clock.pass(20_000);
    expect(shown).toEqual([
      ["a", 0, 1],
      [null, 0, 1],
    ]);
    queue.push([beat("c", 100)]);
    expect(shown.at(-1)).toEqual(["c", 20_000, 1]);
  });
  it("ends at a touch, and shows nothing more later", () => {
    const { clock, queue, shown, beat } = playing();
    queue.push([beat("a", 300), beat("b", 300)]);
    clock.pass(100);
    queue.skip();
    expect(shown.at(-1)).toEqual(["b", 100, 1]);
    queue.finish();
    clock.pass(5000);
    expect(shown.at(-1)).toEqual([null, 100, 1]);
  });
});

const { header, records } = readFile(
  new Uint8Array(readFileSync(new URL("../../../../tests/golden/files/diskwars-points.match.jsonl", import.meta.url))),
);
const stream = new MatchStream({ match: header!.match, header: header!, head: records.length });
stream.append(records);
const played = stream.bodies.flatMap((body, place) => {
  const board = place > 0 ? structuredClone(stream.stateAt(place)?.board ?? null) : null;
  return board ? [{ seq: place + 1, body, board, beats: beatsOf(place + 1, body, board) }] : [];
});
const all = (kind: MotionBeat["kind"]) => played.flatMap(({ beats }) => beats.filter((beat) => beat.kind === kind));

describe("the beats of a match", () => {
  it("flip every disk from where it lies to where the record puts it, one diameter on", () => {
    for (const { seq, body, board, beats } of played) {
      const events = (body.events ?? []).filter((event) => event.type === "disk_flipped");
      const flips = beats.flatMap((beat) => (beat.kind === "flip" ? [beat] : []));
      expect(
        flips.map(({ disk, to }) => [disk, ...to]),
        `record ${seq}`,
      ).toEqual(events.map((event) => [event.disk, event.x, event.y]));
      const first = flips[0];
      if (first) expect(first.from).toEqual([board.disks[first.disk]?.x, board.disks[first.disk]?.y]);
      for (const { from, to, r } of flips)
        expect(Math.abs(Math.hypot(to[0] - from[0], to[1] - from[1]) - 2 * r)).toBeLessThan(3);
      expect(flips.reduce((sum, { ms }) => sum + ms, 0)).toBeLessThanOrEqual(PATH_MS + 1);
    }
    const single = played.flatMap(({ beats }) =>
      beats.filter(({ kind }) => kind === "flip").length === 1 ? beats.filter(({ kind }) => kind === "flip") : [],
    );
    for (const { ms } of single) {
      expect(ms).toBeGreaterThanOrEqual(250);
      expect(ms).toBeLessThanOrEqual(350);
    }
  });
  it("say of dice whose rolls of this kind came to what, and what was to be expected", () => {
    const rolls = played.flatMap(({ board, beats }) =>
      beats.flatMap((beat) =>
        beat.kind === "dice" ? [luckWords(beat.roll, stream.bodies, board, ["Ann", "Ben"])] : [],
      ),
    );
    const said = rolls.filter(Boolean);
    expect(said.length).toBeGreaterThan(1);
    for (const words of said)
      expect(words).toMatch(
        /^(Ranged attacks|Impact|Guard|Spared by dangerous ground) of (Ann|Ben) in this match: \d+ rolled, \d+\.\d expected$/,
      );
  });
  it("show all damage that was taken, and every reveal", () => {
    const taken = played
      .flatMap(({ body }) => body.events ?? [])
      .reduce((sum, event) => sum + (event.type === "damage_dealt" ? event.taken : 0), 0);
    const shown = all("damage").reduce(
      (sum, beat) => sum + (beat.kind === "damage" ? beat.hits.reduce((part, { amount }) => part + amount, 0) : 0),
      0,
    );
    expect(taken).toBeGreaterThan(0);
    expect(shown).toBe(taken);
    expect(all("reveal").length).toBe(
      played.flatMap(({ body }) => body.events ?? []).filter(({ type }) => type === "cards_revealed").length,
    );
    expect(all("pins").length * all("removal").length * all("dice").length * all("banner").length).toBeGreaterThan(0);
  });
  it("move nothing where motion is reduced, and keep what is read", () => {
    for (const { beats } of played) {
      const reduced = reducedBeats(beats);
      expect(
        reduced.some(
          ({ kind }) =>
            kind === "flip" || kind === "removal" || kind === "shot" || kind === "pins" || kind === "arrival",
        ),
      ).toBe(false);
      expect(reduced.filter(({ kind }) => kind === "fade").every(({ ms }) => ms === FADE_MS)).toBe(true);
      expect(reduced.some(({ kind }) => kind === "fade")).toBe(
        beats.some(({ kind }) => kind === "flip" || kind === "removal"),
      );
      expect(reduced.filter(({ kind }) => kind === "reveal").length).toBe(
        beats.filter(({ kind }) => kind === "reveal").length,
      );
    }
  });
});

describe("a flip from above", () => {
  it("stands on its edge at the tangent in the middle of its way, and lies flat at both ends", () => {
    const numbers = (text: string) => [...text.matchAll(/-?\d+\.?\d*/g)].map(([one]) => Number(one));
    const steps = flipTransforms([0, 0], [80, 60]).map(numbers);
    expect(steps[0]!.slice(0, 2)).toEqual([0, 0]);
    expect(steps.at(-1)!.slice(0, 2)).toEqual([80, 60]);
    const [x, y, , width] = steps[(steps.length - 1) / 2]!;
    expect([x, y]).toEqual([40, 30]);
    expect(width).toBeCloseTo(0);
    expect([steps[0]![3], steps.at(-1)![3]]).toEqual([1, 1]);
  });
});

describe("dice on the table", () => {
  const rolled = played.find(({ beats }) => beats.some(({ kind }) => kind === "dice"))?.seq ?? 0;

  async function playingBack(pace = 1) {
    // The tests compile no components: a signal is a plain value here.
    vi.stubGlobal(
      "$state",
      Object.assign((value: unknown) => value, { raw: (value: unknown) => value }),
    );
    const { Playback } = await import("../../src/motion/playback.svelte");
    const clock = new FakeClock();
    const playback = new Playback(clock, () => false);
    playback.follow(stream, stream.bodies.length, rolled - 1);
    playback.follow(stream, stream.bodies.length, rolled, pace);
    while (playback.roll === null && playback.isPlaying) clock.pass(50);
    expect(playback.roll).not.toBeNull();
    return { clock, playback };
  }
  it("are gone when a replay goes on, or jumps", async () => {
    for (const moment of [rolled + 1, rolled - 1, rolled + 20]) {
      const { playback } = await playingBack();
      playback.follow(stream, stream.bodies.length, moment);
      expect(playback.roll?.seq).not.toBe(rolled);
    }
  });
  it("roll and lie as fast as the replay plays", async () => {
    const shownMs = async (pace: number) => {
      const { clock, playback } = await playingBack(pace);
      const speed = playback.speed;
      let ms = 0;
      for (; playback.roll !== null; ms += 10) clock.pass(10);
      return { speed, ms };
    };
    const [slow, calm, fast] = await Promise.all([0.5, 1, 4].map(shownMs));
    expect([slow!.speed, calm!.speed, fast!.speed]).toEqual([0.5, 1, 4]);
    expect(slow!.ms / calm!.ms).toBeCloseTo(2, 1);
    expect(calm!.ms / fast!.ms).toBeCloseTo(4, 1);
  });
  it("lie for a while where nothing follows", async () => {
    const { clock, playback } = await playingBack();
    clock.pass(1_000);
    expect(playback.roll).not.toBeNull();
    clock.pass(10_000);
    expect(playback.roll).toBeNull();
  });
});
