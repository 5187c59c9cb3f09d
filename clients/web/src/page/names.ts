// What the page calls the bots and the guests of a server.

import { BOT_STRENGTH } from "./bot_strength";
import { isMessageKey, t } from "../messages";
import type { PlayerSummary } from "../protocol/types";

/** Return the name of a kind of bot; one that the page does not know is called as the server calls it. */
export function botName(kind: string): string {
  const key = `bot.${kind}`;
  return isMessageKey(key) ? t(key) : kind.slice(0, 1).toUpperCase() + kind.slice(1);
}

/** Say how a kind of bot plays, and how often it beat the next weaker one; empty for one that the page does not know. */
export function botWords(kind: string, ruleset: string): string {
  const key = `bot.${kind}.help`;
  const measured = BOT_STRENGTH[ruleset]?.[kind];
  return [
    isMessageKey(key) ? t(key) : "",
    measured ? t("bot.beats", { percent: measured.percent, name: botName(measured.over) }) : "",
  ]
    .filter(Boolean)
    .join(" ");
}

/** Return the names of one match, equal ones with a number. */
export function distinctNames(names: ReadonlyArray<string>): string[] {
  return names.map((name, k) => {
    const places = names.flatMap((other, place) => (other === name ? [place] : []));
    return places.length > 1 ? `${name} ${places.indexOf(k) + 1}` : name;
  });
}

/** The form of the name that the server gives to a guest without a chosen one. */
const UNNAMED = /^Guest [A-Z0-9]{4}$/;
/** Return the name that a player has chosen; nothing for a guest without one. */
export const chosenName = ({ name, kind }: Pick<PlayerSummary, "kind" | "name">): string =>
  kind === "registered" || (kind === "guest" && !UNNAMED.test(name)) ? name : "";

/** Return the name of a player; one that somebody's bot plays as is said to be a bot. A server calls its guests "Guest" and four letters: the page says that word in the reader's language. */
export const playerName = ({ name, kind, is_bot: isBot }: Pick<PlayerSummary, "is_bot" | "kind" | "name">): string =>
  isBot ? t("people.bot_name", { name }) : kind === "guest" ? name.replace(/^Guest(?= )/, t("people.guest")) : name;
