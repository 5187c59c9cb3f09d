// What the whole page shares: the connection, the player's names, the route, theme and language.

import { Client, TOKEN_KEY, type Action, type SocketLike, type Status } from "../client/client";
import { browserKeeper, sturdyKeeper, type Keeper } from "../client/keeper";
import {
  isLoaded,
  language,
  LANGUAGES,
  loadLanguage,
  pickLanguage,
  setLanguage,
  t,
  trackLanguage,
  type Language,
} from "../messages";
import type {
  Account,
  ChatPosted,
  OpenMatch,
  OpenedBot,
  PlayerSummary,
  Refused,
  RulesetSummary,
  ServerMessage,
  diskwars,
} from "../protocol/types";
import { letterOf } from "../client/records/seats";
import { pushAddress } from "./back";
import { afterFrame } from "./frames";
import { botName, chosenName, distinctNames, playerName } from "./names";

const THEME_KEY = "diskwars.theme";
const PLAYER_KEY = "diskwars.player";
const LANGUAGE_KEY = "diskwars.language";
/** Names that are asked for at once: the bound of the protocol. */
const MAX_NAMES = 100;

/** Return what keeps texts between visits; null where the browser forbids that. */
function makeKeeper(): Keeper | null {
  try {
    localStorage.setItem("diskwars.probe", "1");
    localStorage.removeItem("diskwars.probe");
    return sturdyKeeper(browserKeeper(localStorage));
  } catch {
    return null;
  }
}

