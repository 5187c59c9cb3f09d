// The connection vectors that Python's client is tested with too: what is sent, taken and refused, over a socket in memory.

import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { FIRST_DELAY_MS } from "../../src/client/backoff";
import { Client, TOKEN_KEY, type Action, type SocketLike } from "../../src/client/client";
import { Contradiction } from "../../src/client/contradiction";
import type { ServerMessage } from "../../src/protocol/types";

type Message = Record<string, unknown>;
interface Step {
  readonly does?: {
    readonly watch?: string;
    readonly act?: { readonly match: string; readonly decision: string; readonly action: Action };
  };
  readonly sends?: Message;
  readonly receives?: Message;
  readonly closes?: string;
  readonly freezes?: string;
  readonly cut?: true;
  readonly state?: { readonly match: string; readonly seq: number; readonly hash: string };
}
interface Vectors {
  readonly conversations: ReadonlyArray<{ readonly name: string; readonly steps: ReadonlyArray<Step> }>;
  readonly closings: ReadonlyArray<{
    readonly closing: Message;
    readonly then: "renew" | "resume" | "stop";
    readonly wait_ms?: number;
  }>;
  readonly refusals: ReadonlyArray<{
    readonly refused: Message;
    readonly then: "answer" | "repeat";
    readonly wait_ms?: number;
  }>;
}
const vectors = JSON.parse(
  readFileSync(new URL("../../../../tests/vectors/connection.json", import.meta.url), "utf8"),
) as Vectors;
const MINUTE_MS = 60_000;
const welcome = vectors.conversations[0]?.steps.find(({ receives }) => receives)?.receives;

class MemorySocket implements SocketLike {
  onopen: SocketLike["onopen"] = null;
  onmessage: SocketLike["onmessage"] = null;
  onclose: SocketLike["onclose"] = null;
  onerror: SocketLike["onerror"] = null;
  closed: readonly [code: number | undefined, reason: string | undefined] | null = null;

  constructor(private readonly sent: Message[]) {}

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Message);
  }
  close(code?: number, reason?: string): void {
    this.closed = [code, reason];
  }
}

/** A client, its sockets, and everything that it has sent. */
class Led {
  readonly sockets: MemorySocket[] = [];
  readonly sent: Message[] = [];
  readonly answers: ServerMessage[] = [];
  private readonly ids: unknown[] = [];
  private readonly kept = new Map<string, string>();
  private seen = 0;
  readonly client = new Client({
    url: "ws://x/ws",
    keeper: {
      getItem: (key) => this.kept.get(key) ?? null,
      setItem: (key, value) => void this.kept.set(key, value),
      removeItem: (key) => void this.kept.delete(key),
    },
    open: () => {
      const socket = new MemorySocket(this.sent);
      this.sockets.push(socket);
      return socket;
    },
  });

  start(): void {
    this.client.start();
    this.open();
  }
  get socket(): MemorySocket {
    return this.sockets.at(-1) as MemorySocket;
  }
  get token(): string | undefined {
    return this.kept.get(TOKEN_KEY);
  }
  open(): void {
    this.socket.onopen?.(undefined as never);
  }
  receive(message: Message): void {
    this.socket.onmessage?.({ data: JSON.stringify(this.named(message)) });
  }

  async take(step: Step): Promise<void> {
    if (step.does) this.ask(step.does);
    else if (step.sends) expect(this.sent[this.seen++]).toMatchObject(this.named(step.sends));
    else if (step.cut) await this.lose();
    else if (step.state)
      expect(this.client.streams.get(step.state.match)).toMatchObject({ seq: step.state.seq, hash: step.state.hash });
    else if (step.receives) await this.hear(step.receives, step);
  }

  private ask({ watch, act }: NonNullable<Step["does"]>): void {
    const asked = watch ? this.client.watch(watch) : act ? this.client.act(act.match, act.decision, act.action) : null;
    void asked?.then((answer) => this.answers.push(answer));
    this.ids.push(this.sent.at(-1)?.["id"]);
  }

  private async hear(message: Message, { closes, freezes }: Step): Promise<void> {
    const { socket } = this;
    this.receive(message);
    expect(this.client.streams.get("m1")?.fault ?? null).toEqual(freezes ? expect.any(Contradiction) : null);
    if (closes) expect(socket.closed?.[1]).toBe(closes);
    if (closes || message["type"] === "closing") await this.reconnect();
  }

  private async lose(): Promise<void> {
    this.socket.onclose?.(undefined as never);
    await this.reconnect();
  }
  private async reconnect(): Promise<void> {
    const before = this.sockets.length;
    await vi.advanceTimersByTimeAsync(2 * FIRST_DELAY_MS);
    expect(this.sockets).toHaveLength(before + 1);
    this.open();
  }

