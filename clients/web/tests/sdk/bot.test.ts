// The runner of bots where somebody else was quicker: the match goes on, and nothing waits for a change that has come.

import { describe, expect, it } from "vitest";

import { playBot } from "../../src/sdk/bot";
import { DiskwarsError } from "../../src/sdk/errors";
import type { Match } from "../../src/sdk/match";

const RESULT = { winners: [0] };

/** A match that ends after the first act, which is refused; `waited` counts what waits for a change. */
function matchRefusing(code: string, state: object, decisions: ReadonlyArray<object>) {
  const counts = { acts: 0, waited: 0 };
  const match = {
    state,
    seat: 0,
    head: 3,
    result: null as object | null,
    openDecisions: decisions,
    caughtUp: () => Promise.resolve(),
    takeControl: () => Promise.resolve(),
    options: () => Promise.resolve({ actions: [{ type: "pass" }] }),
    act() {
      counts.acts += 1;
      // The records come before the refusal, as those of another seat do.
      [match.head, match.result] = [4, RESULT];
      return Promise.reject(new DiskwarsError(code, "too late"));
    },
    player: {
      nextChange() {
        counts.waited += 1;
        return match.head === 4 ? Promise.reject(new Error("nothing follows")) : Promise.resolve();
      },
    },
  };
  return { match: match as unknown as Match, counts };
}
const offer = { id: "o1", seat: 1, offer: { type: "pause" } };

describe("a bot that is too late", () => {
  it.each(["no_offer", "already_agreed"])("goes on after an offer that is closed: %s", async (code) => {
    const { match, counts } = matchRefusing(code, { offer }, []);
    expect(await playBot(match, () => ({ type: "pass" }) as never)).toBe(RESULT);
    expect(counts).toEqual({ acts: 1, waited: 0 });
  });

  it("looks again at once where the records came before the refusal", async () => {
    const decision = { id: "d1", seat: 0, question: { type: "activation" } };
    const { match, counts } = matchRefusing("stale_decision", {}, [decision]);
    expect(await playBot(match, () => ({ type: "pass" }) as never)).toBe(RESULT);
    expect(counts).toEqual({ acts: 1, waited: 0 });
  });
});
