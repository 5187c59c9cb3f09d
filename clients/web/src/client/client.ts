// The client's end of the conversation, without a framework: it connects, resumes, and sends each command until answered.

import { ZERO_NONCE } from "./records/chains.js";
import type { RecordBody, SeatChain } from "./records/match.js";
import type {
  Account,
  Act,
  ClientMessage,
  Closing,
  Openings,
  OptionsResponse,
  Records,
  Refused,
  RulesetSummary,
  ServerMessage,
  Watching,
  Welcome,
  close_quarters,
  diskwars,
  pit,
  regiments,
} from "../protocol/types";
import { delayMs } from "./backoff";
import { asContradiction } from "./contradiction";
import { SECRET_ACTIONS, needsControl } from "./control";
import { removeOldSeats, sturdyKeeper, type Keeper } from "./keeper";
import { Pace } from "./pace";
import { SeatSecrets, freshSalt, type SecretParts } from "./secrets";
import { MatchStream, RecordGap } from "./stream";

export type Status = "connecting" | "online" | "reconnecting" | "stopped";
type Request = Exclude<ClientMessage, { readonly type: "hello" }>;
export type Action = close_quarters.Action | diskwars.Action | pit.Action | regiments.Action;
/** A request before it has its id. */
export type Fields<Kind extends Request = Request> = Kind extends Request ? Omit<Kind, "id"> : never;

/** The part of a WebSocket that is used: that of a browser, or of the package `ws`. */
export interface SocketLike {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  send(text: string): void;
  close(code?: number, reason?: string): void;
}

export interface ClientOptions {
  readonly url: string;
  readonly open: (url: string) => SocketLike;
  readonly keeper: Keeper;
  /** What the server counts this client as. */
  readonly name?: string;
  readonly onChange?: () => void;
  /** Everything that the server sends without being asked in a request of this connection, such as changes of a list. */
  readonly onPush?: (message: ServerMessage) => void;
  readonly onRecords?: (match: string, bodies: ReadonlyArray<RecordBody>) => void;
  /** Calls back once the page has drawn what it has; without it, everything is checked before it is shown. */
  readonly runLater?: (act: () => void) => void;
  readonly random?: () => number;
  /** After this long without a message the server is asked for one, and after half of it again the line counts as dead. */
  readonly quietMs?: number;
  /** Ends with a token that the server refuses, instead of going on as a new guest. */
  readonly keepsPlayer?: boolean;
  /** How long a connection has to last before the next delay is the first again. */
  readonly steadyMs?: number;
}

export const TOKEN_KEY = "diskwars.token";
const QUIET_MS = 20_000;
const STEADY_MS = 5_000;
/** A request that nothing follows for this long may have been written to a line that is dead: no browser says so. */
const ANSWER_MS = 3_000;
/** How long the line has to carry a sign of life when a device woke up or changed its network. */
const PROBE_MS = 1_250;
/** And when only an answer is late: a server that is slow must not have to greet everybody again. */
const LATE_PROBE_MS = 5_000;
const MAX_RETRIES = 5;
/** As often is sent again what the server cannot store, for about a minute: meanwhile the page says that it waits. */
const MAX_STORE_RETRIES = 60;
const TOKEN_REASONS = new Set(["token_bad", "token_expired", "token_revoked"]);
/** A client of this program can mend none of these by connecting again. */
const LASTING_REASONS = new Set([
  "binary",
  "too_big",
  "protocol",
  "bad_frame",
  "unsupported_version",
  "hello_expected",
  "bad_record",
  "banned",
]);
const PASSING_REASONS = new Set(["going_away", "restarting", "fault", "flood", "slow", "gap"]);
/** What is wanted of every match that is watched. */
const WATCH_FIELDS = { push_options: true, include_unavailable: true, push_openings: true };
/** Records of a history whose hashes are computed in one go: some milliseconds, in which the page draws nothing. */
const CHECKED_AT_ONCE = 50;
/** The close code of a client that misses records. */
const GAP = 4008;

interface Pending {
  readonly message: Request;
  readonly resolve: (answer: ServerMessage) => void;
  retries: number;
  /** The server could not store it the last time. */
  isHeld: boolean;
}

