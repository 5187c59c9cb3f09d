// Whole matches on a real server: every seat is a client of its own that answers with random options.

import { createRequire } from "node:module";
import { join } from "node:path";

import { Client } from "./client.mjs";
import { plainMatch } from "../../../clients/web/src/client/records/match.js";

/** Random numbers that follow from a seed. */
function chance(seed) {
  let state = seed >>> 0;
  return (count) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}

/** Play a match and return what a client knows of it in the end. `packages` is the folder of node_modules. */
export async function play(packages, url, seed, seats, setup) {
  const WebSocket = createRequire(join(packages, "program.cjs"))("ws");
  const random = chance(seed);
  const table = new Table(url, WebSocket, random, setup);
  try {
    return await table.play(seats);
  } finally {
    for (const client of table.clients) client.socket?.terminate();
  }
}

/** After this record a spectator joins. */
const LATE = 30;
/** More refusals than a correct client meets: it would go on for ever. */
const MAX_REFUSALS = 20;
const ARMIES = ["empire-patrol", "chaos-patrol", "high-elf-patrol", "greenskin-patrol"];

class Table {
  constructor(url, WebSocket, random, setup) {
    Object.assign(this, { url, WebSocket, random, setup });
    this.clients = [];
    this.busy = new Set();
    this.refusals = [];
    this.failed = null;
  }

  async play(seats) {
    const ended = new Promise((resolve, reject) => Object.assign(this, { resolve, reject }));
    for (let seat = 0; seat < seats; seat += 1) this.clients.push(await this.newClient());
    const [opener] = this.clients;
    const settings = { setup: this.setup, regiments: 1 };
    opener.wantsPush = true;
    const pushes = { push_options: true, push_openings: true };
    const opened = await opener.request({ type: "open_match", ruleset: "diskwars", seat_count: seats, settings, ...pushes });
    if (opened.type !== "opened") throw new Error(JSON.stringify(opened));
    this.match = opened.match;
    for (const client of this.clients.slice(1)) client.request({ type: "watch", match: this.match, push_openings: true });
    await ended;
    return this.outcome();
  }

  async newClient() {
    const client = new Client(this.url, this.WebSocket, (fault) => (fault ? this.reject(fault) : this.step(client)));
    await client.connect();
    return client;
  }

  /** Let a client answer what it is asked, unless it is doing so. */
  step(client) {
    const stream = client.streams.get(this.match);
    if (!stream?.state || this.busy.has(client)) return;
    if (this.clients.every((each) => each.streams.get(this.match)?.state?.status === "ended")) this.resolve();
    const seat = this.clients.indexOf(client);
    const decision = stream.state.decisions.find((open) => open.seat === seat);
    if (!decision) return;
    if (stream.seq > LATE && !this.spectator) this.spectator = this.watchLate();
    this.busy.add(client);
    this.answer(client, stream, decision).then(
      () => {
        this.busy.delete(client);
        this.step(client);
      },
      (fault) => this.reject(fault),
    );
  }

  async answer(client, stream, decision) {
    const action = await this.choose(client, stream, decision);
    if (!action) return;
    const request = client.request({ type: "act", match: this.match, decision: decision.id, action });
    if (this.random(12) === 0) {
      // The command may have arrived or not: it is sent again under the same id.
      client.drop();
      await client.connect();
    }
    const answer = await request;
    if (answer.type !== "accepted") this.refusals.push(answer.code);
    if (this.refusals.length > MAX_REFUSALS) throw new Error(`refused again and again: ${JSON.stringify(answer)}`);
  }

  async choose(client, stream, { id, seat, question }) {
    const { secrets, state } = stream;
    if (question.type === "seat") {
      const loadout = { army: ARMIES[seat], regiments: [], hand: [] };
      return { type: "take_seat", chain_head: secrets.head, loadout };
    }
    if (question.type === "ready") return { type: "ready", seat_nonce: secrets.nonceAfter(secrets.head) };
    const found = await this.options(client, id);
    if (!found) return null;
    const { actions = [], parametric = [] } = found;
    const choices = [...actions, ...parametric.map(({ example }) => example)];
    const action = choices[this.random(choices.length)];
    if (action.type !== "lock_card") return action;
    return { type: "lock_card", ...secrets.lock(seat, state.step + 1, action.card, state.seats[seat].chain.head) };
  }

  /** The first client gets its options with the record that asks, the others request them. */
  async options(client, decision) {
    const answer = client.wantsPush
      ? await client.pushedOptions(decision)
      : await client.request({ type: "get_options", match: this.match, decision });
    if (answer.type === "options") return answer.options;
    this.refusals.push(answer.code);
    return null;
  }

  opened(client) {
    return new Promise((resolve, reject) => {
      client.onChange = (fault) => {
        if (fault) reject(fault);
        const stream = client.streams.get(this.match);
        if (stream.isOpened) resolve(stream);
      };
      client.onChange();
    });
  }

  /** A spectator who begins with a snapshot, and then checks it against the history. */
  async watchLate() {
    const client = new Client(this.url, this.WebSocket, (fault) => (fault ? this.reject(fault) : this.step(client)));
    this.clients.push(client);
    await client.connect();
    const { after, hash, snapshot } = await client.request({ type: "watch", match: this.match, snapshot: true });
    const history = await client.history(this.match, after, 20);
    const isChained = history.hash === hash;
    client.drop();
    await client.connect();
    return { client, after, isChained, ranges: history.ranges, snapshot, folded: plainMatch(history.state) };
  }

  /** What is known when the server has sent every opening, which all who were there from the first record get. */
  async outcome() {
    const { client: late, ...joined } = await this.spectator;
    const missed = await Promise.all(late.checks);
    const players = this.clients.filter((client) => client !== late);
    const streams = await Promise.all(players.map((client) => this.opened(client)));
    const [client] = players;
    const [stream] = streams;
    const files = new Set(players.map((each) => each.file(this.match)));
    const spectator = { ...joined, missed: missed.length, state: plainMatch(late.streams.get(this.match).state) };
    return {
      match: this.match,
      hashes: this.clients.map((each) => each.streams.get(this.match).hash),
      connections: this.clients.map((each) => each.connections),
      refusals: this.refusals,
      spectator,
      files: files.size,
      state: plainMatch(stream.state),
      file: client.file(this.match),
    };
  }
}
