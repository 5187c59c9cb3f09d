// Two tabs of one browser: they share what is kept, and each forgets only the token that it used itself.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { Client, TOKEN_KEY, type SocketLike } from "../../src/client/client";
import { SEAT_PREFIX, type Keeper } from "../../src/client/keeper";
import { SeatSecrets } from "../../src/client/secrets";
import { encode } from "../../src/client/records/canonical.js";
import { genesis } from "../../src/client/records/records.js";

const RECONNECT_MS = 60_000;
type Message = Record<string, unknown>;

const kept = new Map<string, string>();
const keeper: Keeper = {
  getItem: (key) => kept.get(key) ?? null,
  setItem: (key, value) => void kept.set(key, value),
  removeItem: (key) => void kept.delete(key),
};

/** A tab: its client, and the messages of each of its connections. */
class Tab {
  readonly connections: Message[][] = [];
  private socket!: SocketLike;
  readonly client = new Client({
    url: "ws://x/ws",
    keeper,
    random: () => 1,
    open: () => {
      const sent: Message[] = [];
      this.connections.push(sent);
      this.socket = {
        onopen: null,
        onmessage: null,
        onclose: null,
        onerror: null,
        send: (text) => void sent.push(JSON.parse(text) as Message),
        close: () => undefined,
      };
      return this.socket;
    },
  });

  get sent(): Message[] {
    return this.connections.at(-1) as Message[];
  }
  /** The token of the newest hello. */
  get hello(): unknown {
    return this.sent[0]?.["token"];
  }
  start(): this {
    this.client.start();
    return this.open();
  }
  open(): this {
    this.socket.onopen?.(undefined as never);
    return this;
  }
  say(message: Message): this {
    this.socket.onmessage?.({ data: JSON.stringify(message) });
    return this;
  }
  welcome(player: string, token: string): this {
    return this.say({ type: "welcome", version: 1, player, token, server_time_ms: 0, rulesets: [], limits: {} });
  }
  close(reason: string): this {
    return this.say({ type: "closing", code: 4000, close_reason: reason, text: "" });
  }
  /** Let the delay before the next connection pass. */
  reconnect(): this {
    const before = this.connections.length;
    for (let waited = 0; this.connections.length === before && waited < RECONNECT_MS; waited += 50)
      vi.advanceTimersByTime(50);
    return this.open();
  }
}

let tabs: Tab[];
const openTab = (): Tab => {
  const tab = new Tab().start();
  tabs.push(tab);
  return tab;
};
beforeEach(() => {
  vi.useFakeTimers();
  kept.clear();
  tabs = [];
});
afterEach(() => {
  for (const { client } of tabs) client.stop();
  vi.useRealTimers();
});

describe("a tab whose token is refused", () => {
  it.each(["token_revoked", "token_expired", "token_bad"])("takes up what another tab has stored: %s", (reason) => {
    const tab = openTab().welcome("p1", "guest");
    kept.set(TOKEN_KEY, "account");
    tab.close(reason).reconnect();
    expect(kept.get(TOKEN_KEY)).toBe("account");
    expect(tab.hello).toBe("account");
  });
  it("takes up what another tab stores only after the closing", () => {
    const tab = openTab().welcome("p1", "guest").close("token_revoked");
    kept.set(TOKEN_KEY, "account");
    tab.reconnect();
    expect(kept.get(TOKEN_KEY)).toBe("account");
    expect(tab.hello).toBe("account");
  });
  it("forgets its own and is a new guest where there is no other", () => {
    const tab = openTab().welcome("p1", "guest").close("token_revoked").reconnect();
    expect(tab.hello).toBeUndefined();
    expect(kept.has(TOKEN_KEY)).toBe(false);
    tab.welcome("p2", "second guest");
    expect(kept.get(TOKEN_KEY)).toBe("second guest");
  });
  it("is the same new guest as the other tab of which the server said the same", () => {
    const [first, second] = [openTab().welcome("p1", "device"), openTab().welcome("p1", "device")];
    for (const tab of [first, second]) tab.close("token_expired").reconnect();
    first.welcome("p2", "guest of the first");
    second.welcome("p3", "guest of the second").open();
    expect(second.hello).toBe("guest of the first");
    expect(kept.get(TOKEN_KEY)).toBe("guest of the first");
    expect(first.client.player).toBe("p2");
  });
});