export class Client {
  status: Status = "connecting";
  player = "";
  account: Account | null = null;
  rulesets: ReadonlyArray<RulesetSummary> = [];
  /** What the server's clock was ahead of ours at the last connection. */
  offsetMs = 0;
  /** The server's time when the page began to count its own. */
  private serverStartMs = Date.now() - performance.now();
  /** Why the server closed the connection for good, or the last time. */
  closing: Closing | null = null;
  readonly streams = new Map<string, MatchStream>();
  readonly secrets = new Map<string, SeatSecrets>();
  private readonly keeper: Keeper;
  private socket: SocketLike | null = null;
  private readonly pending = new Map<string, Pending>();
  private connections = 0;
  private attempt = 0;
  private pace = new Pace();
  private nextId = 0;
  private readonly run = Math.floor(Math.random() * 2 ** 40).toString(36);
  private reconnectTimer: ReturnType<typeof setTimeout> | undefined;
  private quietTimer: ReturnType<typeof setTimeout> | undefined;
  private steadyTimer: ReturnType<typeof setTimeout> | undefined;
  /** When the timer of silence ends, by the clock of the page's life. */
  private quietUntil = 0;
  private isProbing = false;
  /** A request was written, and nothing has been received since. */
  private isOwedAnswer = false;
  /** Whose connection this is: the token that it said hello with, or was given. Another tab may store another one. */
  private token: string | null = null;
  /** The server takes this one no longer. */
  private refusedToken: string | null = null;
  /** Matches that this connection resumes by its first message: a watch of them that waits is answered by that. */
  private resumed: ReadonlySet<string> = new Set();

  constructor(private readonly options: ClientOptions) {
    this.keeper = sturdyKeeper(options.keeper);
    removeOldSeats(this.keeper, Date.now());
  }

  /** The server's time, by a clock that nobody sets: that of the device may be changed while a match is played. */
  serverNowMs(): number {
    return this.serverStartMs + performance.now();
  }

  // ---------------------------------------------------------------- connection

  /** Another for each connection: what a server does for one connection only has to be asked for again. */
  get connectionId(): string {
    return `${this.run}.${this.connections}`;
  }

  /** Whether something waits because the server cannot store anything: it is sent again by itself. */
  get isStoreAway(): boolean {
    return [...this.pending.values()].some(({ isHeld }) => isHeld);
  }

  start(): void {
    this.connect();
  }

  /** Close the connection and make no other. */
  stop(): void {
    this.status = "stopped";
    clearTimeout(this.reconnectTimer);
    clearTimeout(this.quietTimer);
    clearTimeout(this.steadyTimer);
    const { socket } = this;
    this.socket = null;
    socket?.close();
  }

  /**
   * Find out at once whether the line still carries anything: the device woke up, or has another network. Until then its
   * socket looks as open as before. A client that waits to connect does so at once.
   */
  checkLine(): void {
    if (this.status === "reconnecting") {
      clearTimeout(this.reconnectTimer);
      const { socket } = this;
      this.connect();
      socket?.close(); // it may have been on its way through the network that is gone
    } else if (this.status === "online") {
      if (!this.isProbing) this.probe();
      if (this.quietUntil > performance.now() + PROBE_MS) this.watchQuiet(PROBE_MS);
    }
  }

  private connect(): void {
    const socket = this.options.open(this.options.url);
    this.socket = socket;
    this.pace = new Pace();
    this.isProbing = false;
    this.isOwedAnswer = false;
    const isCurrent = () => socket === this.socket;
    socket.onopen = () => isCurrent() && this.sayHello();
    socket.onmessage = ({ data }) => {
      if (isCurrent() && typeof data === "string") this.receive(JSON.parse(data) as ServerMessage);
    };
    socket.onclose = () => isCurrent() && this.lose();
    socket.onerror = () => undefined; // `onclose` follows
    this.watchQuiet();
  }

  private sayHello(): void {
    const token = this.takeToken();
    this.token = token;
    const resume = [...this.streams.values()]
      .filter(({ fault }) => fault === null)
      .map(({ match, seq, isOpened, openedSeq }) => ({
        match,
        after: seq,
        ...WATCH_FIELDS,
        push_openings: !isOpened,
        ...(openedSeq && !isOpened ? { openings_after: openedSeq } : {}),
      }));
    this.resumed = new Set(resume.map(({ match }) => match));
    this.write({
      type: "hello",
      versions: [1],
      client: this.options.name ?? "diskwars-web 0.1.0",
      ...(token ? { token } : {}),
      resume,
    });
  }

