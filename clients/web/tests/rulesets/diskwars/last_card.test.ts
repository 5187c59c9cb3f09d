// The last card of a hand: locked by the page once for each decision, also where the question came before an answer.

import { describe, expect, it } from "vitest";

import { LastCardLock, lastCardOf } from "../../../src/rulesets/diskwars/last_card";
import type { diskwars } from "../../../src/protocol/types";

const handOf = (...cards: string[]): diskwars.Options => ({
  actions: cards.map((card) => ({ type: "lock_card", card })),
});

describe("the last card of a hand", () => {
  it("is the only one that may be locked", () => {
    expect(lastCardOf(handOf("hold-fast"))).toBe("hold-fast");
    expect(lastCardOf(handOf("hold-fast", "dark-omens"))).toBeNull();
    expect(lastCardOf(handOf())).toBeNull();
    expect(lastCardOf({})).toBeNull();
  });
  it("waits while another answer is on its way, and is locked after it", () => {
    const lock = new LastCardLock();
    expect(lock.take("7.0", handOf("hold-fast"), true)).toBeNull();
    expect(lock.take("7.0", handOf("hold-fast"), false)).toBe("hold-fast");
  });
  it("is tried once for each decision", () => {
    const lock = new LastCardLock();
    lock.take("7.0", handOf("hold-fast"), false);
    expect(lock.take("7.0", handOf("hold-fast"), false)).toBeNull();
    expect(lock.take("9.0", handOf("hold-fast"), false)).toBe("hold-fast");
  });
});