function makeForgetfulKeeper(): Keeper {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

class Session {
  private readonly stored = makeKeeper();
  /** Where the browser forbids its storage, everything lasts as long as the page. */
  readonly keeper = this.stored ?? makeForgetfulKeeper();
  /** The player has to be told that a reload loses the seat. */
  isForgetful = $state(this.stored === null);
  readonly client: Client;
  private received = $state(0);
  status = $state<Status>("connecting");
  isStoreAway = $state(false);
  path = $state(location.pathname);
  theme = $state<"dark" | "light">("dark");
  language = $state<Language>("en");
  private wanted: Language = "en";
  /** When the texts of the first language are there; null where they are part of the script. */
  readonly languageLoaded: Promise<void> | null;
  /** A text that the browser did not let the page copy. */
  uncopied = $state<string | null>(null);
  catalogue = $state.raw<diskwars.Catalogue | null>(null);
  private people = $state.raw<ReadonlyMap<string, PlayerSummary>>(new Map());
  private readonly asked = new Set<string>();

  /** Takes what the server pushes; set by the part of the page that follows it. */
  onPush: (message: ServerMessage) => void = () => undefined;

  /** Takes messages of the chat; set by the table that shows one. */
  onChat: (message: ChatPosted) => void = () => undefined;

  constructor() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.client = new Client({
      url: `${scheme}://${location.host}/ws`,
      open: (url) => new WebSocket(url) as unknown as SocketLike,
      keeper: this.keeper,
      onPush: (message) => this.onPush(message),
      runLater: afterFrame,
      onChange: () => {
        this.announceChange();
        this.status = this.client.status;
        this.isStoreAway = this.client.isStoreAway;
        this.notePlayer();
      },
    });
    trackLanguage(() => void this.language);
    this.setTheme(
      this.keeper.getItem(THEME_KEY) ?? (matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark"),
    );
    const kept = this.keeper.getItem(LANGUAGE_KEY);
    this.languageLoaded = this.chooseLanguage(
      kept && LANGUAGES.includes(kept) ? kept : pickLanguage(navigator.languages),
    );
    addEventListener("popstate", () => (this.path = location.pathname));
    addEventListener("online", () => this.client.checkLine());
    addEventListener("pageshow", ({ persisted }) => persisted && this.client.checkLine());
    document.addEventListener(
      "visibilitychange",
      () => document.visibilityState === "visible" && this.client.checkLine(),
    );
    document.addEventListener("resume", () => this.client.checkLine());
    addEventListener("storage", ({ key }) => key === TOKEN_KEY && this.client.followToken());
    this.client.start();
  }

  /** The client as something to follow: an effect or a derived value that reads it runs again with everything that is received. */
  get live(): Client {
    void this.received;
    return this.client;
  }
  /** Let what follows the client run again. */
  announceChange(): void {
    this.received += 1;
  }
  get rulesets(): ReadonlyArray<RulesetSummary> {
    return this.live.rulesets;
  }
  get account(): Account | null {
    return this.live.account;
  }
  get player(): string {
    return this.live.player;
  }

  /** Why this tab is another player than before: the login ended, or another tab has become one. Null: it is the same. */
  newName = $state<"ended" | "followed" | null>(null);
  /** Changes with the player of this tab: what was shown to one is not shown to the next. */
  playerCount = $state(0);
  /** The player that this tab shows. What is kept may be that of another tab. */
  private shown: string | null = null;
  private hasEnded = false;
  private isSwitching = false;

  private notePlayer(): void {
    const { player, status, closing, account } = this.client;
    if (closing) this.hasEnded = closing.close_reason.startsWith("token_");
    if (status !== "online") return;
    if (player !== this.shown) this.show(player, this.shown === null || (this.hasEnded && !account));
    this.hasEnded = false;
  }

  private show(player: string, hasEnded: boolean): void {
    const before = this.shown ?? this.keeper.getItem(PLAYER_KEY);
    if (before !== null && before !== player && !this.isSwitching) this.newName = hasEnded ? "ended" : "followed";
    if (this.shown !== null) this.playerCount += 1;
    this.shown = player;
    this.keeper.setItem(PLAYER_KEY, player);
  }

  /** Be known by another token from the next connection on. */
  keepToken(token: string): void {
    this.leavePlayer();
    this.keeper.setItem(TOKEN_KEY, token);
  }

  /** Be a new guest from the next connection on. */
  forgetToken(): void {
    this.leavePlayer();
    this.client.forgetToken();
  }

  private leavePlayer(): void {
    this.isSwitching = true;
    this.keeper.removeItem(PLAYER_KEY);
  }

  go(path: string): void {
    if (path !== location.pathname + location.search) pushAddress(path);
    this.path = path.replace(/[?#].*$/, "");
  }

  /** Go on to another address from one that only leads there: going back does not lead to it again. */
  replace(path: string): void {
    history.replaceState(null, "", path);
    this.path = path;
  }

  setTheme(theme: string): void {
    this.theme = theme === "light" ? "light" : "dark";
    document.documentElement.dataset["theme"] = this.theme;
    this.keeper.setItem(THEME_KEY, this.theme);
  }

  /** Speak a language from now on, or from when its texts are loaded: then that is what is returned. */
  chooseLanguage(chosen: Language): Promise<void> | null {
    this.keeper.setItem(LANGUAGE_KEY, chosen);
    this.wanted = chosen;
    if (isLoaded(chosen)) return this.speak(chosen);
    return loadLanguage(chosen).then(
      () => void (this.wanted === chosen && this.speak(chosen)),
      () => undefined, // without a server: the page goes on in the language that it has
    );
  }

  private speak(chosen: Language): null {
    setLanguage(chosen);
    this.language = language();
    document.documentElement.lang = this.language;
    return null;
  }

  async loadCatalogue(): Promise<void> {
    if (this.catalogue) return;
    const answer = await this.client.request({ type: "get_catalogue", ruleset: "diskwars" });
    if (answer.type === "catalogue" && answer.content) this.catalogue = answer.content as diskwars.Catalogue;
  }

  /** Return the name of a player, asking for those that are not known yet. */
  nameOf(player: string | null | undefined, seat: number): string {
    if (!player) return t("seat.name", { letter: letterOf(seat).toUpperCase() });
    const bot = /^bot-(.+)-[a-d]$/.exec(player)?.[1];
    if (bot) return t("seat.bot", { name: botName(bot) });
    // Of a match that was played without a server.
    if (/^bot-\d$/.test(player)) return t("seat.name", { letter: letterOf(seat).toUpperCase() });
    const known = this.people.get(player);
    if (known) return playerName(known);
    if (!this.asked.has(player)) {
      this.asked.add(player);
      queueMicrotask(() => void this.askNames());
    }
    return t("seat.name", { letter: letterOf(seat).toUpperCase() });
  }

  /** The name of a player's account; empty without one, and until it is known. */
  accountName(player: string): string {
    if (!player.startsWith("bot-")) this.nameOf(player, 0);
    const known = this.people.get(player);
    return known?.kind === "registered" ? known.name : "";
  }

  /** Return the names of the players of one match, told apart: bots of one kind are numbered, and guests of one name. */
  namesOf(seats: ReadonlyArray<{ readonly player?: string | null }>): string[] {
    return distinctNames(seats.map(({ player }, seat) => this.nameOf(player, seat)));
  }

  /** The name that this player has chosen; empty for a guest without one, and until it is known. */
  get ownName(): string {
    if (this.account) return this.account.name;
    const { player } = this;
    if (player) this.nameOf(player, 0);
    const known = this.people.get(player);
    return known ? chosenName(known) : "";
  }

  /** Choose the name of a guest. Returns the refusal, if it is one. */
  async chooseName(name: string): Promise<Refused | null> {
    const answer = await this.client.request({ type: "name_guest", name });
    if (answer.type === "refused") return answer;
    await this.loadNames([this.player]);
    return null;
  }

  /** Ask for the names and the presence of these players again. */
  async loadNames(players: ReadonlyArray<string>): Promise<void> {
    for (const player of players) this.asked.add(player);
    const wanted = [...new Set(players)].slice(0, MAX_NAMES);
    if (wanted.length === 0) return;
    const answer = await this.client.request({ type: "get_players", players: wanted });
    if (answer.type !== "player_list") return;
    this.people = new Map([...this.people, ...answer.players.map((one) => [one.player, one] as const)]);
    const now = this.client.serverNowMs();
    for (const { player, is_online: isOnline, hides_presence: isHidden } of answer.players)
      if (isOnline || isHidden) this.offline.delete(player);
      else if (!this.offline.has(player)) this.offline.set(player, now);
  }
  /** Since when, by the server's clock, this page has known of players that they are offline. */
  private readonly offline = new Map<string, number>();
  offlineSinceMs(player: string | null | undefined): number | undefined {
    void this.people;
    return player ? this.offline.get(player) : undefined;
  }

  /** The seed of a player's picture; null until it is known, and for bots. */
  seedOf(player: string): number | null {
    if (!player.startsWith("bot-")) this.nameOf(player, 0);
    return this.people.get(player)?.avatar_seed ?? null;
  }

  isOnline(player: string | undefined): boolean {
    return player !== undefined && this.people.get(player)?.is_online === true;
  }

  /** Whether the server says of a player that they are connected, or are not: of most it says neither. */
  showsPresence(player: string): boolean {
    return this.people.get(player)?.hides_presence !== true;
  }

  private askNames(): Promise<void> {
    return this.loadNames([...this.asked].filter((player) => !this.people.has(player)));
  }

  /** Open a match and take its first seat. Returns the match, or a refusal: then nothing was opened. */
  async openAndSit(fields: Omit<OpenMatch, "id" | "type">, loadout: object): Promise<ServerMessage> {
    const opened = await this.client.request({
      ...fields,
      loadout,
      type: "open_match",
      push_options: true,
      include_unavailable: true,
      push_openings: true,
    });
    if (opened.type !== "opened") return opened;
    const sat = await this.sit(opened.match, 0, loadout);
    return sat.type === "refused" ? sat : opened;
  }

  /** Let a bot of the server take a free seat. */
  seatBot(match: string, bot: string, loadout: object, seat?: number): Promise<ServerMessage> {
    return this.client.request({ type: "seat_bot", match, bot, loadout, ...(seat === undefined ? {} : { seat }) });
  }

  /** Open a match in which bots have all other seats, and begin. Returns the match, or a refusal. */
  async playBots(
    fields: Omit<OpenMatch, "bots" | "id" | "loadout" | "type">,
    loadout: object,
    bots: ReadonlyArray<Omit<OpenedBot, "seat">>,
  ): Promise<ServerMessage> {
    const opened = await this.openAndSit({ ...fields, bots: bots.map((bot, k) => ({ ...bot, seat: k + 1 })) }, loadout);
    if (opened.type !== "opened") return opened;
    // Nobody waits for a person: who opens a match against a bot is ready.
    await this.beReady(opened.match);
    return opened;
  }

  async sit(match: string, seat: number, loadout: object): Promise<ServerMessage> {
    const decision = await this.waitFor(() => {
      const open = this.client.streams.get(match)?.state?.decisions ?? [];
      return open.find(({ question, seat: of }) => question.type === "seat" && of === seat);
    });
    return this.client.act(match, decision?.id, { type: "take_seat", chain_head: "", loadout });
  }

  /** Say that the player is ready, once that is asked. Where it is not asked in time, the table asks them. */
  async beReady(match: string): Promise<void> {
    const { stream, decision } =
      (await this.waitFor(() => {
        const stream = this.client.streams.get(match);
        const decision = stream?.state?.decisions.find(
          ({ question, seat }) => question.type === "ready" && seat === stream.seat,
        );
        return decision && { stream, decision };
      })) ?? {};
    if (stream && decision) await this.client.act(match, decision.id, { type: "ready" } as Action);
  }

  /** Wait until something is there that the next message may bring; at most a few seconds. */
  private async waitFor<Found>(look: () => Found | undefined): Promise<Found | undefined> {
    for (let turn = 0; turn < 100; turn += 1) {
      const found = look();
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return undefined;
  }
}

export const session = new Session();
