// What the whole page shares: the connection, the player's names, the route, theme and language.

import { Client, type SocketLike, type Status } from "./client/client";
import type { Keeper } from "./client/secrets";
import { language, setLanguage, t, type Language } from "./messages";
import type { MatchSummary, PlayerSummary, RulesetSummary, ServerMessage, diskwars } from "./protocol/types";
import { letterOf } from "./board/view";

const THEME_KEY = "diskwars.theme";
const LANGUAGE_KEY = "diskwars.language";
/** Names that are asked for at once: the bound of the protocol. */
const MAX_NAMES = 100;

/** A browser may forbid its storage; then everything lasts as long as the page. */
function makeKeeper(): Keeper {
  try {
    localStorage.setItem("diskwars.probe", "1");
    localStorage.removeItem("diskwars.probe");
    return localStorage;
  } catch {
    const kept = new Map<string, string>();
    return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value), removeItem: (key) => void kept.delete(key) };
  }
}

export class Session {
  readonly keeper = makeKeeper();
  readonly client: Client;
  /** Grows with everything that is received: what is derived from the client's own objects reads it. */
  tick = $state(0);
  status = $state<Status>("connecting");
  path = $state(location.pathname);
  theme = $state<"dark" | "light">("dark");
  language = $state<Language>("en");
  matches = $state.raw<ReadonlyArray<MatchSummary>>([]);
  catalogue = $state.raw<diskwars.Catalogue | null>(null);
  private people = $state.raw<ReadonlyMap<string, PlayerSummary>>(new Map());
  private readonly asked = new Set<string>();

  constructor() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.client = new Client({
      url: `${scheme}://${location.host}/ws`,
      open: (url) => new WebSocket(url) as unknown as SocketLike,
      keeper: this.keeper,
      onChange: () => {
        this.tick += 1;
        this.status = this.client.status;
      },
    });
    this.setTheme(this.keeper.getItem(THEME_KEY) ?? (matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark"));
    this.chooseLanguage(this.keeper.getItem(LANGUAGE_KEY) ?? (navigator.language.startsWith("de") ? "de" : "en"));
    addEventListener("popstate", () => (this.path = location.pathname));
    addEventListener("online", () => this.client.reconnectNow());
    this.client.start();
  }

  get rulesets(): ReadonlyArray<RulesetSummary> {
    void this.tick;
    return this.client.rulesets;
  }
  get player(): string {
    void this.tick;
    return this.client.player;
  }

  go(path: string): void {
    if (path !== location.pathname) history.pushState(null, "", path);
    this.path = path;
  }

  setTheme(theme: string): void {
    this.theme = theme === "light" ? "light" : "dark";
    document.documentElement.dataset["theme"] = this.theme;
    this.keeper.setItem(THEME_KEY, this.theme);
  }

  chooseLanguage(chosen: string): void {
    setLanguage(chosen === "de" ? "de" : "en");
    this.language = language();
    document.documentElement.lang = this.language;
    this.keeper.setItem(LANGUAGE_KEY, this.language);
  }

  async listMatches(): Promise<void> {
    const answer = await this.client.request({ type: "list_matches", limit: 60 });
    if (answer.type === "match_list") this.matches = answer.matches;
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
    if (bot) return t("seat.bot", { name: bot.slice(0, 1).toUpperCase() + bot.slice(1) });
    const known = this.people.get(player);
    if (known) return known.name;
    if (!this.asked.has(player)) {
      this.asked.add(player);
      queueMicrotask(() => void this.askNames());
    }
    return t("seat.name", { letter: letterOf(seat).toUpperCase() });
  }

  private async askNames(): Promise<void> {
    const wanted = [...this.asked].filter((player) => !this.people.has(player)).slice(0, MAX_NAMES);
    if (wanted.length === 0) return;
    const answer = await this.client.request({ type: "get_players", players: wanted });
    if (answer.type !== "player_list") return;
    this.people = new Map([...this.people, ...answer.players.map((one) => [one.player, one] as const)]);
  }

  /** Open a match, sit down, and let a bot sit opposite: two clicks to the table. Returns the match, or a refusal. */
  async playBot(bot: string, army: string, opposing: string, setup: "full" | "quick"): Promise<ServerMessage> {
    const opened = await this.openMatch(setup, army);
    if (opened.type !== "opened") return opened;
    const { match } = opened;
    const sat = await this.sit(match, 0, army);
    if (sat.type === "refused") return sat;
    const seated = await this.client.request({ type: "seat_bot", match, bot, seat: 1, loadout: { army: opposing } });
    if (seated.type === "refused") return seated;
    return opened;
  }

  async openMatch(setup: "full" | "quick", army: string): Promise<ServerMessage> {
    const regiments = this.catalogue?.armies.find(({ id }) => id === army)?.regiments.length ?? 1;
    return this.client.request({
      type: "open_match", ruleset: "diskwars", seat_count: 2, settings: { setup, regiments },
      push_options: true, include_unavailable: true, push_openings: true,
    });
  }

  async sit(match: string, seat: number, army: string): Promise<ServerMessage> {
    const decision = await this.waitFor(() => {
      const open = this.client.streams.get(match)?.state?.decisions ?? [];
      return open.find(({ question, seat: of }) => question.type === "seat" && of === seat);
    });
    return this.client.act(match, decision?.id, { type: "take_seat", chain_head: "", loadout: { army } });
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