  /**
   * Return the token that is stored. One that was refused is forgotten only here, some time after: the tab whose request
   * replaced it learns the new one at the same moment, and that must not be removed.
   */
  private takeToken(): string | null {
    const stored = this.keeper.getItem(TOKEN_KEY);
    if (stored === null || stored !== this.refusedToken) return stored;
    this.keeper.removeItem(TOKEN_KEY);
    return null;
  }

  /** Forget the token of this connection, but not one that another tab has stored since. */
  forgetToken(): void {
    if (this.keeper.getItem(TOKEN_KEY) === this.token) this.keeper.removeItem(TOKEN_KEY);
  }

  /** Connect again, as the player whose token another tab has stored, if there is one. */
  followToken(): void {
    const stored = this.keeper.getItem(TOKEN_KEY);
    if (stored === null || stored === this.token) return;
    const isBanned = this.status === "stopped" && this.closing?.close_reason === "banned";
    if (this.status !== "online" && !isBanned) return; // the next hello takes it up
    this.status = "reconnecting";
    const { socket } = this;
    this.connect(); // at once and without a notice, as nothing is wrong
    socket?.close();
  }

  private lose(atLeastMs = 0, code?: number, reason?: string): void {
    if (this.status === "stopped") return;
    const { socket } = this;
    this.socket = null;
    socket?.close(code, reason);
    clearTimeout(this.quietTimer);
    clearTimeout(this.steadyTimer);
    this.status = this.status === "connecting" && this.attempt === 0 ? "connecting" : "reconnecting";
    const wait = delayMs(this.attempt, this.options.random ?? Math.random, atLeastMs);
    this.attempt += 1;
    if (this.attempt > 1) this.status = "reconnecting";
    this.reconnectTimer = setTimeout(() => this.connect(), wait);
    this.changed();
  }

  /** A browser hides pings: a line that carries nothing for long is asked for a sign of life, and then given up. */
  private watchQuiet(forMs = this.options.quietMs ?? QUIET_MS): void {
    clearTimeout(this.quietTimer);
    this.quietUntil = performance.now() + forMs;
    this.quietTimer = setTimeout(() => {
      if (this.isProbing || this.status !== "online") return this.lose();
      this.probe();
      this.watchQuiet(this.isOwedAnswer ? LATE_PROBE_MS : (this.options.quietMs ?? QUIET_MS) / 2);
    }, forMs);
  }

  private probe(): void {
    this.isProbing = true;
    this.write({ type: "get_players", id: "probe", players: [this.player] });
  }

  /** Send a request on this connection. Several in a row wait for the first sign of life together. */
  private ask(message: Request): void {
    this.write(message);
    if (this.isOwedAnswer || this.isProbing) return;
    this.isOwedAnswer = true;
    if (this.quietUntil > performance.now() + ANSWER_MS) this.watchQuiet(ANSWER_MS);
  }

  /** Send a message as soon as the limits of the server allow; never on another connection than this one. */
  private write(message: ClientMessage): void {
    const { socket } = this;
    const wait = this.pace.waitMs(performance.now()); // a clock that is set back would stop all that is sent
    const send = () => {
      try {
        if (socket === this.socket) socket?.send(JSON.stringify(message));
      } catch {
        // The socket is closing: what is unanswered is sent again on the next one.
      }
    };
    if (wait > 0) setTimeout(send, wait);
    else send();
  }

  // ---------------------------------------------------------------- requests

  /** Return an id that no other request of this player has. */
  newId(): string {
    this.nextId += 1;
    return `${this.run}-${this.nextId}`;
  }

  /** Send a request, on as many connections as it takes, under one id. Resolves with its answer. */
  request(fields: Fields, id = this.newId()): Promise<ServerMessage> {
    const message = { ...fields, id } as Request;
    return new Promise((resolve) => {
      this.pending.set(message.id, { message, resolve, retries: 0, isHeld: false });
      if (this.status === "online") this.ask(message);
    });
  }

  watch(match: string): Promise<ServerMessage> {
    return this.request({ type: "watch", match, ...WATCH_FIELDS });
  }

