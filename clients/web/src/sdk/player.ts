// One player on a server: the connection, requests, and the matches that are followed.

import { Client, TOKEN_KEY, type Fields, type SocketLike } from "../client/client";
import type { Keeper } from "../client/keeper";
import type { ClientMessage, OpenMatch, RulesetSummary, ServerMessage } from "../protocol/types";
import { closingError, DiskwarsError, refusalError } from "./errors";
import { Match } from "./match";

const CONNECT_MS = 30_000;

export interface ConnectOptions {
  /**
   * The token of an earlier connection: the same player again. One that the server refuses ends the connection, with a
   * DiskwarsError that has the code `token_bad`, `token_expired` or `token_revoked`. Without one the server makes a guest.
   */
  readonly token?: string;
  /** Keeps the token and the secrets of seats. By default they last as long as the program. */
  readonly keeper?: Keeper;
  /** What the server calls this program in its measurements. */
  readonly name?: string;
  /** Opens a WebSocket: by default the platform's own, or that of the package `ws` where Node has none. */
  readonly open?: (url: string) => SocketLike;
  /** How long the first connection may take. */
  readonly timeoutMs?: number;
  /** Gets every message that answers no request, such as `challenge_changed`. */
  readonly onPush?: (message: ServerMessage) => void;
}

type Answer = Exclude<ServerMessage, { readonly type: "refused" }>;
export type OpenOptions = Omit<OpenMatch, "type" | "id" | "seat_count"> & { readonly seat_count?: number };

/** A player, made by `connect`. It reconnects by itself, and sends what is unanswered again under the same id. */
export class Player {
  /** The client beneath, for what has no method here. */
  readonly client: Client;
  /** What the program keeps; a token that was given is put there once the server has taken it. */
  private readonly kept: Keeper;
  private readonly given: string | undefined;
  private readonly keeper: Keeper;
  private readonly listeners = new Set<() => void>();
  private readonly matches = new Map<string, Match>();

  constructor(url: string, open: (url: string) => SocketLike, options: ConnectOptions) {
    this.kept = options.keeper ?? memoryKeeper();
    this.given = options.token;
    this.keeper = this.given === undefined ? this.kept : withToken(this.kept, this.given);
    this.client = new Client({
      url,
      open,
      keeper: this.keeper,
      keepsPlayer: this.given !== undefined,
      name: options.name ?? "diskwars-typescript",
      onChange: () => this.changed(),
      ...(options.onPush ? { onPush: options.onPush } : {}),
    });
  }

  /** The id of this player on the server. */
  get id(): string {
    return this.client.player;
  }

  /** The secret that proves next time that it is the same player: keep it like a password. */
  get token(): string {
    return this.keeper.getItem(TOKEN_KEY) ?? "";
  }

  /** What is played on the server, with the bots that it can seat. */
  get rulesets(): ReadonlyArray<RulesetSummary> {
    return this.client.rulesets;
  }

  /** Send a request of the protocol and return its answer. Throws DiskwarsError. */
  async request<Kind extends ClientMessage["type"]>(fields: Extract<Fields, { readonly type: Kind }>): Promise<Answer> {
    return accepted(await this.whileRunning(this.client.request(fields)));
  }

  /** Open a match and follow it. Throws DiskwarsError. */
  async openMatch(options: OpenOptions): Promise<Match> {
    const opened = await this.request<"open_match">({ type: "open_match", seat_count: 2, ...options });
    if (opened.type !== "opened") throw new DiskwarsError("wrong_answer", `open_match was answered by ${opened.type}`);
    return this.watch(opened.match);
  }

  /** Follow a match, from its first record. Throws DiskwarsError. */
  async watch(match: string): Promise<Match> {
    this.requireRunning();
    // What is known may be gone since, or have contradicted itself: then it begins again.
    const isFollowed = this.matches.has(match) && this.client.streams.get(match)?.fault === null;
    if (!isFollowed) accepted(await this.whileRunning(this.client.watch(match)));
    const watched = this.matches.get(match) ?? new Match(this, match);
    this.matches.set(match, watched);
    await watched.caughtUp();
    return watched;
  }

