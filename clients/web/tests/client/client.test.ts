// The client over a socket in memory: resume, idempotent commands, retries, a dead line, frozen matches.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { delayMs, FIRST_DELAY_MS, MAX_DELAY_MS, QUICK_ATTEMPTS, QUICK_DELAY_MS } from "../../src/client/backoff";
import { Client, type SocketLike } from "../../src/client/client";
import { Contradiction } from "../../src/client/contradiction";
import { SeatSecrets, type Keeper } from "../../src/client/secrets";
import { encode } from "../../src/client/records/canonical.js";
import { genesis, nextHash } from "../../src/client/records/records.js";

class FakeSocket implements SocketLike {
  onopen: SocketLike["onopen"] = null;
  onmessage: SocketLike["onmessage"] = null;
  onclose: SocketLike["onclose"] = null;
  onerror: SocketLike["onerror"] = null;
  readonly sent: Array<Record<string, unknown>> = [];
  isClosed = false;

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close(): void {
    this.isClosed = true;
  }
  say(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  cut(): void {
    this.onclose?.(undefined as never);
  }
  welcome(limits: object = {}): void {
    this.onopen?.(undefined as never);
    this.say({
      type: "welcome",
      version: 1,
      player: "p1",
      token: "t1",
      server_time_ms: Date.now() + 5000,
      rulesets: [],
      limits,
    });
  }
}

const memory = (): Keeper & { readonly kept: Map<string, string> } => {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
};

let sockets: FakeSocket[];
let keeper: ReturnType<typeof memory>;
let client: Client;
const last = () => sockets.at(-1) as FakeSocket;

beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  keeper = memory();
  client = new Client({
    url: "ws://x/ws",
    keeper,
    random: () => 1,
    open: () => {
      const made = new FakeSocket();
      sockets.push(made);
      return made;
    },
  });
  client.start();
});
afterEach(() => {
  client.stop();
  vi.useRealTimers();
});

const HEADER = { type: "diskwars-match", format: 1, match: "m1", ruleset: "diskwars" };
const FIRST = {
  seq: 1,
  salt: "00".repeat(16),
  body: {
    at_ms: 1,
    events: [
      {
        type: "match_opened",
        match: "m1",
        ruleset: "diskwars",
        rules_version: 1,
        settings: {},
        seat_count: 2,
        anchor: "a",
        deal_commitment: "b",
        opener: "p1",
        match_options: {},
      },
    ],
    decisions: [],
  },
};
const watching = (after: number, hash: string, head = 1) => ({
  type: "watching",
  match: "m1",
  ruleset: "diskwars",
  after,
  head,
  header: HEADER,
  hash,
});

