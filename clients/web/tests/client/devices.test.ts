// Two devices of one player: who is in control, how the other one takes over, and what each can still judge.

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { Client, type SocketLike } from "../../src/client/client";
import type { Keeper } from "../../src/client/keeper";
import { SeatSecrets } from "../../src/client/secrets";
import { encode } from "../../src/client/records/canonical.js";
import { ZERO_NONCE, cardCommitment } from "../../src/client/records/dice.js";
import { genesis } from "../../src/client/records/records.js";

const HEADER = { type: "diskwars-match", format: 1, match: "m1", ruleset: "diskwars" };
const OPENED = {
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
};
const MATCH = "m1";
const STARTED = {
  type: "match_started",
  settings: {},
  field: {},
  battle_die: [],
  profiles: [],
  cards: [],
  zones: [],
  rounds: 1,
  disks: [],
  armies: [{}, {}],
};
type Body = Record<string, unknown>;

function memory(): Keeper {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

/** A server that takes every action of one seat, and tells all devices of its player. */
class OneSeatServer {
  readonly bodies: Body[] = [{ at_ms: 1, events: [OPENED], decisions: [] }];
  readonly devices: Device[] = [];
  step = 1;
  isHonest = true;
  record(body: Body): number {
    this.bodies.push({ at_ms: this.bodies.length + 1, ...body });
    const seq = this.bodies.length;
    for (const device of this.devices)
      device.say({ type: "records", match: MATCH, records: [record(seq, this.bodies[seq - 1] as Body)] });
    return seq;
  }
  take(action: Body): number {
    const acted = { seat: 0, action };
    if (action["type"] === "take_seat")
      return this.record({
        ...acted,
        events: [
          {
            type: "seat_taken",
            seat: 0,
            player: "p1",
            chain_head: this.isHonest ? action["chain_head"] : "cd".repeat(16),
            loadout: {},
          },
        ],
      });
    if (action["type"] === "replace_chain")
      return this.record({
        ...acted,
        events: [{ type: "chain_replaced", seat: 0, chain_head: action["chain_head"], from_step: this.step + 1 }],
      });
    const [card, salt] = [String(action["card"]), String(action["salt"])];
    const commitment = this.isHonest ? cardCommitment(MATCH, this.step, 0, card, salt) : "00".repeat(32);
    return this.record({
      ...acted,
      events: [
        { type: "card_locked", seat: 0, step: this.step, commitment, card, salt },
        { type: "seat_nonce_opened", seat: 0, seat_nonce: action["seat_nonce"] },
      ],
    });
  }
  beginStep(nonce: string): void {
    const missing = nonce === "" ? { missing: [0] } : {};
    this.record({
      seat: 1,
      events: [
        {
          type: "step_began",
          step: this.step,
          server_link: "",
          seat_nonces: [nonce || ZERO_NONCE, ZERO_NONCE],
          ...missing,
        },
      ],
    });
    this.step += 1;
  }
}

const record = (seq: number, body: Body) => ({ seq, salt: "00".repeat(16), body });

class Device {
  readonly sent: Body[] = [];
  readonly client: Client;
  private readonly socket: SocketLike;
  constructor(
    private readonly server: OneSeatServer,
    keeper: Keeper = memory(),
  ) {
    this.socket = {
      onopen: null,
      onmessage: null,
      onclose: null,
      onerror: null,
      send: (text) => this.receive(JSON.parse(text) as Body),
      close: () => undefined,
    };
    this.client = new Client({ url: "ws://x/ws", keeper, open: () => this.socket });
    this.client.start();
    this.socket.onopen?.(undefined as never);
    this.say({
      type: "welcome",
      version: 1,
      player: "p1",
      token: "device_x",
      server_time_ms: 1,
      rulesets: [],
      limits: {},
    });
    const taken = server.bodies.some(({ seat }) => seat === 0);
    this.say({
      type: "watching",
      match: MATCH,
      ruleset: "diskwars",
      after: 0,
      head: server.bodies.length,
      header: HEADER,
      hash: genesis(encode(HEADER)),
      ...(taken ? { seat: 0 } : {}),
    });
    this.say({ type: "records", match: MATCH, records: server.bodies.map((body, place) => record(place + 1, body)) });
    server.devices.push(this);
  }
  say(message: unknown): void {
    this.socket.onmessage?.({ data: JSON.stringify(message) });
  }
  private receive(message: Body): void {
    if (message["type"] !== "act") return;
    this.sent.push(message);
    const seq = this.server.take(message["action"] as Body);
    this.say({ type: "accepted", id: message["id"], match: MATCH, seq });
  }
  get fault(): string | null | undefined {
    const stream = this.client.streams.get(MATCH);
    return stream && (stream.fault?.code ?? null);
  }
  get isElsewhere(): boolean {
    return this.client.isElsewhere(MATCH);
  }
  lock(card: string): Promise<unknown> {
    return this.client.act(MATCH, "1.0", { type: "lock_card", card, salt: "" });
  }
}

let server: OneSeatServer;
let laptop: Device;
let phone: Device;

beforeEach(async () => {
  server = new OneSeatServer();
  laptop = new Device(server);
  await laptop.client.act(MATCH, "1.0", { type: "take_seat", chain_head: "", loadout: {} });
  server.record({
    seat: 1,
    events: [{ type: "seat_taken", seat: 1, player: "p2", chain_head: "ee".repeat(16), loadout: {} }, STARTED],
  });
  phone = new Device(server);
});
afterEach(() => {
  for (const device of server.devices) device.client.stop();
});
const places = () => [laptop.isElsewhere, phone.isElsewhere];
const faults = () => [laptop.fault, phone.fault];
const nonceOf = (device: Device) => (device.sent.at(-1)?.["action"] as Body)["seat_nonce"] as string;

describe("two devices of one player", () => {
  it("follow the match, and the one that took the seat is in control", () => {
    expect(faults()).toEqual([null, null]);
    expect(places()).toEqual([false, true]);
  });

  it("hand control over in one step, there and back within one step of the dice", async () => {
    await phone.client.takeControl(MATCH);
    expect(places()).toEqual([true, false]);
    await laptop.client.takeControl(MATCH);
    expect(places()).toEqual([false, true]);
    expect(faults()).toEqual([null, null]);
    expect(laptop.client.streams.get(MATCH)?.state?.seats[0]?.chain).toMatchObject({ superseded: 1, new_from: 2 });
  });

  it("lock cards in turn, and nobody's match freezes", async () => {
    await laptop.lock("feint");
    server.beginStep(nonceOf(laptop));
    await phone.client.takeControl(MATCH);
    await phone.lock("press-on");
    expect(nonceOf(phone)).toBe(""); // its chain counts from the next step but one
    server.beginStep("");
    await phone.lock("feint");
    expect(nonceOf(phone)).toMatch(/^[0-9a-f]{32}$/);
    server.beginStep(nonceOf(phone));
    await laptop.client.takeControl(MATCH);
    await laptop.lock("onslaught");
    expect(faults()).toEqual([null, null]);
    expect(places()).toEqual([false, true]);
  });

  it("say with each secret which chain they know, so that the server can refuse the one that was ousted", async () => {
    const chain = () => laptop.client.streams.get(MATCH)?.state?.seats[0]?.chain;
    await laptop.lock("feint");
    expect(laptop.sent.at(-1)?.["chain_head"]).toBe(chain()?.head);
    await phone.client.takeControl(MATCH);
    await phone.lock("press-on");
    expect(phone.sent.at(-1)?.["chain_head"]).toBe(chain()?.new_head);
    await laptop.lock("feint");
    expect(laptop.sent.at(-1)?.["chain_head"]).toBe(ZERO_NONCE);
  });

  it("have no part in a match that is over, or whose seat was given up", () => {
    server.record({ seat: 0, action: { type: "resign" }, events: [{ type: "seat_resigned", seat: 0 }] });
    expect(places()).toEqual([false, false]);
  });

  it("are one device where they are two tabs of one browser", async () => {
    const keeper = memory();
    const [one, other] = [new Device(server, keeper), new Device(server, keeper)];
    await one.client.takeControl(MATCH);
    expect([one.isElsewhere, other.isElsewhere]).toEqual([false, false]);
    await one.lock("feint");
    expect([one.fault, other.fault]).toEqual([null, null]);
  });
});

describe("the device that gave a secret", () => {
  beforeEach(() => void (server.isHonest = false));

  it("notices another card than it locked, and the other device goes on", async () => {
    await laptop.lock("feint");
    expect(laptop.fault).toBe("locked_card");
    expect(phone.fault).toBeNull();
  });

  it("notices another chain than it took a seat with", async () => {
    const fresh = new OneSeatServer();
    fresh.isHonest = false;
    const device = new Device(fresh);
    await device.client.act(MATCH, "1.0", { type: "take_seat", chain_head: "", loadout: {} });
    expect(device.fault).toBe("chain_head");
    device.client.stop();
  });

  it("notices a swap after it was ousted, too, when the server says that its own lock was accepted", async () => {
    server.isHonest = true;
    await phone.client.takeControl(MATCH);
    server.isHonest = false;
    await laptop.lock("feint");
    expect(laptop.fault).toBe("locked_card");
  });

  it("notices that another card is revealed than was locked", async () => {
    server.isHonest = true;
    await laptop.lock("feint");
    server.record({
      seat: 1,
      events: [
        { type: "cards_revealed", step: 1, cards: [{ seat: 0, card: "press-on", salt: "11".repeat(16) }], reasons: [] },
      ],
    });
    expect(laptop.fault).toBe("revealed_card");
    expect(phone.fault).toBeNull();
  });
});

describe("secrets of an earlier version of the page", () => {
  it("are read", () => {
    const keeper = memory();
    const head = new SeatSecrets(MATCH, keeper).freshHead();
    const { farEnds } = JSON.parse(keeper.getItem("diskwars.seat.m1") ?? "") as { farEnds: string[] };
    keeper.setItem("diskwars.seat.m1", JSON.stringify({ farEnd: farEnds[0], commitments: ["00"], atMs: 1 }));
    expect(new SeatSecrets(MATCH, keeper).owns(head)).toBe(true);
  });
});
