// What the page calls the bots and the guests of a server.

import { t, type MessageKey } from "../messages";
import type { PlayerSummary } from "../protocol/types";
import { shell } from "../messages/en/shell";

/** Return the name of a kind of bot; one that the page does not know is called as the server calls it. */
export function botName(kind: string): string {
  const key = `bot.${kind}`;
  return key in shell ? t(key as MessageKey) : kind.slice(0, 1).toUpperCase() + kind.slice(1);
}

/** Return the name of a player. A server calls its guests "Guest" and four letters: the page says that word in the reader's language. */
export const playerName = ({ name, kind }: Pick<PlayerSummary, "kind" | "name">): string =>
  kind === "guest" ? name.replace(/^Guest(?= )/, t("people.guest")) : name;