describe("connection", () => {
  it("sends no faster than the server allows, and nothing late on another connection", async () => {
    last().welcome({ frames_per_second: 10, frame_burst: 5 });
    const count = (socket: FakeSocket) => socket.sent.filter(({ type }) => type === "list_matches").length;
    for (let number = 0; number < 12; number += 1) void client.request({ type: "list_matches" });
    expect(count(last())).toBe(4);
    await vi.advanceTimersByTimeAsync(500);
    expect(count(last())).toBe(8);
    const [cut] = sockets;
    last().cut();
    await vi.advanceTimersByTimeAsync(FIRST_DELAY_MS);
    last().welcome({ frames_per_second: 10, frame_burst: 500 });
    expect(count(last())).toBe(12);
    await vi.advanceTimersByTimeAsync(1000);
    expect([count(cut as FakeSocket), count(last())]).toEqual([8, 12]);
  });

  it("sends on when the clock of the machine is set back", async () => {
    last().welcome({ frames_per_second: 10, frame_burst: 5 });
    void client.request({ type: "list_matches" });
    await vi.advanceTimersByTimeAsync(1000);
    vi.setSystemTime(Date.now() - 3_600_000);
    void client.request({ type: "unfollow_matches" });
    expect(last().sent.at(-1)?.["type"]).toBe("unfollow_matches");
  });

  it("knows the server's time, whatever the clock of the machine is set to", async () => {
    last().welcome();
    const serverMs = Date.now() + client.offsetMs;
    vi.setSystemTime(Date.now() - 3_600_000);
    await vi.advanceTimersByTimeAsync(2000);
    expect(Math.abs(client.serverNowMs() - serverMs - 2000)).toBeLessThan(100);
  });

  it("says hello, keeps the token and sends what was asked before", async () => {
    const answer = client.request({ type: "list_matches" });
    last().welcome();
    expect(last().sent.map(({ type }) => type)).toEqual(["hello", "list_matches"]);
    expect([client.status, client.player, keeper.kept.get("diskwars.token")]).toEqual(["online", "p1", "t1"]);
    expect(client.offsetMs).toBeGreaterThan(4000);
    last().say({ type: "match_list", id: last().sent[1]?.["id"], matches: [] });
    expect((await answer).type).toBe("match_list");
  });

  it("sends an unanswered command again under the same id, and resumes after the last record", async () => {
    last().welcome();
    last().say(watching(0, genesis(encode(HEADER))));
    last().say({ type: "records", match: "m1", records: [FIRST] });
    const answer = client.act("m1", undefined, { type: "resign" });
    const id = last().sent.at(-1)?.["id"];
    last().cut();
    expect(client.status).toBe("reconnecting");
    await vi.advanceTimersByTimeAsync(FIRST_DELAY_MS);
    last().welcome();
    expect(sockets).toHaveLength(2);
    expect(last().sent[0]).toMatchObject({
      type: "hello",
      token: "t1",
      resume: [{ match: "m1", after: 1, push_options: true }],
    });
    expect(last().sent[1]).toMatchObject({ type: "act", id });
    last().say({ type: "accepted", id, match: "m1", seq: 2 });
    expect((await answer).type).toBe("accepted");
  });

  it("holds what the server cannot store, says so meanwhile, and sends it again", async () => {
    last().welcome();
    const answer = client.act("m1", undefined, { type: "resign" });
    const id = last().sent.at(-1)?.["id"];
    const away = { type: "refused", id, match: "m1", code: "unavailable", text: "", retry_after_ms: 1000 };
    const changed = client.isStoreAway;
    for (let k = 0; k < 20; k += 1) {
      last().say(away);
      expect(client.isStoreAway).toBe(true);
      const before = last().sent.length;
      await vi.advanceTimersByTimeAsync(1000);
      expect(
        last()
          .sent.slice(before)
          .filter((sent) => sent["id"] === id),
      ).toHaveLength(1);
    }
    last().say({ type: "accepted", id, match: "m1", seq: 2 });
    expect([changed, (await answer).type, client.isStoreAway]).toEqual([false, "accepted", false]);
  });

  it("gives up what the server cannot store for a minute", async () => {
    last().welcome();
    const answer = client.act("m1", undefined, { type: "resign" });
    const id = last().sent.at(-1)?.["id"];
    for (let k = 0; k <= 60; k += 1) {
      last().say({ type: "refused", id, match: "m1", code: "unavailable", text: "", retry_after_ms: 1000 });
      await vi.advanceTimersByTimeAsync(1000);
      if (k % 10 === 9) last().say({ type: "player_list", id: "probe", players: [] });
    }
    expect([await answer, client.isStoreAway]).toMatchObject([{ code: "unavailable" }, false]);
  });

  it("waits longer each time, not long while a killed server may start again, and as the server says", () => {
    expect([0, 1, 2].map((attempt) => delayMs(attempt, () => 1))).toEqual([250, 500, 1000]);
    expect([3, QUICK_ATTEMPTS - 1].map((attempt) => delayMs(attempt, () => 1))).toEqual([
      QUICK_DELAY_MS,
      QUICK_DELAY_MS,
    ]);
    expect([0, 1, 4].map((more) => delayMs(QUICK_ATTEMPTS + more, () => 1))).toEqual([2000, 4000, MAX_DELAY_MS]);
    expect(delayMs(0, () => 0, 5000)).toBe(5000);
  });

  it("waits and connects again where the server has no place: a browser says only that no connection was opened", async () => {
    for (const wait of [250, 500, 1000]) {
      last().cut();
      const before = sockets.length;
      await vi.advanceTimersByTimeAsync(wait - 1);
      expect(sockets).toHaveLength(before);
      await vi.advanceTimersByTimeAsync(1);
      expect(sockets).toHaveLength(before + 1);
    }
    expect(client.status).toBe("reconnecting");
    last().welcome();
    expect([client.status, client.closing]).toEqual(["online", null]);
  });

  it("gives up a line that carries nothing", async () => {
    last().welcome();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(last().sent.at(-1)).toMatchObject({ type: "get_players" });
    await vi.advanceTimersByTimeAsync(10_000 + FIRST_DELAY_MS);
    expect(sockets).toHaveLength(2);
    expect(sockets[0]?.isClosed).toBe(true);
  });

  it("stays when the line answers", async () => {
    last().welcome();
    for (let k = 0; k < 5; k += 1) {
      await vi.advanceTimersByTimeAsync(20_000);
      last().say({ type: "player_list", id: "probe", players: [] });
    }
    expect(sockets).toHaveLength(1);
  });

  it("drops a token that proves nothing any more, and comes back as a guest", async () => {
    last().welcome();
    last().say({ type: "closing", code: 1008, close_reason: "token_expired", text: "" });
    await vi.advanceTimersByTimeAsync(FIRST_DELAY_MS);
    last().onopen?.(undefined as never);
    expect(last().sent[0]).not.toHaveProperty("token");
    expect(client.closing?.close_reason).toBe("token_expired");
  });

  it("does not come back where that helps nobody", async () => {
    last().welcome();
    last().say({ type: "closing", code: 1002, close_reason: "unsupported_version", text: "" });
    await vi.advanceTimersByTimeAsync(60_000);
    expect([client.status, sockets.length]).toEqual(["stopped", 1]);
  });

  it("repeats a command that the server is too busy for", async () => {
    last().welcome();
    const answer = client.request({ type: "list_matches" });
    const id = last().sent.at(-1)?.["id"];
    last().say({ type: "refused", code: "busy", text: "", id, retry_after_ms: 100 });
    await vi.advanceTimersByTimeAsync(100);
    expect(last().sent.filter((one) => one["id"] === id)).toHaveLength(2);
    last().say({ type: "refused", code: "unknown_match", text: "", id });
    expect(await answer).toMatchObject({ code: "unknown_match" });
  });
});