describe("two tabs", () => {
  it("are one guest when both were opened for the first time", () => {
    const [first, second] = [openTab(), openTab()];
    first.welcome("p1", "first");
    second.welcome("p2", "second").open();
    expect(second.hello).toBe("first");
    expect(second.client.player).toBe("");
    expect(kept.get(TOKEN_KEY)).toBe("first");
  });
  it("keep the first token of a guest, to whom the server gives another each time", () => {
    const first = openTab().welcome("p1", "first");
    openTab().welcome("p1", "second");
    expect(kept.get(TOKEN_KEY)).toBe("first");
    first.client.followToken();
    expect(first.connections).toHaveLength(1);
  });
  it("log out only whom they show", () => {
    const [first, second] = [openTab().welcome("p1", "device"), openTab()];
    second.welcome("p1", "device");
    kept.set(TOKEN_KEY, "other device");
    first.client.forgetToken();
    expect(kept.get(TOKEN_KEY)).toBe("other device");
    second.client.forgetToken();
    expect(kept.get(TOKEN_KEY)).toBe("other device");
    openTab().client.forgetToken();
    expect(kept.has(TOKEN_KEY)).toBe(false);
  });
});

describe("a tab that follows another", () => {
  const header = { type: "diskwars-match", format: 1, match: "m1", ruleset: "diskwars" };
  const watching = {
    type: "watching",
    match: "m1",
    ruleset: "diskwars",
    head: 0,
    after: 0,
    header,
    hash: genesis(encode(header)),
  };
  const watch = (tab: Tab) => {
    void tab.client.watch("m1");
    tab.say({ ...watching, seat: 0, id: tab.sent.at(-1)?.["id"] });
  };

  it("connects at once with the token that the other has stored", () => {
    const tab = openTab().welcome("p1", "guest");
    kept.set(TOKEN_KEY, "account");
    tab.client.followToken();
    tab.open().welcome("p2", "account");
    expect([tab.hello, tab.client.player, tab.client.status]).toEqual(["account", "p2", "online"]);
  });
  it("keeps what it watches as the same player", () => {
    const tab = openTab().welcome("p1", "guest");
    watch(tab);
    kept.set(TOKEN_KEY, "account");
    tab.client.followToken();
    tab
      .open()
      .welcome("p1", "account")
      .say({ ...watching, seat: 0 });
    expect(tab.client.streams.get("m1")?.seat).toBe(0);
  });
  it("keeps no seat and no secret view of the former player", () => {
    const tab = openTab().welcome("p1", "guest");
    watch(tab);
    kept.set(TOKEN_KEY, "account");
    tab.client.followToken();
    void tab.client.watch("m1");
    tab.open().welcome("p2", "account");
    expect(tab.client.streams.size).toBe(0);
    expect(tab.sent.map(({ type }) => type)).toEqual(["hello", "watch"]);
    tab.say({ ...watching, after: 3, head: 3 });
    expect(tab.client.streams.size).toBe(0);
    tab.say({ ...watching, id: tab.sent.at(-1)?.["id"] });
    expect(tab.client.streams.get("m1")?.seat).toBeNull();
  });
  it("does so after a ban too, and stays away without another token", () => {
    const tab = openTab().welcome("p1", "device").close("banned");
    tab.client.followToken();
    expect([tab.client.status, tab.connections.length]).toEqual(["stopped", 1]);
    kept.set(TOKEN_KEY, "other");
    tab.client.followToken();
    tab.open();
    expect(tab.hello).toBe("other");
  });
  it("leaves a connection alone whose token was only removed", () => {
    const tab = openTab().welcome("p1", "device");
    kept.delete(TOKEN_KEY);
    tab.client.followToken();
    expect([tab.client.status, tab.connections.length]).toEqual(["online", 1]);
  });
});

describe("secrets of a seat", () => {
  it("give the nonces of a chain that another tab has made since", () => {
    const [first, second] = [new SeatSecrets("m1", keeper), new SeatSecrets("m1", keeper)];
    const head = first.freshHead();
    expect(second.nonceAfter(head)).toBe(first.nonceAfter(head));
    expect(second.nonceAfter(head)).not.toBe("");
  });
  it("lose with a seat only its own chain", () => {
    const secrets = new SeatSecrets("m1", keeper);
    const [left, taken] = [secrets.freshHead(), secrets.freshHead()];
    secrets.forgetChain(left);
    expect([left, taken].map((head) => new SeatSecrets("m1", keeper).owns(head))).toEqual([false, true]);
    secrets.forgetChain(taken);
    expect(kept.has(`${SEAT_PREFIX}m1`)).toBe(false);
  });
});