  async unwatch(match: string): Promise<void> {
    if (!this.streams.delete(match)) return;
    await this.request({ type: "unwatch", match });
  }

  /** Send an action, completed by the secrets that it needs. */
  async act(match: string, decision: string | undefined, action: Action): Promise<ServerMessage> {
    const stream = this.streams.get(match);
    if (stream && !stream.isChecked) {
      // Nobody answers to records that have not been checked, or to a board that was a wrong one.
      this.guard(match, () => stream.check());
      this.changed();
      if (stream.fault !== null && decision !== undefined)
        return {
          type: "refused",
          code: "stale_decision",
          match,
          text: "the records of this match contradict each other",
        };
    }
    const complete = this.complete(match, action);
    const known = SECRET_ACTIONS.has(action.type) ? { chain_head: this.knownHead(match) } : {};
    const answer = await this.request({
      type: "act",
      match,
      action: complete,
      ...(decision === undefined ? {} : { decision }),
      ...known,
    } as Fields<Act>);
    if (answer.type === "accepted" && complete !== action) this.confirm(match, answer.seq, complete as SecretParts);
    return answer;
  }

  /** Return the newest link of the own seat if this device is in control, otherwise one that the server refuses. */
  private knownHead(match: string): string {
    const stream = this.streams.get(match);
    const chain = stream ? chainOf(stream) : null;
    return chain && this.secretsOf(match).controls(chain) ? (chain.new_head ?? chain.head) : ZERO_NONCE;
  }

  /** Compare the record of an own action with what was sent, now or as soon as it arrives. */
  private confirm(match: string, seq: number, sent: SecretParts): void {
    const stream = this.streams.get(match);
    const body = stream?.bodies[seq - 1];
    if (body) this.guard(match, () => this.secretsOf(match).confirm(sent, body));
    else stream?.unconfirmed.set(seq, sent);
    this.changed();
  }

  /** Return whether the own seat is played on another device, as far as its dice and secret choices go. */
  isElsewhere(match: string): boolean {
    const stream = this.streams.get(match);
    if (!stream || stream.fault !== null || stream.seat === null || !stream.state || stream.seq < stream.head)
      return false;
    const chain = chainOf(stream);
    return chain !== null && needsControl(stream.state, stream.seat) && !this.secretsOf(match).controls(chain);
  }

  /** Make this device the one that is in control of the own seat. Nothing that other devices have given is lost. */
  takeControl(match: string): Promise<ServerMessage> {
    return this.act(match, undefined, { type: "replace_chain", chain_head: "" });
  }

  secretsOf(match: string): SeatSecrets {
    const known = this.secrets.get(match) ?? new SeatSecrets(match, this.keeper);
    this.secrets.set(match, known);
    return known;
  }

  private complete(match: string, action: Action): Action {
    const stream = this.streams.get(match);
    const opened =
      stream?.seat === null || stream?.seat === undefined ? undefined : stream.state?.seats[stream.seat]?.chain?.head;
    const secrets = this.secretsOf(match);
    if (action.type === "take_seat" || action.type === "replace_chain")
      return { ...action, chain_head: secrets.freshHead() };
    if (action.type === "ready") return { ...action, seat_nonce: secrets.nonceAfter(opened) };
    if (action.type === "lock_card" && typeof action.card === "string" && stream?.state && stream.seat !== null) {
      const salt = secrets.saltFor(stream.state.step + 1, stream.seat, action.card);
      return { ...action, salt, seat_nonce: secrets.nonceAfter(opened) };
    }
    if (action.type === "lock_orders") return { ...action, salt: freshSalt(), seat_nonce: secrets.nonceAfter(opened) };
    return action;
  }

  // ---------------------------------------------------------------- receiving