describe("a match", () => {
  beforeEach(() => {
    last().welcome();
    last().say(watching(0, genesis(encode(HEADER))));
    last().say({ type: "records", match: "m1", records: [FIRST] });
  });

  it("is not frozen when a record is missing: the next connection brings it", async () => {
    last().say({ type: "records", match: "m1", records: [{ ...FIRST, seq: 3 }] });
    expect([client.streams.get("m1")?.fault, client.status, sockets[0]?.isClosed]).toEqual([
      null,
      "reconnecting",
      true,
    ]);
    await vi.advanceTimersByTimeAsync(FIRST_DELAY_MS);
    last().welcome();
    expect(last().sent[0]).toMatchObject({ resume: [{ match: "m1", after: 1 }] });
  });

  it("is frozen when earlier records were rewritten", () => {
    last().say(watching(1, "00".repeat(32)));
    expect(client.streams.get("m1")?.fault).toMatchObject({ code: "rewritten", seq: 0 });
    expect(client.status).toBe("online");
  });

  it("goes on from the hash that it has", () => {
    const hash = nextHash(genesis(encode(HEADER)), FIRST);
    last().say(watching(1, hash));
    expect(client.streams.get("m1")).toMatchObject({ fault: null, seq: 1, hash });
    expect(client.streams.get("m1")?.file()).toContain(hash);
  });
});

const LONG = [FIRST, ...[2, 3, 4, 5].map((seq) => ({ seq, salt: "11".repeat(16), body: { at_ms: seq } }))];

