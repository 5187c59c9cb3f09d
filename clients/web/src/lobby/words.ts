// How lists say a match: its players, its clock, what is done there, when.

import type { MessageKey } from "../messages";
import { t } from "../messages";
import type { ClockSummary, MatchSummary } from "../protocol/types";
import { session } from "../session.svelte";
import { SMALLER_GAMES } from "../smaller/games";
import { isMine } from "./lists.svelte";

export const isKnown = (ruleset: string): boolean => ruleset === "diskwars" || SMALLER_GAMES[ruleset] !== undefined;
export const gameName = (ruleset: string): string => (isKnown(ruleset) ? t(`ruleset.${ruleset}` as MessageKey) : ruleset);
export const people = (match: MatchSummary): string => match.seats.map(({ player }, seat) => (player ? session.nameOf(player, seat) : t("lobby.free"))).join(" · ");
export const when = (ms: number): string => new Intl.DateTimeFormat(session.language, { dateStyle: "short", timeStyle: "short" }).format(ms);

export function clockName(clock: ClockSummary | undefined): string {
  if (!clock) return t("clock.none");
  if (clock.type === "per_decision") return t("clock.each", { time: duration(clock.decision_seconds ?? 0) });
  const plus = clock.increment_seconds ? ` + ${clock.increment_seconds} s` : "";
  return `${duration(clock.bank_seconds ?? 0)}${plus}`;
}

/** A time in its two largest units. */
export function duration(seconds: number): string {
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  if (days) return hours ? t("clock.days_hours", { days, hours }) : t("clock.days", { days });
  if (hours) return t("clock.hours", { hours, minutes });
  return minutes ? t("clock.minutes", { minutes }) : t("clock.seconds", { seconds: Math.round(seconds) });
}

export const deedOf = (match: MatchSummary): MessageKey =>
  isMine(match) && match.status !== "ended" ? "lobby.continue" : match.status === "open" ? "lobby.join" : match.status === "ended" ? "lobby.replay" : "lobby.watch";