  /** Follow a match no more. */
  async unwatch(match: string): Promise<void> {
    this.matches.delete(match);
    if (this.client.status === "stopped") this.client.streams.delete(match);
    else await this.whileRunning(this.client.unwatch(match));
  }

  /** End the connection. What waits throws a DiskwarsError. */
  close(): void {
    this.client.stop();
    this.changed();
  }

  /** Resolve at the next change of the connection or of a match. Throws DiskwarsError once the connection is over. */
  async nextChange(): Promise<void> {
    this.requireRunning();
    await new Promise<void>((resolve) => {
      const notify = () => {
        this.listeners.delete(notify);
        resolve();
      };
      this.listeners.add(notify);
    });
    this.requireRunning();
  }

  /** Wait for the first connection. Throws DiskwarsError. */
  async connected(timeoutMs: number): Promise<void> {
    const timer = setTimeout(() => this.close(), timeoutMs);
    try {
      this.client.start();
      while (this.client.status !== "online") await this.nextChange();
      if (this.given !== undefined) this.kept.setItem(TOKEN_KEY, this.given);
    } catch (fault) {
      if (fault instanceof DiskwarsError && fault.code === "stopped")
        throw new DiskwarsError("unreachable", `no answer within ${timeoutMs} ms`, {}, { cause: fault });
      throw fault;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Return what a request gives, or throw once the connection is over: then nothing answers. */
  async whileRunning<Value>(wanted: Promise<Value>): Promise<Value> {
    let isDone = false;
    const ended = (async () => {
      while (!isDone) await this.nextChange();
      return new Promise<never>(() => undefined); // the request won the race
    })();
    try {
      return await Promise.race([wanted, ended]);
    } finally {
      isDone = true;
      ended.catch(() => undefined);
    }
  }

  private requireRunning(): void {
    if (this.client.status === "stopped") throw closingError(this.client.closing);
  }

  private changed(): void {
    for (const listener of [...this.listeners]) listener();
  }
}

/** Return an answer, unless it refuses. */
export function accepted(answer: ServerMessage): Answer {
  if (answer.type === "refused") throw refusalError(answer);
  return answer;
}

/** Connect to the server at `url`, such as ws://127.0.0.1:8765/ws. Throws DiskwarsError. */
export async function connect(url: string, options: ConnectOptions = {}): Promise<Player> {
  const player = new Player(url, options.open ?? (await findSocket()), options);
  await player.connected(options.timeoutMs ?? CONNECT_MS);
  return player;
}

async function findSocket(): Promise<(url: string) => SocketLike> {
  if (typeof WebSocket === "function") return (url) => new WebSocket(url) as SocketLike;
  const name = "ws"; // in a variable, so that bundlers of browsers do not look for it
  try {
    const found = (await import(/* @vite-ignore */ name)) as { readonly WebSocket: new (url: string) => SocketLike };
    return (url) => new found.WebSocket(url);
  } catch (cause) {
    throw new DiskwarsError(
      "no_websocket",
      "this Node has no WebSocket: npm install ws, or use Node 22",
      {},
      { cause },
    );
  }
}

/** Return a keeper that has another token, and leaves that of the one beneath alone. */
function withToken(kept: Keeper, given: string): Keeper {
  let token: string | null = given;
  return {
    getItem: (key) => (key === TOKEN_KEY ? token : kept.getItem(key)),
    setItem: (key, value) => (key === TOKEN_KEY ? void (token = value) : kept.setItem(key, value)),
    removeItem: (key) => (key === TOKEN_KEY ? void (token = null) : kept.removeItem(key)),
    ...(kept.keys ? { keys: () => kept.keys?.() ?? [] } : {}),
  };
}

/** Return a keeper that forgets all with the program. */
export function memoryKeeper(): Keeper {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
    keys: () => [...kept.keys()],
  };
}