describe("the history of a match", () => {
  let waiting: Array<() => void>;
  let answers: Array<Record<string, unknown>>;
  const draw = () => waiting.splice(0).forEach((act) => act());
  const stream = () => client.streams.get("m1")!;

  function receive(records: ReadonlyArray<object>, more = {}): void {
    client.stop();
    waiting = [];
    client = new Client({
      url: "ws://x/ws",
      keeper,
      random: () => 1,
      runLater: (act) => void waiting.push(act),
      open: () => {
        const made = new FakeSocket();
        sockets.push(made);
        return made;
      },
    });
    client.start();
    last().welcome();
    answers = last().sent;
    last().say({ ...watching(0, genesis(encode(HEADER)), LONG.length), ...more });
    for (const record of records) last().say({ type: "records", match: "m1", records: [record] });
  }
  const hashes = () => {
    let hash = genesis(encode(HEADER));
    return LONG.map((record) => (hash = nextHash(hash, record)));
  };

  it("is checked once its last board has been drawn, and until then says that it is not", () => {
    receive(LONG);
    expect([stream().state?.at_ms, stream().isChecked]).toEqual([5, false]);
    draw();
    expect([stream().isChecked, stream().hash, stream().fault]).toEqual([true, hashes().at(-1), null]);
  });

  it.each([2, 5])("is frozen at the record before a wrong one, the record %i", (seq) => {
    receive(LONG.map((record) => (record.seq === seq ? { ...record, hash: "ee".repeat(32) } : record)));
    expect(stream().fault).toBeNull();
    draw();
    expect(stream().fault).toMatchObject({ code: "wrong_hash", seq });
    expect([stream().seq, stream().state?.at_ms, stream().isChecked]).toEqual([seq - 1, seq - 1, true]);
    expect(stream().file().trim().split("\n")).toHaveLength(seq);
  });

  const wrong = (seq: number, more = {}) =>
    LONG.map((record) => (record.seq === seq ? { ...record, hash: "ee".repeat(32), ...more } : record));

  it("is frozen by whoever saves it first, and what is saved are the records that are right", () => {
    receive(wrong(2));
    expect(stream().file().trim().split("\n")).toHaveLength(2);
    expect([stream().fault?.code, stream().seq]).toEqual(["wrong_hash", 1]);
  });

  it("takes no answer to a board that was a wrong one, but lets a player leave", async () => {
    receive(wrong(2));
    expect(await client.act("m1", "5.0", { type: "ready" } as never)).toMatchObject({ code: "stale_decision" });
    expect(answers.filter(({ type }) => type === "act")).toEqual([]);
    expect(stream().fault).toMatchObject({ code: "wrong_hash", seq: 2 });
    void client.act("m1", undefined, { type: "resign" } as never);
    expect(answers.at(-1)).toMatchObject({ type: "act" });
  });

  it("ends the secrets of a seat once it has been checked, and not before", () => {
    const result = { reason: "points", winners: [0] };
    const ended = (of: ReadonlyArray<{ readonly seq: number; readonly body: object }>) =>
      of.map((record) => (record.seq === 5 ? { ...record, body: { at_ms: 5, result } } : record));
    for (const [records, isKept] of [
      [ended(LONG), false],
      [ended(wrong(2)), true],
    ] as const) {
      client.secretsOf("m1").freshHead();
      expect(keeper.getItem("diskwars.seat.m1")).not.toBeNull();
      receive(records, { seat: 0 });
      expect(keeper.getItem("diskwars.seat.m1")).not.toBeNull();
      draw();
      expect(keeper.getItem("diskwars.seat.m1") !== null).toBe(isKept);
    }
  });

  it("is kept up to another contradiction, and has nothing left to check then", () => {
    receive(LONG.map((record) => (record.seq === 4 ? { ...record, body: { at_ms: 4, taken_back_to: 9 } } : record)));
    expect([stream().fault?.code, stream().isChecked]).toEqual(["wrong_takeback", true]);
    expect(stream().file().trim().split("\n")).toHaveLength(5);
    receive(
      wrong(2).map((record) => (record.seq === 4 ? { ...record, body: { at_ms: 4, taken_back_to: 9 } } : record)),
    );
    expect(stream().fault).toMatchObject({ code: "wrong_hash", seq: 2 });
  });

  it("forgets at a wrong record whatever follows of it: a seat, a takeback, how far the match has come", () => {
    const seat = (chain_head: string) => ({ type: "seat_taken", seat: 0, player: "p1", loadout: {}, chain_head });
    const vacated = { type: "seat_vacated", seat: 0, player: "p1", record: 3 };
    const [first, second] = ["aa".repeat(16), "bb".repeat(16)];
    const bodies = [
      { at_ms: 2, events: [seat(first)] },
      { at_ms: 3, events: [vacated] },
      { at_ms: 4, events: [seat(second)] },
      { at_ms: 5, taken_back_to: 3 },
    ];
    const seated = LONG.map((record, place) => (place ? { ...record, body: bodies[place - 1]! } : record));
    const of = (wrongSeq: number) => {
      receive(
        seated.map((record) => (record.seq === wrongSeq ? { ...record, hash: "ee".repeat(32) } : record)),
        { seat: 0 },
      );
      draw();
      return [stream().fault?.code, stream().seq, stream().head, stream().seat, stream().chainHead];
    };
    expect(of(5)).toEqual(["wrong_hash", 4, 4, 0, second]);
    expect(of(4)).toEqual(["wrong_hash", 3, 3, null, null]);
    expect(of(3)).toEqual(["wrong_hash", 2, 2, 0, first]);
    expect(of(2)).toEqual(["wrong_hash", 1, 1, null, null]);
  });

  it("is checked before an answer to it is sent, before it is saved, and before what follows it", () => {
    receive(LONG);
    void client.act("m1", "5.0", { type: "ready" } as never);
    expect(stream().isChecked).toBe(true);
    expect(answers.at(-1)).toMatchObject({ type: "act" });
    receive(LONG);
    expect(stream().file()).toContain(hashes().at(-1));
    receive(LONG);
    last().say({ type: "records", match: "m1", records: [{ seq: 6, salt: "22".repeat(16), body: { at_ms: 6 } }] });
    expect([stream().isChecked, stream().seq]).toEqual([true, 6]);
    draw();
    expect(stream().fault).toBeNull();
  });
});