  /** A message with the ids of this client's requests. */
  private named(message: Message): Message {
    return Object.fromEntries(
      Object.entries(message).map(([name, value]) => [
        name,
        typeof value === "string" && value.startsWith("$") ? this.ids[Number(value.slice(1)) - 1] : value,
      ]),
    );
  }
}

let led: Led;
beforeEach(() => {
  vi.useFakeTimers();
  led = new Led();
  led.start();
});
afterEach(() => {
  led.client.stop();
  vi.useRealTimers();
});

describe("a conversation", () => {
  it.each(vectors.conversations)("$name", async ({ steps }) => {
    for (const step of steps) await led.take(step);
  });
});

describe("a closing", () => {
  it.each(vectors.closings)("$closing.close_reason, then $then", async ({ closing, then, wait_ms: wait = 0 }) => {
    led.receive(welcome as Message);
    const { token } = led;
    led.receive(closing);
    if (wait) {
      await vi.advanceTimersByTimeAsync(wait - 1);
      expect(led.sockets).toHaveLength(1);
    }
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(led.sockets.length > 1).toBe(then !== "stop");
    led.open(); // only the next hello forgets a token
    if (then === "stop") expect(led.client.status).toBe("stopped");
    else expect(led.token).toBe(then === "resume" ? token : undefined);
  });
});

describe("a refusal", () => {
  it.each(vectors.refusals)("$refused.code, then $then", async ({ refused, then, wait_ms: wait = 0 }) => {
    led.receive(welcome as Message);
    await led.take({ does: { watch: "m1" } });
    const id = led.sent.at(-1)?.["id"];
    const times = () => led.sent.filter((one) => one["id"] === id).length;
    led.receive(refused);
    if (wait) await vi.advanceTimersByTimeAsync(wait - 1);
    expect(times()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(times()).toBe(then === "repeat" ? 2 : 1);
    expect(led.answers).toHaveLength(then === "answer" ? 1 : 0);
  });
});

describe("a line that may be dead", () => {
  const isProbe = (message: Message) => message["id"] === "probe";
  const probes = () => led.sent.filter(isProbe).length;
  const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  beforeEach(() => led.receive(welcome as Message));

  it("is probed when the device wakes up, and given up within two seconds if nothing comes", async () => {
    led.client.checkLine();
    led.client.checkLine();
    expect(probes()).toBe(1);
    await advance(1_249);
    expect(led.sockets).toHaveLength(1);
    await advance(1 + FIRST_DELAY_MS);
    expect(led.sockets).toHaveLength(2);
    expect(led.sockets[0]?.closed).not.toBeNull();
  });

  it("is kept when the probe is answered", async () => {
    led.client.checkLine();
    led.receive({ type: "players", id: "probe", players: [] });
    await advance(19_999);
    expect([led.sockets.length, probes()]).toEqual([1, 1]);
  });

  it("is probed three seconds after a request that nothing follows, however many are sent meanwhile", async () => {
    void led.client.request({ type: "list_matches" } as never);
    await advance(2_000);
    void led.client.request({ type: "list_matches" } as never);
    await advance(999);
    expect(probes()).toBe(0);
    await advance(1);
    expect(probes()).toBe(1);
    await advance(4_999);
    expect(led.sockets).toHaveLength(1);
    await advance(1 + FIRST_DELAY_MS);
    expect(led.sockets).toHaveLength(2);
    led.open();
    led.receive(welcome as Message);
    expect(led.sent.filter(({ type }) => type === "list_matches")).toHaveLength(4);
  });

  it("is not probed for an answer that is late while something else arrives", async () => {
    void led.client.request({ type: "list_matches" } as never);
    await advance(2_999);
    led.receive({ type: "matches_changed" });
    await advance(10_000);
    expect(probes()).toBe(0);
  });

  it("takes up the connection at once that waits for its delay or for a network that is gone", async () => {
    led.socket.onclose?.(undefined as never);
    led.client.checkLine();
    expect(led.sockets).toHaveLength(2);
    led.client.checkLine();
    expect(led.sockets).toHaveLength(3);
    expect(led.sockets[1]?.closed).not.toBeNull();
    await advance(9_999);
    expect(led.sockets).toHaveLength(3);
  });

  it("waits no longer than at first once records have come, however short the lines were", async () => {
    const tries = () => led.client as unknown as { attempt: number };
    const conversation = vectors.conversations.find(({ steps }) =>
      steps.some(({ receives, freezes }) => receives?.["type"] === "records" && !freezes),
    );
    led = new Led();
    led.start();
    for (const step of conversation?.steps ?? []) {
      const isRecords = step.receives?.["type"] === "records";
      if (isRecords) tries().attempt = 7;
      await led.take(step);
      if (!isRecords) continue;
      expect(tries().attempt).toBe(0);
      return;
    }
    throw new Error("no vector has records");
  });
});
