// How clubs are said: days, times, and the letters of an emblem.

import { session } from "../page/session.svelte";
import type { ActInClub } from "../protocol/types";

/** What one can do in a club. */
export type ClubAct = ActInClub["act"];

export const day = (ms: number): string =>
  new Intl.DateTimeFormat(session.language, { day: "numeric", month: "long" }).format(ms);

export const time = (ms: number): string =>
  new Intl.DateTimeFormat(session.language, { hour: "2-digit", minute: "2-digit" }).format(ms);

export const weekday = (ms: number): string =>
  new Intl.DateTimeFormat(session.language, { weekday: "short", day: "numeric", month: "short" }).format(ms);

/** Return the first letters of the first two words of a name. */
export const initials = (name: string): string =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? "")
    .join("")
    .toLocaleUpperCase(session.language);

/** Go to a path of the page, unless the link is to be opened elsewhere. */
export function follow(event: MouseEvent, path: string): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  session.go(path);
}
