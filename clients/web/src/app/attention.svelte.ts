// Keeps an eye on all own matches, wherever the player is on the page, and says when a decision waits for them.

import { untrack } from "svelte";
import type {
  ChallengeChanged,
  ChatPosted,
  MatchFound,
  MatchesChanged,
  RematchChanged,
  TournamentChanged,
} from "../protocol/types";
import { clubs } from "../clubs/clubs.svelte";
import { challenges } from "../people/challenges.svelte";
import { friends } from "../people/friends.svelte";
import { rematches } from "../people/rematches.svelte";
import { session } from "../page/session.svelte";
import { showDot } from "../page/favicon";
import { isDue, lists } from "../lists/lists.svelte";
import { followClicks, sayTurn } from "../page/notices";
import { followed } from "../tournaments/followed.svelte";
import { quick } from "../lobby/quick.svelte";

/** Start to follow the list and the own matches. Call it once, while a component is made. */
export function followMatches(): void {
  session.onPush = (message) => {
    if (message.type === "matches_changed") lists.take(message as MatchesChanged);
    if (message.type === "chat_posted") session.onChat(message as ChatPosted);
    if (message.type === "match_found") quick.take(message as MatchFound);
    if (message.type === "rematch_changed") rematches.take(message as RematchChanged);
    if (message.type === "challenge_changed") challenges.take(message as ChallengeChanged);
    if (message.type === "club_changed") clubs.changes += 1;
    if (message.type === "tournament_changed") followed.take(message as TournamentChanged);
  };
  followClicks((path) => session.go(path));
  $effect(() => showDot("lists", lists.turns.length > 0));
  // The server waits with notices about a match while its player looks at it, on any device.
  let isVisible = $state(!document.hidden);
  $effect(() => {
    const look = () => void (isVisible = !document.hidden);
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  });
  // Values of their own: the session follows every message, and its answer is one.
  const isKnown = $derived(session.status === "online" && session.account !== null);
  const inView = $derived(isVisible ? (/^\/m\/([0-9a-z-]+)/.exec(session.path)?.[1] ?? "") : "");
  $effect(() => {
    const [match, isOnline] = [inView, isKnown];
    if (isOnline) untrack(() => void session.client.request({ type: "look_at", ...(match ? { match } : {}) }));
  });
  $effect(() => {
    if (isKnown)
      untrack(() => {
        void challenges.load();
        void friends.load();
      });
  });
  let before = new Set<string>();
  $effect(() => {
    if (session.status === "online") void lists.follow();
  });
  $effect(() => {
    if (lists.isLoaded) lists.watchOwn();
  });
  $effect(() => {
    const open = new Map(lists.mine.filter(isDue).map(({ match, updated_ms }) => [`${match} ${updated_ms}`, match]));
    for (const [id, match] of open) {
      if (!before.has(id) && (document.hidden || session.path !== `/m/${match}`))
        sayTurn(match, (path) => session.go(path));
    }
    before = new Set(open.keys());
  });
}
