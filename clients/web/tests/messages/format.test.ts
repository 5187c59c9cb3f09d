// ICU messages as the build compiles them, with the values that the page puts in.

import { describe, expect, it } from "vitest";

import { compileMessage } from "../../catalogues.js";
import { languageName, pickLanguage } from "../../src/messages";
import { format, type Message, type Values } from "../../src/messages/format";

const say = (text: string, values: Values = {}, language = "en") =>
  format(compileMessage(text) as Message, values, language);

describe("a message", () => {
  it("has the plural form of its language", () => {
    const disks = "{count, plural, one {# dysk} few {# dyski} many {# dysków} other {# dysku}}";
    const counts = [1, 2, 5, 12, 22, 1.5];
    expect(counts.map((count) => say(disks, { count }, "pl"))).toEqual([
      "1 dysk",
      "2 dyski",
      "5 dysków",
      "12 dysków",
      "22 dyski",
      "1.5 dysku",
    ]);
    expect([0, 1, 2].map((count) => say("{count, plural, one {one disk} other {# disks}}", { count }))).toEqual([
      "0 disks",
      "one disk",
      "2 disks",
    ]);
  });
  it("has a case for an exact number before the form of its language", () => {
    const text = "{count, plural, =0 {nobody} one {# player} other {# players}} at {place}";
    expect([0, 1, 3].map((count) => say(text, { count, place: "home" }))).toEqual([
      "nobody at home",
      "1 player at home",
      "3 players at home",
    ]);
  });
  it("chooses by a word, also within a choice, and never by what an object inherits", () => {
    const text = "{who, select, you {You win {count, plural, one {# point} other {# points}}} other {{who} wins}}.";
    expect(say(text, { who: "you", count: 1 })).toBe("You win 1 point.");
    expect(say(text, { who: "Ann", count: 1 })).toBe("Ann wins.");
    expect(say(text, { who: "constructor", count: 1 })).toBe("constructor wins.");
  });
  it("takes values as text: no message, no choice and no markup in them is read", () => {
    const name = "<b>{other}</b> {count, plural, other {#}}";
    expect(say("{name} and {other}", { name, other: "x" })).toBe(`${name} and x`);
    expect(say("{count, plural, other {{name}: #}}", { name, count: 2 })).toBe(`${name}: 2`);
    expect(say("a <b>text</b>")).toBe("a <b>text</b>");
  });
  it("leaves the place of a value that is not given", () => {
    expect(say("{name} waits")).toBe("{name} waits");
  });
  it("speaks of clicks, where the pointer is a finger of taps", () => {
    const text = "{pointer, select, finger {Tap} other {Click}} {name}.";
    expect([say(text, { name: "it" }), say(text, { name: "it", pointer: "finger" })]).toEqual(["Click it.", "Tap it."]);
  });
});

describe("the compiler of messages", () => {
  it("keeps a text with values as it is", () => {
    expect(compileMessage("{name}'s disk")).toBe("{name}'s disk");
  });
  it("refuses what the page does not format", () => {
    const faults = [
      "{count, plural, one {#}}",
      "{count, number}",
      "{at, date}",
      "{count",
      "{n, selectordinal, other {#}}",
      "'{'name'}'",
    ];
    for (const text of faults) expect(() => compileMessage(text), text).toThrow(SyntaxError);
  });
});

describe("languages", () => {
  it("are called by their own names", () => {
    expect(["en", "de", "pl"].map(languageName)).toEqual(["English", "Deutsch", "Polski"]);
  });
  it("are picked in the order of the browser", () => {
    expect(pickLanguage(["fr-CA", "de-AT", "en"])).toBe("de");
    expect(pickLanguage(["fr", "en-GB", "de"])).toBe("en");
    expect(pickLanguage(["fr"])).toBe("en");
  });
});
