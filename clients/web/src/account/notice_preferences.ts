// Preferences of notices as the form shows them, and back.

import type { NoticeChannel, NoticePreferences, NoticeRule } from "../protocol/types";

export type NoticeKind = NoticeRule["kind"];
export type ChannelKind = NoticeChannel["kind"];

export const KINDS: ReadonlyArray<NoticeKind> = [
  "your_turn",
  "day_left",
  "hour_left",
  "match_began",
  "match_ended",
  "pairing",
  "challenge",
];
const MINUTES_PER_HOUR = 60;

/** Return whether a kind of notice is sent by a kind of channel. */
export function isSent(preferences: NoticePreferences, kind: NoticeKind, channel: ChannelKind): boolean {
  return preferences.rules?.find((rule) => rule.kind === kind)?.channels.includes(channel) ?? true;
}

/** Return the preferences in which one kind of notice is sent, or not, by one kind of channel. `offered` are all of them. */
export function withSent(
  preferences: NoticePreferences,
  kind: NoticeKind,
  channel: ChannelKind,
  isOn: boolean,
  offered: ReadonlyArray<ChannelKind>,
): NoticePreferences {
  const channels = offered.filter((one) => (one === channel ? isOn : isSent(preferences, kind, one)));
  const others = preferences.rules?.filter((rule) => rule.kind !== kind) ?? [];
  return { ...preferences, rules: channels.length === offered.length ? others : [...others, { kind, channels }] };
}

/** Return a minute of the day as a field for times has it. */
export function timeOf(minute: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(Math.floor(minute / MINUTES_PER_HOUR))}:${two(minute % MINUTES_PER_HOUR)}`;
}

/** Return the minute of the day that a field for times has; null for an empty one. */
export function minuteOf(time: string): number | null {
  const found = /^(\d{2}):(\d{2})/.exec(time);
  return found ? MINUTES_PER_HOUR * Number(found[1]) + Number(found[2]) : null;
}
