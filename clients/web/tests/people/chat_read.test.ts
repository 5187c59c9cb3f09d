// What of a chat is new: messages of others after those that were read on this device, also after a reload.

import { describe, expect, it } from "vitest";

import type { Keeper } from "../../src/client/keeper";
import { hasUnread, keepReadNumbers, lastNumbers, readNumbers } from "../../src/people/chat_read";
import type { ChatMessage } from "../../src/protocol/types";

function makeKeeper(): Keeper {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}
const message = (number: number, player: string, text?: string): ChatMessage =>
  ({
    number,
    player,
    channel: "players",
    name: player,
    at_ms: 0,
    ...(text === undefined ? {} : { text }),
  }) as ChatMessage;
const channelsOf = (...messages: ChatMessage[]) =>
  new Map([["players", new Map(messages.map((one) => [one.number, one]))]]);

describe("messages of a chat", () => {
  it("are new where somebody else wrote after those that were read", () => {
    const channels = channelsOf(message(1, "p-marek", "Hello"), message(2, "p-own", "Hi"));
    expect(hasUnread(channels, {}, "p-own", new Set())).toBe(true);
    expect(hasUnread(channels, { players: 1 }, "p-own", new Set())).toBe(false);
    expect(hasUnread(channels, lastNumbers(channels), "p-ilse", new Set())).toBe(false);
  });
  it("are not new where they are erased, or hidden", () => {
    expect(hasUnread(channelsOf(message(1, "p-marek")), {}, "p-own", new Set())).toBe(false);
    expect(hasUnread(channelsOf(message(1, "p-marek", "Hello")), {}, "p-own", new Set(["p-marek"]))).toBe(false);
  });
  it("stay read for the next visit, match by match", () => {
    const keeper = makeKeeper();
    expect(readNumbers(keeper, "m1")).toBeNull();
    keepReadNumbers(keeper, "m1", { players: 3 });
    keepReadNumbers(keeper, "m2", { players: 1 });
    expect([readNumbers(keeper, "m1"), readNumbers(keeper, "m2")]).toEqual([{ players: 3 }, { players: 1 }]);
  });
  it("are remembered of a bounded number of matches", () => {
    const keeper = makeKeeper();
    for (let match = 0; match < 60; match += 1) keepReadNumbers(keeper, `m${match}`, { players: match });
    expect(readNumbers(keeper, "m9")).toBeNull();
    expect(readNumbers(keeper, "m59")).toEqual({ players: 59 });
  });
  it("are all unread where what was kept is damaged", () => {
    const keeper = makeKeeper();
    keeper.setItem("diskwars.chat_read", "{");
    expect(readNumbers(keeper, "m1")).toBeNull();
  });
});