  private receive(message: ServerMessage): void {
    this.isProbing = false;
    this.isOwedAnswer = false;
    this.watchQuiet();
    switch (message.type) {
      case "welcome":
        this.welcome(message);
        break;
      case "watching":
        if (message.after > 0 && !this.streams.has(message.match)) break; // what a former player of this page watched
        this.guard(message.match, () => this.beginStream(message));
        if (message.id === undefined) this.settleWatches(message);
        break;
      case "records":
        this.guard(message.match, () => this.append(message));
        break;
      case "openings":
        this.attempt = 0;
        this.guard(message.match, () => this.streams.get(message.match)?.open(message as Openings));
        break;
      case "options":
        this.streams
          .get(message.match)
          ?.keepOptions(message.decision, (message as OptionsResponse).options as diskwars.Options);
        break;
      case "watchers_changed":
        Object.assign(this.streams.get(message.match) ?? {}, { watchers: message.watchers });
        break;
      case "unwatched":
        if (message.id === undefined && this.streams.has(message.match)) this.resume(message.match);
        break;
      case "matches_changed":
      case "chat_posted":
      case "match_found":
      case "rematch_changed":
      case "tournament_changed":
      case "challenge_changed":
      case "club_changed":
        this.options.onPush?.(message);
        break;
      case "refused":
        if (message.id === undefined && message.match !== undefined) this.sendWatches(message.match);
        break;
      case "closing":
        return this.close(message);
    }
    if ("id" in message && message.id !== undefined) this.settle(message.id, message);
    if (!this.isHalf(message)) this.changed();
  }

  /** Whether these records are some of a history of which more is on its way: what is shown of it would be past at once. */
  private isHalf(message: ServerMessage): boolean {
    const stream = message.type === "records" ? this.streams.get(message.match) : undefined;
    return stream !== undefined && stream.fault === null && stream.seq < stream.head;
  }

  private welcome(message: Welcome): void {
    this.connections += 1;
    this.status = "online";
    const stored = this.keeper.getItem(TOKEN_KEY);
    if (stored !== null && stored !== this.token) return this.followToken();
    if (this.player && this.player !== message.player) this.forgetStreams();
    this.closing = null;
    // A server that greets and closes again at once must not be asked every quarter of a second.
    clearTimeout(this.steadyTimer);
    this.steadyTimer = setTimeout(() => (this.attempt = 0), this.options.steadyMs ?? STEADY_MS);
    this.pace = new Pace(message.limits);
    Object.assign(this, { player: message.player, rulesets: message.rulesets, account: message.account ?? null });
    this.offsetMs = message.server_time_ms - Date.now();
    this.serverStartMs = message.server_time_ms - performance.now();
    // Guests get another token each time. The first goes on being valid, and other tabs see by it that nothing changed.
    this.token = stored ?? message.token;
    if (stored === null) this.keeper.setItem(TOKEN_KEY, this.token);
    for (const { message: again } of this.pending.values()) {
      if (again.type !== "watch" || !this.resumed.has(again.match)) this.ask(again);
    }
  }

  /** Another player may see other things of a match, and has other seats: what is watched has to be asked for again. */
  private forgetStreams(): void {
    this.streams.clear();
    this.secrets.clear();
    this.resumed = new Set();
  }

  private close(closing: Closing): void {
    this.closing = closing;
    const isTokenRefused = TOKEN_REASONS.has(closing.close_reason);
    if (isTokenRefused) this.refusedToken = this.token;
    if (!mayReconnect(closing) || (isTokenRefused && this.options.keepsPlayer)) {
      this.stop();
      this.changed();
    } else {
      this.lose(closing.retry_after_ms);
    }
  }

  private beginStream(watching: Watching): void {
    const known = this.streams.get(watching.match);
    if (known && known.fault === null && watching.after === known.seq) return known.continueWith(watching);
    const stream = new MatchStream(watching);
    this.streams.set(watching.match, stream);
    if (watching.after === 0) stream.requireBegin(watching);
  }

  private append({ match, records }: Records): void {
    const stream = this.streams.get(match);
    if (!stream || stream.fault !== null) return;
    stream.requireNext(records);
    // The back-off starts again even if the connection is lost at once: the server does accept clients.
    this.attempt = 0;
    const bodies: RecordBody[] = [];
    for (const record of records) {
      const chain = chainOf(stream);
      for (const body of stream.append([record])) {
        this.follow(match, stream, body, chain);
        bodies.push(body);
      }
    }
    if (!stream.isChecked && stream.seq === stream.head) this.checkLater(match, stream);
    this.options.onRecords?.(match, bodies);
  }

