// The list of matches as the server pushes it, and the own matches among them.

import type { MatchState } from "../client/records/match.js";
import type { Fields } from "../client/client";
import type { MatchList, MatchSummary, MatchesChanged, ServerMessage } from "../protocol/types";
import { session } from "../page/session.svelte";

/** Of the list that is followed: the newest. */
const FOLLOWED_MATCHES = 100;
const PAGE_MATCHES = 30;
/** Own running matches that are watched at a time, for their small boards. */
const WATCHED_OWN_MATCHES = 6;

class MatchLists {
  private known = $state.raw<ReadonlyMap<string, MatchSummary>>(new Map());
  isLoaded = $state(false);
  private connection = "";

  readonly all = $derived.by(() => [...this.known.values()].sort((a, b) => b.updated_ms - a.updated_ms));
  readonly mine = $derived.by(() => this.all.filter((match) => match.status !== "ended" && isMine(match)));
  /** Without rematches: their seats are for those who agreed, who go there from the match that ended. */
  readonly waiting = $derived.by(() =>
    this.all.filter(
      (match) => match.status === "open" && !isMine(match) && match.match_options.rematch_of === undefined,
    ),
  );
  readonly running = $derived.by(() => this.all.filter((match) => match.status === "running" && !isMine(match)));
  readonly ended = $derived.by(() =>
    this.all.filter((match) => match.status === "ended" && match.result?.end_reason !== "closed"),
  );

  /** Follow the list of this connection; a new connection has to ask again. */
  async follow(): Promise<void> {
    if (session.status !== "online" || this.connection === session.client.connectionId) return;
    this.connection = session.client.connectionId;
    const fields: Fields = { type: "follow_matches", limit: FOLLOWED_MATCHES };
    const answer = await session.client.request(fields);
    if (answer.type !== "match_list") return;
    this.replace(answer);
    this.isLoaded = true;
  }

  /** Take up what was pushed. */
  take({ matches = [], gone = [], list_again: isStale }: MatchesChanged): void {
    const next = new Map(this.known);
    for (const match of matches) next.set(match.match, match);
    for (const match of gone) next.delete(match);
    this.set(next);
    if (!isStale) return;
    this.connection = "";
    void this.follow();
  }

  private replace({ matches }: MatchList): void {
    this.set(new Map(matches.map((match) => [match.match, match])));
    void session.loadNames(
      matches.flatMap(({ seats }) => seats.flatMap(({ player, bot }) => (player && !bot ? [player] : []))),
    );
  }

  private set(next: ReadonlyMap<string, MatchSummary>): void {
    this.known = next;
  }

  /** Watch the newest of the own running matches, for their small boards. */
  watchOwn(): void {
    for (const { match, status } of this.mine.slice(0, WATCHED_OWN_MATCHES)) {
      if (status === "running" && !session.client.streams.has(match) && !this.asked.has(match)) {
        this.asked.add(match);
        void session.client.watch(match).then(() => this.asked.delete(match));
      }
    }
  }
  private readonly asked = new Set<string>();

  /** Give up an own match: resign from one under way; leave one that has not begun, or end it where nobody else is in it. */
  async leave({ match, status, seats }: MatchSummary): Promise<ServerMessage> {
    const { client } = session;
    if (status === "open" && seats.every(({ player, bot }) => !player || bot || player === session.player)) {
      const closed = await client.request({ type: "close_match", match });
      if (closed.type !== "refused" || closed.code !== "not_opener") return closed;
    }
    if (!client.streams.has(match)) {
      const watched = await client.watch(match);
      if (watched.type === "refused") return watched;
    }
    return client.act(match, undefined, { type: status === "open" ? "leave_seat" : "resign" });
  }

  /** The state of a match that is watched; null for others, and while it is not known, or frozen for what is wrong. */
  stateOf(match: string): MatchState | null {
    const stream = session.live.streams.get(match);
    return stream?.hasCaughtUp && stream.fault === null ? stream.state : null;
  }
  /** Whether every record of a match that is watched has been checked. */
  isChecked(match: string): boolean {
    return session.live.streams.get(match)?.isChecked ?? true;
  }

  /** The own matches in which the player has to decide. */
  readonly turns = $derived.by(() => this.mine.filter(isDue).map(({ match }) => match));
}

/** Whether a running match waits for the player. */
export const isDue = ({ status, seats, deciding = [] }: MatchSummary): boolean => {
  return status === "running" && deciding.some((seat) => seats[seat]?.player === session.player);
};

export const isMine = (match: MatchSummary): boolean => {
  return match.seats.some(({ player }) => player === session.player);
};

export async function pageOf(fields: Partial<Fields> & { page?: string }): Promise<MatchList | null> {
  const answer = await session.client.request({ type: "list_matches", limit: PAGE_MATCHES, ...fields } as Fields);
  return answer.type === "match_list" ? answer : null;
}

export const lists = new MatchLists();
