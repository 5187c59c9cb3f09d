// Challenges to and from this player: what is open, what was answered, and the news that are not seen yet.

import type { Fields } from "../client/client";
import { ring } from "../page/notices";
import { refusalText } from "../page/refusals";
import { routeOf } from "../page/routes";
import { session } from "../page/session.svelte";
import type { Challenge, ChallengeChanged, ChallengePlayer, DeclineChallenge, ServerMessage } from "../protocol/types";

export type DeclineReason = NonNullable<DeclineChallenge["reason"]>;
export const REASONS = ["unspecified", "later", "too_fast", "too_slow", "other_game", "other_size"] as const;

const MAX_KEPT = 100;

class Challenges {
  private known = $state.raw<ReadonlyMap<string, Challenge>>(new Map());
  /** Whether the player takes challenges. */
  isAllowed = $state(true);
  /** What was said last and is not put away: another player's challenge, or their answer. */
  news = $state.raw<Challenge | null>(null);
  refusal = $state("");
  private seen = new Set<string>();
  private connection = "";
  /** What the challenger brings, for as long as this page lives. */
  private readonly loadouts = new Map<string, object>();

  readonly all = $derived.by(() => [...this.known.values()].sort((a, b) => b.created_ms - a.created_ms));
  readonly received = $derived.by(() => this.all.filter((one) => isOpen(one) && one.challenged === session.player));
  readonly sent = $derived.by(() => this.all.filter((one) => isOpen(one) && one.challenger === session.player));
  readonly declined = $derived.by(() =>
    this.all.filter((one) => one.status === "declined" && one.challenger === session.player),
  );

  /** Ask for the list of this connection; a new connection has to ask again. */
  async load(): Promise<void> {
    if (session.status !== "online" || this.connection === session.client.connectionId) return;
    this.connection = session.client.connectionId;
    this.replace(await session.client.request({ type: "list_challenges" } as Fields));
  }

  /** Take what was pushed. Every connection of both players gets it, also this one's own acts. */
  take({ challenge }: ChallengeChanged): void {
    const before = this.known.get(challenge.challenge)?.status;
    this.put(challenge);
    if (this.news?.challenge === challenge.challenge) this.news = null;
    const isForMe =
      challenge.status === "open" ? challenge.challenged === session.player : challenge.challenger === session.player;
    if (before === challenge.status || !isForMe || challenge.status === "withdrawn") return;
    ring();
    if (challenge.status === "accepted") void this.enter(challenge);
    else this.news = challenge;
  }

  /** Challenge a player; returns the refusal, if it is one. */
  async send(fields: Omit<ChallengePlayer, "id" | "type">, loadout: object): Promise<ServerMessage> {
    const answer = await session.client.request({ type: "challenge_player", ...fields } as Fields);
    if (answer.type === "challenge_view") {
      this.loadouts.set(answer.challenge.challenge, loadout);
      this.put(answer.challenge);
    }
    return answer;
  }

  async accept({ challenge }: Challenge): Promise<void> {
    const accepted = await this.act({ type: "accept_challenge", challenge });
    if (accepted?.match) session.go(`/m/${accepted.match}`);
  }
  decline = ({ challenge }: Challenge, reason: DeclineReason) =>
    this.act({ type: "decline_challenge", challenge, reason });
  withdraw = ({ challenge }: Challenge) => this.act({ type: "withdraw_challenge", challenge });

  async allow(allowed: boolean): Promise<void> {
    this.replace(await session.client.request({ type: "allow_challenges", allowed } as Fields));
  }

  /** Put news away, or the answer to an own challenge. */
  putAway({ challenge }: Challenge): void {
    if (this.news?.challenge === challenge) this.news = null;
    const known = this.known.get(challenge);
    if (known?.status !== "declined") return;
    this.seen.add(challenge);
    this.known = new Map([...this.known].filter(([id]) => id !== challenge));
  }

  private async act(fields: object): Promise<Challenge | null> {
    const answer = await session.client.request(fields as Fields);
    this.refusal = answer.type === "refused" ? refusalText(answer) : "";
    if (answer.type === "challenge_view") {
      this.put(answer.challenge);
      if (this.news?.challenge === answer.challenge.challenge) this.news = null;
      return answer.challenge;
    }
    // Somebody was quicker, or its time is over: the list says which.
    this.replace(await session.client.request({ type: "list_challenges" } as Fields));
    this.news = null;
    return null;
  }

  /** Take the own seat in the match of an accepted challenge, with what was meant for it; go there unless at another table. */
  private async enter(challenge: Challenge): Promise<void> {
    const { match, seat } = challenge;
    if (!match) return;
    const loadout = this.loadouts.get(challenge.challenge);
    if (loadout && seat !== undefined) {
      const watching = await session.client.watch(match);
      if (watching.type !== "refused") await session.sit(match, seat, loadout);
    }
    if (routeOf(session.path).view === "match") this.news = challenge;
    else session.go(`/m/${match}`);
  }

  private put(challenge: Challenge): void {
    const next = new Map(this.known).set(challenge.challenge, challenge);
    for (const id of [...next.keys()].slice(0, -MAX_KEPT)) next.delete(id);
    this.known = next;
    void session.loadNames([challenge.challenger, challenge.challenged]);
  }

  private replace(answer: ServerMessage): void {
    if (answer.type !== "challenge_list") return;
    const listed = (answer.challenges ?? []).filter(({ challenge }) => !this.seen.has(challenge));
    this.known = new Map(listed.map((one) => [one.challenge, one]));
    this.isAllowed = answer.allowed ?? true;
    void session.loadNames(listed.flatMap(({ challenger, challenged }) => [challenger, challenged]));
  }
}

const isOpen = ({ status, expires_ms: until }: Challenge): boolean =>
  status === "open" && until > session.client.serverNowMs();

/** The address of the sheet that challenges a player. */
export const challengePath = (name: string): string => `/new?challenge=${encodeURIComponent(name)}`;

export const challenges = new Challenges();
