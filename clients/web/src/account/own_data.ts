// The own data in one value: what the answers to a fixed list of requests say of an account.

import { session } from "../page/session.svelte";
import type { OwnData, PlayerRating, ServerMessage } from "../protocol/types";

type Fields = Parameters<typeof session.client.request>[0];
type Said = Record<string, unknown>;
const MAX_PAGES = 10_000;

/** A request was refused, so the data would not be whole. */
export class DataRefused extends Error {
  constructor(readonly answer: Extract<ServerMessage, { type: "refused" }>) {
    super(answer.code);
  }
}

async function ask(request: Fields): Promise<Said> {
  const answer = await session.client.request(request);
  if (answer.type === "refused") throw new DataRefused(answer);
  return Object.fromEntries(Object.entries(answer).filter(([name]) => name !== "id" && name !== "type"));
}
async function askPages(name: string, request: Fields): Promise<unknown[]> {
  const shown: unknown[] = [];
  let page: unknown;
  for (let number = 0; number < MAX_PAGES; number += 1) {
    const said = await ask((page === undefined ? request : { ...request, page }) as Fields);
    shown.push(...((said[name] ?? []) as unknown[]));
    page = said["next_page"];
    if (page === undefined || page === null) break;
  }
  return shown;
}

/** Return the changes of the own rating, by ruleset. */
async function askRatingHistory(ratings: ReadonlyArray<PlayerRating>): Promise<Said> {
  const history: Said = {};
  for (const { ruleset } of ratings)
    history[ruleset] = await askPages("changes", { type: "get_rating_history", ruleset });
  return history;
}

/** Return everything that the server shows a player of their account. Throws DataRefused. */
export async function collectOwnData(): Promise<Said> {
  const {
    messages: first = [],
    has_more: hasMore,
    ...account
  } = (await ask({ type: "get_own_data" })) as Partial<OwnData>;
  const messages = [...first];
  for (let more = hasMore; more;) {
    const said = (await ask({ type: "get_own_data", skip: messages.length })) as Partial<OwnData>;
    messages.push(...(said.messages ?? []));
    more = said.has_more;
  }
  const statistics = await ask({ type: "get_player_statistics" });
  return {
    account,
    messages,
    devices: await ask({ type: "list_devices" }),
    notices: await ask({ type: "get_notices" }),
    followed: await ask({ type: "list_followed" }),
    muted: await ask({ type: "list_muted_players" }),
    challenges: await ask({ type: "list_challenges" }),
    lessons: await ask({ type: "add_lesson_progress" }),
    clubs: await askPages("clubs", { type: "list_clubs", mine: true }),
    tournaments: [
      ...(await askPages("tournaments", { type: "list_tournaments", mine: true })),
      ...(await askPages("tournaments", { type: "list_tournaments", mine: true, over: true })),
    ],
    statistics,
    rating_history: await askRatingHistory((statistics["ratings"] ?? []) as ReadonlyArray<PlayerRating>),
    matches: await askPages("matches", { type: "list_matches", mine: true }),
  };
}
