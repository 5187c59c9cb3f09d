// What the page keeps between visits, how it comes back, and states of matches in which answers were taken back.

import { readFileSync } from "node:fs";

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { Client, type SocketLike } from "../../src/client/client";
import { SEAT_PREFIX, removeOldSeats, sturdyKeeper, type Keeper } from "../../src/client/keeper";
import { MatchStream } from "../../src/client/stream";
import { encode } from "../../src/client/records/canonical.js";
import { foldLog, plainMatch, type MatchState } from "../../src/client/records/match.js";
import { genesis, readFile } from "../../src/client/records/records.js";

const DAY_MS = 24 * 3600 * 1000;

function storeOf(kept: Map<string, string>, isFull = false): Keeper {
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => {
      if (isFull) throw new Error("QuotaExceededError");
      kept.set(key, value);
    },
    removeItem: (key) => void kept.delete(key),
    keys: () => [...kept.keys()],
  };
}

describe("a keeper", () => {
  it("goes on in memory when the store is full", () => {
    const keeper = sturdyKeeper(storeOf(new Map(), true));
    keeper.setItem("a", "1");
    expect(keeper.getItem("a")).toBe("1");
    keeper.removeItem("a");
    expect(keeper.getItem("a")).toBeNull();
  });
  it("removes seats that were used last long ago, and no others", () => {
    const kept = new Map([
      [`${SEAT_PREFIX}old`, JSON.stringify({ atMs: 0 })],
      [`${SEAT_PREFIX}new`, JSON.stringify({ atMs: 300 * DAY_MS })],
      ["diskwars.token", "t"],
    ]);
    removeOldSeats(storeOf(kept), 301 * DAY_MS);
    expect([...kept.keys()]).toEqual([`${SEAT_PREFIX}new`, "diskwars.token"]);
  });
});

describe("a client that comes back", () => {
  const sockets: { socket: SocketLike; sent: Array<Record<string, unknown>> }[] = [];
  let client: Client;
  beforeEach(() => {
    vi.useFakeTimers();
    sockets.length = 0;
    const open = () => {
      const sent: Array<Record<string, unknown>> = [];
      const socket: SocketLike = {
        onopen: null,
        onmessage: null,
        onclose: null,
        onerror: null,
        send: (text) => void sent.push(JSON.parse(text) as Record<string, unknown>),
        close: () => undefined,
      };
      sockets.push({ socket, sent });
      return socket;
    };
    client = new Client({ url: "ws://x/ws", keeper: storeOf(new Map()), random: () => 1, open });
    client.start();
  });
  afterEach(() => {
    client.stop();
    vi.useRealTimers();
  });
  const last = () => sockets.at(-1) as (typeof sockets)[number];
  const say = (message: unknown) => last().socket.onmessage?.({ data: JSON.stringify(message) });
  const greet = () => {
    last().socket.onopen?.(undefined as never);
    say({ type: "welcome", version: 1, player: "p1", token: "t1", server_time_ms: 0, rulesets: [], limits: {} });
  };
  const header = { type: "diskwars-match", format: 1, match: "m1", ruleset: "diskwars" };
  const watching = {
    type: "watching",
    match: "m1",
    ruleset: "diskwars",
    after: 0,
    head: 0,
    header,
    hash: genesis(encode(header)),
  };

  it("asks for no match again that its first message resumes", async () => {
    greet();
    void client.watch("m1");
    say({ ...watching, id: last().sent.at(-1)?.["id"] });
    const again = client.watch("m1");
    last().socket.onclose?.(undefined as never);
    vi.advanceTimersByTime(20_000);
    greet();
    expect(last().sent.map(({ type }) => type)).toEqual(["hello"]);
    say(watching);
    expect((await again).type).toBe("watching");
  });
  it("waits longer each time, though the server greets, until a connection has lasted", () => {
    const waits: number[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      greet();
      const before = sockets.length;
      last().socket.onclose?.(undefined as never);
      let waited = 0;
      for (; sockets.length === before; waited += 10) vi.advanceTimersByTime(10);
      waits.push(waited);
    }
    expect(waits).toEqual([...waits].sort((one, other) => one - other));
    expect(waits[3]).toBeGreaterThan(3 * (waits[0] ?? 0));
    greet();
    vi.advanceTimersByTime(6000);
    const before = sockets.length;
    last().socket.onclose?.(undefined as never);
    vi.advanceTimersByTime(260);
    expect(sockets.length).toBe(before + 1);
  });
});

describe("a stream", () => {
  it.each(["diskwars-agreements", "diskwars-elimination", "pit-agreements"])("seeks to any record of %s", (name) => {
    const { header, records } = readFile(
      new Uint8Array(readFileSync(new URL(`../../../../tests/golden/files/${name}.match.jsonl`, import.meta.url))),
    );
    if (!header) throw new Error("no header");
    const stream = new MatchStream({ match: header.match, header, head: records.length });
    stream.append(records);
    for (let seq = 1; seq <= stream.seq; seq += 1) {
      const wanted = foldLog(structuredClone(stream.bodies.slice(0, seq)));
      expect(encode(plainMatch(stream.stateAt(seq) as MatchState))).toBe(encode(plainMatch(wanted as MatchState)));
    }
  });
});
