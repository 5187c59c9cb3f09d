// A player of the SDK over a socket in memory: whose token it is, what is followed, and what ends.

import { describe, expect, it } from "vitest";

import { TOKEN_KEY, type SocketLike } from "../../src/client/client";
import { connect, memoryKeeper, type Player } from "../../src/sdk/player";

type Message = Record<string, unknown>;

/** A server with one connection: it answers each message by what the test says. */
function serve(answer: (message: Message) => ReadonlyArray<Message>) {
  const hellos: Message[] = [];
  const open = (): SocketLike => {
    const socket: SocketLike = {
      onopen: null,
      onmessage: null,
      onclose: null,
      onerror: null,
      send(text) {
        const message = JSON.parse(text) as Message;
        if (message["type"] === "hello") hellos.push(message);
        for (const said of answer(message))
          queueMicrotask(() => socket.onmessage?.({ data: JSON.stringify({ id: message["id"], ...said }) }));
      },
      close: () => undefined,
    };
    queueMicrotask(() => socket.onopen?.(undefined as never));
    return socket;
  };
  return { hellos, open };
}
const welcome = { id: undefined, type: "welcome", version: 1, player: "p1", token: "t1", server_time_ms: 0 };
const greeting: Message = { ...welcome, rulesets: [], limits: {} };
const refusedToken: Message = { id: undefined, type: "closing", code: 4000, close_reason: "token_revoked", text: "no" };

async function connected(answer: (message: Message) => ReadonlyArray<Message> = () => []): Promise<Player> {
  const { open } = serve((message) => (message["type"] === "hello" ? [greeting] : answer(message)));
  return connect("ws://x/ws", { open });
}

describe("the token that a program gives", () => {
  it("ends the connection where the server refuses it, and makes no guest", async () => {
    const keeper = memoryKeeper();
    keeper.setItem(TOKEN_KEY, "kept");
    const { hellos, open } = serve(() => [refusedToken]);
    await expect(connect("ws://x/ws", { open, keeper, token: "given" })).rejects.toMatchObject({
      code: "token_revoked",
    });
    expect(hellos.map(({ token }) => token)).toEqual(["given"]);
    expect(keeper.getItem(TOKEN_KEY)).toBe("kept");
  });

  it("is kept once the server has taken it", async () => {
    const keeper = memoryKeeper();
    const { open } = serve(() => [greeting]);
    const player = await connect("ws://x/ws", { open, keeper, token: "given" });
    player.close();
    expect([keeper.getItem(TOKEN_KEY), player.token]).toEqual(["given", "given"]);
  });
});

describe("a match that is followed", () => {
  const watching = (message: Message): Message[] => [
    { type: "refused", code: "unknown_match", text: "", match: message["match"] },
  ];

  it("is no longer waited for once the connection is over", async () => {
    const player = await connected();
    player.client.streams.set("m1", { fault: null } as never);
    player.close();
    await player.unwatch("m1");
    expect(player.client.streams.size).toBe(0);
    await expect(player.watch("m1")).rejects.toMatchObject({ code: "stopped" });
  });

  it("is asked for again where what is known of it is gone", async () => {
    const asked: unknown[] = [];
    const player = await connected((message) => {
      asked.push(message["type"]);
      return watching(message);
    });
    const ready = { fault: null, hasCaughtUp: true, state: {} };
    player.client.streams.set("m1", ready as never);
    const client = player.client as { watch: (match: string) => Promise<unknown> };
    const real = client.watch.bind(client);
    client.watch = () => Promise.resolve({ type: "watching" });
    const first = await player.watch("m1");
    client.watch = real;
    expect(await player.watch("m1")).toBe(first);
    expect(asked).toEqual([]);
    player.client.streams.delete("m1");
    await expect(player.watch("m1")).rejects.toMatchObject({ code: "unknown_match" });
    expect(asked).toEqual(["watch"]);
    player.close();
  });
});
