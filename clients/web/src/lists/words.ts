// How lists say a match: its players, its clock, what is done there, when.

import { isMessageKey, t, type MessageKey } from "../messages";
import type { ClockSummary, MatchSummary } from "../protocol/types";
import { session } from "../page/session.svelte";
import { isMine } from "./lists.svelte";
import { optionText } from "./options";
import { usualRegiments } from "./usual_armies";

/** Whether the page has a name for a ruleset, as for every one that it can show. */
export const isKnown = (ruleset: string): boolean => isMessageKey(`ruleset.${ruleset}`);
export const gameName = (ruleset: string): string =>
  isKnown(ruleset) ? t(`ruleset.${ruleset}` as MessageKey) : ruleset;
export const people = (match: MatchSummary): string =>
  session
    .namesOf(match.seats)
    .map((name, seat) => (match.seats[seat]?.player ? name : t("lobby.free")))
    .join(" · ");

/** What a content pack is called: in the reader's language, else as the server calls it, else by its id without the game. */
export function packName(pack: string): string {
  const named = session.rulesets.map(({ pack_names }) => pack_names?.[pack]).find((name) => name !== undefined);
  return optionText(`pack.${pack}`, named ?? pack.split("/").at(-1));
}

export const when = (ms: number): string =>
  new Intl.DateTimeFormat(session.language, { dateStyle: "short", timeStyle: "short" }).format(ms);

/** What is played, in a few words: the size of the armies, what is not usual, and who may watch. */
export function gameParts(match: MatchSummary): string[] {
  const { regiments, setup, ...others } = match.settings ?? {};
  const isDiskwars = match.ruleset === "diskwars";
  const special = isDiskwars ? Object.keys(others).length : Object.keys(match.settings ?? {}).length;
  const watchers = match.match_options.watchers ?? "live";
  return [
    ...(isDiskwars && !match.imported
      ? [t("new.army.regiments", { count: Number(regiments ?? usualRegiments(session.catalogue)) })]
      : []),
    ...(isDiskwars && setup === "quick" ? [t("lobby.setup.quick")] : []),
    ...(special ? [t("lobby.rules", { count: special })] : []),
    ...(match.packs ?? []).map(packName),
    ...(match.match_options.rated ? [t("new.rated")] : []),
    ...(match.match_options.visibility === "link" ? [t("new.join.link")] : []),
    ...(watchers in WATCHERS ? [t(WATCHERS[watchers as keyof typeof WATCHERS])] : []),
  ];
}
const WATCHERS = {
  round_later: "lobby.watchers.later",
  after_end: "lobby.watchers.after",
  none: "lobby.watchers.none",
} as const;

/** The settings that are not usual, one by one. */
export const settingList = (match: MatchSummary): string =>
  Object.entries(match.settings ?? {})
    .map(
      ([id, value]) =>
        `${optionText(id)}: ${typeof value === "boolean" ? t(value ? "new.on" : "new.off") : optionText(`${id}.${value}`, String(value).replaceAll("_", " "))}`,
    )
    .join("\n");

export type Pace = "days" | "live" | "no_clock";
const DAY_SECONDS = 86_400;

/** How fast a match is played. */
export function paceOf({ match_options: { clock } }: MatchSummary): Pace {
  if (!clock) return "no_clock";
  return (clock.decision_seconds ?? clock.bank_seconds ?? 0) >= DAY_SECONDS ? "days" : "live";
}

export function clockName(clock: ClockSummary | undefined): string {
  if (!clock) return t("clock.none");
  if (clock.type === "per_decision") return t("clock.each", { time: duration(clock.decision_seconds ?? 0) });
  const plus = clock.increment_seconds ? ` + ${clock.increment_seconds} s` : "";
  return `${duration(clock.bank_seconds ?? 0)}${plus}`;
}

/** A time in its two largest units. */
function duration(seconds: number): string {
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  if (days) return hours ? t("clock.days_hours", { days, hours }) : t("clock.days", { days });
  if (hours) return t("clock.hours", { hours, minutes });
  return minutes ? t("clock.minutes", { minutes }) : t("clock.seconds", { seconds: Math.round(seconds) });
}

export const deedOf = (match: MatchSummary): MessageKey =>
  isMine(match) && match.status !== "ended"
    ? "lobby.continue"
    : match.status === "open"
      ? "lobby.join"
      : match.status === "ended"
        ? "lobby.replay"
        : "lobby.watch";
