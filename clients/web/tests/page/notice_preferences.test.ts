// Preferences of notices as the form shows them, and back.

import { describe, expect, it } from "vitest";

import { isSent, KINDS, minuteOf, timeOf, withSent, type ChannelKind } from "../../src/account/notice_preferences";

const OFFERED: ReadonlyArray<ChannelKind> = ["email", "push"];

describe("kinds and channels", () => {
  it("sends every kind by every channel without a rule", () => {
    for (const kind of KINDS) for (const channel of OFFERED) expect(isSent({}, kind, channel)).toBe(true);
  });

  it("turns one channel of one kind off, and leaves no rule when it is on again", () => {
    const off = withSent({}, "your_turn", "email", false, OFFERED);
    expect(off.rules).toEqual([{ kind: "your_turn", channels: ["push"] }]);
    expect([isSent(off, "your_turn", "email"), isSent(off, "your_turn", "push")]).toEqual([false, true]);
    expect(isSent(off, "match_ended", "email")).toBe(true);
    const none = withSent(off, "your_turn", "push", false, OFFERED);
    expect(none.rules).toEqual([{ kind: "your_turn", channels: [] }]);
    const back = withSent(withSent(none, "your_turn", "push", true, OFFERED), "your_turn", "email", true, OFFERED);
    expect(back.rules).toEqual([]);
  });
});

describe("times of day", () => {
  it("are those of a field for times", () => {
    for (const [minute, time] of [
      [0, "00:00"],
      [450, "07:30"],
      [1439, "23:59"],
    ] as const) {
      expect(timeOf(minute)).toBe(time);
      expect(minuteOf(time)).toBe(minute);
    }
    expect(minuteOf("")).toBe(null);
    expect(minuteOf("23:59:30")).toBe(1439);
  });
});
