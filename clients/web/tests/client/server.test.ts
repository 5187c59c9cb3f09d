// The client against a real server: the Python test that starts it names it in DISKWARS_URL.

import { describe, expect, it } from "vitest";
import WebSocket from "ws";

import { Client, type SocketLike } from "../../src/client/client";
import type { Keeper } from "../../src/client/secrets";
import { readFile } from "../../src/client/records/records.js";
import type { diskwars } from "../../src/protocol/types";

const url = process.env["DISKWARS_URL"];
const LOST_AFTER = 3;
const MAX_ANSWERS = 400;

function memory(): Keeper {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

async function until<Found>(look: () => Found | undefined | null | false): Promise<Found> {
  for (let turn = 0; turn < 1000; turn += 1) {
    const found = look();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("nothing happened within ten seconds");
}

function answerTo(options: diskwars.Options): diskwars.Action | undefined {
  const { actions = [], parametric = [] } = options;
  return actions.at(-1) ?? parametric[0]?.example;
}

describe.skipIf(!url)("a real server", () => {
  it("plays a round against a bot, loses its line, and ends with a whole match file", async () => {
    const sockets: WebSocket[] = [];
    const open = (to: string) => {
      const socket = new WebSocket(to, { perMessageDeflate: false });
      sockets.push(socket);
      // The browser's socket delivers texts, that of `ws` buffers.
      const adapter: SocketLike = {
        onopen: null,
        onmessage: null,
        onclose: null,
        onerror: null,
        send: (text) => socket.send(text),
        close: () => socket.close(),
      };
      socket.on("open", () => adapter.onopen?.(undefined as never));
      socket.on("message", (data) => adapter.onmessage?.({ data: data.toString() }));
      socket.on("close", () => adapter.onclose?.(undefined as never));
      socket.on("error", () => adapter.onerror?.(undefined as never));
      return adapter;
    };
    const client = new Client({ url: url as string, open, keeper: memory() });
    client.start();
    const opened = await client.request({
      type: "open_match",
      ruleset: "diskwars",
      seat_count: 2,
      settings: { setup: "quick", regiments: 1 },
      push_options: true,
      push_openings: true,
    });
    if (opened.type !== "opened") throw new Error(JSON.stringify(opened));
    const { match } = opened;
    await until(() => client.streams.get(match)?.state);
    const seat = client.streams.get(match)?.state?.decisions[0];
    expect(
      (await client.act(match, seat?.id, { type: "take_seat", chain_head: "", loadout: { army: "empire-patrol" } }))
        .type,
    ).toBe("accepted");
    const bot = { type: "seat_bot", match, bot: "greedy", loadout: { army: "chaos-patrol" } } as const;
    expect((await client.request(bot)).type).toBe("accepted");

    const stream = () => client.streams.get(match) ?? null;
    for (let answers = 0; answers < MAX_ANSWERS && (stream()?.state?.board?.round ?? 0) < 2; answers += 1) {
      const open = await until(() => stream()?.state?.decisions.find((one) => one.seat === stream()?.seat));
      if (answers === LOST_AFTER) sockets.at(-1)?.terminate();
      const action =
        open.question.type === "ready"
          ? ({ type: "ready" } as const)
          : answerTo(await until(() => stream()?.options.get(open.id)));
      if (!action) throw new Error(`nothing to answer ${open.question.type} with`);
      const answer = await client.act(match, open.id, action);
      expect(answer.type, JSON.stringify(answer)).toBe("accepted");
    }
    expect(sockets.length).toBeGreaterThan(1);
    expect((await client.act(match, undefined, { type: "resign" })).type).toBe("accepted");
    await until(() => stream()?.isOpened);
    expect(stream()?.fault).toBeNull();
    const file = readFile(new TextEncoder().encode(stream()?.file() ?? ""));
    expect([file.isEnded, file.head]).toEqual([true, stream()?.hash]);
    expect(stream()?.state?.result?.end_reason).toBe("resignation");
    client.stop();
  }, 40_000);
});