const chain = (head: string) => ({ head, new_head: null, new_from: null, superseded: 0 });

describe("secrets of a seat", () => {
  it("are the same after a reload", () => {
    const first = new SeatSecrets("m1", keeper);
    const head = first.freshHead();
    const again = new SeatSecrets("m1", keeper);
    expect(again.controls(chain(head))).toBe(true);
    expect(again.nonceAfter(head)).toMatch(/^[0-9a-f]{32}$/);
    expect(again.nonceAfter(head)).toBe(first.nonceAfter(head));
    expect(again.nonceAfter("ff".repeat(16))).toBe("");
  });

  it("expose a server that records another card or nonce", () => {
    const secrets = new SeatSecrets("m1", keeper);
    const own = chain(secrets.freshHead());
    secrets.saltFor(1, 0, "feint");
    const locked = {
      type: "card_locked",
      seat: 0,
      step: 1,
      commitment: "00".repeat(32),
      card: "feint",
      salt: "",
    } as const;
    expect(() => secrets.check(0, { at_ms: 1, events: [locked] }, own)).toThrow(Contradiction);
    const began = { type: "step_began", step: 1, server_link: "", seat_nonces: ["ee".repeat(16), ""] } as const;
    expect(() => secrets.check(0, { at_ms: 1, events: [began] }, own)).toThrow(Contradiction);
    expect(() => secrets.check(0, { at_ms: 1, events: [{ ...began, missing: [0] }] }, own)).not.toThrow();
  });
  it("know their nonces by what these open, without computing the whole chain", () => {
    const first = new SeatSecrets("m1", keeper);
    const head = first.freshHead();
    const nonces = [first.nonceAfter(head), first.nonceAfter(first.nonceAfter(head))];
    // The far end of another chain, beside the head of this one: nothing but the heads can be known.
    const kept = JSON.parse(keeper.kept.get("diskwars.seat.m1")!) as { farEnds: string[] };
    keeper.setItem("diskwars.seat.m1", JSON.stringify({ ...kept, farEnds: ["00".repeat(16)] }));
    const again = new SeatSecrets("m1", keeper);
    const began = (nonce: string) =>
      ({ at_ms: 1, events: [{ type: "step_began", step: 1, server_link: "", seat_nonces: [nonce, ""] }] }) as const;
    expect(() => again.check(0, began(nonces[0]!), chain(head))).not.toThrow();
    expect(() => again.check(0, began("ee".repeat(16)), chain(nonces[0]!))).toThrow(Contradiction);
    expect(() => again.check(0, began(nonces[1]!), chain(nonces[0]!))).not.toThrow();
    expect(again.controls(chain(nonces[1]!))).toBe(true);
  });

  it("are read as an earlier version of the page kept them, without heads", () => {
    const head = new SeatSecrets("m1", keeper).freshHead();
    const { heads, ...kept } = JSON.parse(keeper.kept.get("diskwars.seat.m1")!) as { heads: string[] };
    expect(heads).toEqual([head]);
    keeper.setItem("diskwars.seat.m1", JSON.stringify(kept));
    expect(new SeatSecrets("m1", keeper).controls(chain(head))).toBe(true);
  });

  it("are kept by a server that went on while the player was away", () => {
    const secrets = new SeatSecrets("m1", keeper);
    const own = chain(secrets.freshHead());
    const first = secrets.nonceAfter(own.head);
    const second = secrets.nonceAfter(first);
    const began = (step: number, nonce: string) =>
      ({
        at_ms: step,
        events: [{ type: "step_began", step, server_link: "", seat_nonces: [nonce, ""], missing: [1] }],
      }) as const;
    expect(() => secrets.check(0, began(1, first), own)).not.toThrow();
    // Locked, cut off; the house locks for the other seat, which begins the step; then the next lock.
    const byHouse = {
      at_ms: 2,
      actor: "house",
      seat: 1,
      events: [{ type: "card_locked", seat: 1, step: 2, commitment: "00".repeat(32), card: "feint", salt: "" }],
    } as const;
    expect(() => secrets.check(0, byHouse, own)).not.toThrow();
    expect(() => secrets.check(0, began(2, second), own)).not.toThrow();
    expect(() => secrets.check(0, began(3, secrets.nonceAfter(second)), own)).not.toThrow();
  });
});