  /** Check the history of a match, part by part, once its last board has been drawn. */
  private checkLater(match: string, stream: MatchStream): void {
    const { runLater = (act: () => void) => act() } = this.options;
    runLater(() => {
      if (this.streams.get(match) !== stream || stream.fault !== null) return;
      this.guard(match, () => stream.check(CHECKED_AT_ONCE));
      if (!stream.isChecked) return this.checkLater(match, stream);
      if (stream.fault === null && stream.seat !== null && stream.state?.result) this.secretsOf(match).forget();
      this.changed();
    });
  }

  /** Notice what a record says of the own seat, and compare it with what this device gave; `chain` is that before it. */
  private follow(match: string, stream: MatchStream, body: RecordBody, chain: SeatChain | null): void {
    for (const event of body.events ?? []) {
      if (event.type === "seat_taken" && event.player === this.player)
        stream.sit(event.player, event.seat, event.chain_head);
      if (event.type === "seat_vacated" && event.player === this.player) {
        // What is forgotten does not come back, so not on the word of a record that may be wrong.
        stream.check();
        this.leave(match, stream);
      }
    }
    if (stream.seat === null) return;
    const secrets = this.secretsOf(match);
    secrets.check(stream.seat, body, chain);
    const sent = stream.unconfirmed.get(stream.seq);
    stream.unconfirmed.delete(stream.seq);
    if (sent) secrets.confirm(sent, body);
    // The end of a history is believed once it has been checked, see `checkLater`.
    if (body.result !== undefined && stream.isChecked) secrets.forget();
  }

  /** The seat is lost; whoever takes one again makes a new chain. */
  private leave(match: string, stream: MatchStream): void {
    if (stream.chainHead !== null) this.secretsOf(match).forgetChain(stream.chainHead);
    stream.seat = null;
  }

  /** A match whose records contradict each other is frozen; the others go on. */
  private guard(match: string, take: () => void): void {
    try {
      take();
    } catch (fault) {
      if (fault instanceof RecordGap) return this.lose(0, GAP, "gap");
      const stream = this.streams.get(match);
      stream?.freeze(asContradiction(fault, stream.seq));
    }
  }

  private resume(match: string): void {
    const after = this.streams.get(match)?.seq ?? 0;
    void this.request({ type: "watch", match, after, ...WATCH_FIELDS });
  }

  /** A match could not be taken up again: a watch of it that waits is asked for after all. */
  private sendWatches(match: string): void {
    for (const { message } of this.pending.values())
      if (message.type === "watch" && message.match === match) this.ask(message);
  }

  private settleWatches(watching: Watching): void {
    for (const [id, { message, resolve }] of this.pending) {
      if (message.type !== "watch" || message.match !== watching.match) continue;
      this.pending.delete(id);
      resolve(watching);
    }
  }

  private settle(id: string, answer: ServerMessage): void {
    const pending = this.pending.get(id);
    if (!pending) return;
    const wasHeld = pending.isHeld;
    pending.isHeld = answer.type === "refused" && answer.code === "unavailable";
    if (
      answer.type === "refused" &&
      mayRetry(answer) &&
      pending.retries < (pending.isHeld ? MAX_STORE_RETRIES : MAX_RETRIES)
    ) {
      pending.retries += 1;
      if (wasHeld !== pending.isHeld) this.changed();
      setTimeout(() => this.pending.has(id) && this.ask(pending.message), answer.retry_after_ms);
      return;
    }
    this.pending.delete(id);
    pending.resolve(answer);
    if (wasHeld) this.changed();
  }

  private changed(): void {
    this.options.onChange?.();
  }
}

/** A copy: the fold changes chains in place. */
function chainOf({ seat, state }: MatchStream): SeatChain | null {
  const chain = seat === null ? null : state?.seats[seat]?.chain;
  return chain ? { ...chain } : null;
}

/** Of a reason that a later version has added, only the server knows whether connecting again helps. */
function mayReconnect({ close_reason: reason, retry_after_ms: wait }: Closing): boolean {
  const isKnown = LASTING_REASONS.has(reason) || PASSING_REASONS.has(reason) || TOKEN_REASONS.has(reason);
  return isKnown ? !LASTING_REASONS.has(reason) : wait !== undefined;
}

const RETRIED_CODES = new Set<string>(["busy", "retry", "unavailable", "fault"]);
const mayRetry = ({ code, retry_after_ms: wait }: Refused) => wait !== undefined && RETRIED_CODES.has(code);
