// How far the chats of matches have been read on this device, so that a reload still says what is new.

import type { Keeper } from "../client/keeper";
import type { ChatMessage } from "../protocol/types";

/** The number of the last message of each channel that was read. */
export type ReadNumbers = Readonly<Record<string, number>>;
type Channels = ReadonlyMap<string, ReadonlyMap<number, ChatMessage>>;

const KEY = "diskwars.chat_read";
/** Matches of which it is known; of those before, everything counts as read. */
const MAX_MATCHES = 50;

function readAll(keeper: Keeper): Record<string, ReadNumbers> {
  try {
    const kept: unknown = JSON.parse(keeper.getItem(KEY) ?? "{}");
    return typeof kept === "object" && kept !== null ? (kept as Record<string, ReadNumbers>) : {};
  } catch {
    return {};
  }
}

/** Return how far a chat has been read; null where this device has never seen it. */
export const readNumbers = (keeper: Keeper, match: string): ReadNumbers | null => readAll(keeper)[match] ?? null;

/** Keep it, in place of the match that was kept longest ago once there are too many. */
export function keepReadNumbers(keeper: Keeper, match: string, numbers: ReadNumbers): void {
  const others = Object.entries(readAll(keeper)).filter(([other]) => other !== match);
  keeper.setItem(KEY, JSON.stringify(Object.fromEntries([...others, [match, numbers]].slice(-MAX_MATCHES))));
}

/** Return the numbers once all of these messages are read. */
export const lastNumbers = (channels: Channels): ReadNumbers =>
  Object.fromEntries([...channels].map(([channel, messages]) => [channel, Math.max(0, ...messages.keys())]));

/** Whether a message of somebody else, which is neither erased nor hidden, comes after those that were read. */
export function hasUnread(channels: Channels, read: ReadNumbers, own: string, muted: ReadonlySet<string>): boolean {
  return [...channels].some(([channel, messages]) =>
    [...messages.values()].some(
      ({ number, player, text }) =>
        number > (read[channel] ?? 0) && player !== own && text !== undefined && !muted.has(player),
    ),
  );
}
