// The sheet of keys: every key that the page handles at a table or in a replay is on it.

import { readdirSync, readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

const SOURCE = new URL("../../src/", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, SOURCE), "utf8");
const filesOf = (folder: string): string[] =>
  readdirSync(new URL(folder, SOURCE), { recursive: true, encoding: "utf8" })
    .map((path) => `${folder}${path}`)
    .filter((path) => /\.(svelte|ts)$/.test(path));

/** As the sheet writes them. */
const SIGNS: Readonly<Record<string, string>> = {
  " ": "␣",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  Backspace: "⌫",
  Escape: "Esc",
};
/** `=` is `+` without Shift; with these a text field and the buttons of a card do what all such do. */
const LEFT_OUT = new Set(["="]);
const SHARED = ["board/Board.svelte", "match/bar/AnswerBar.svelte", "match/MatchScreen.svelte"];
/** Screens of their own, which are no table of a match. */
const NO_TABLE = /\/(lessons|figures|guide|decided)\/|CommandLine\.svelte/;

/** Return the keys that a source compares with, or gives to a choice. */
function handledKeys(text: string): string[] {
  const patterns = [
    /\bkey(?:\.to(?:Lower|Upper)Case\(\))? [!=]== "([^"]+)"/g,
    /\b(?:shortcut =|key:) "([^"]+)"/g,
    /^ +(Arrow\w+): \[/gm,
    /^ {6}(?:"([^"]+)"|(?!act\b)(\w+)): (?:\(\) =>|on[A-Z]|catchUp)/gm,
  ];
  return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map((found) => found[1] ?? found[2] ?? ""));
}
function shownKeys(text: string): Set<string> {
  const labels = [...text.matchAll(/^ {4}\["([^"]+)", "\w+"\],$/gm)].map((found) => found[1] ?? "");
  return new Set(labels.flatMap((label) => label.split(" ")).map((sign) => sign.toUpperCase()));
}
const missing = (sheet: string, files: ReadonlyArray<string>, leftOut = LEFT_OUT): string[] => {
  const shown = shownKeys(read(sheet));
  expect(shown.size).toBeGreaterThan(5);
  const handled = files.flatMap((file) => handledKeys(read(file)));
  expect(handled.length).toBeGreaterThan(5);
  return [...new Set(handled)].filter((key) => !leftOut.has(key) && !shown.has((SIGNS[key] ?? key).toUpperCase()));
};

describe("the sheet of keys", () => {
  it("has every key of a table of Diskwars", () => {
    const files = filesOf("rulesets/diskwars/").filter((path) => !NO_TABLE.test(path));
    // To play on from here is offered to those who watch: the sheet of the replay has it.
    expect(missing("rulesets/diskwars/match_view.ts", [...files, ...SHARED])).toEqual([]);
  });
  it("has every key of a table of the small games", () => {
    const files = filesOf("rulesets/small/").filter((path) => !NO_TABLE.test(path));
    // Their pieces lie in no stacks, nobody branches under the hands of those who play, and the space bar presses what has
    // the focus, as everywhere.
    const leftOut = new Set([...LEFT_OUT, "v", "b", " "]);
    expect(missing("rulesets/small/match_view.ts", [...files, ...SHARED], leftOut)).toEqual([]);
  });
  it("has every key of a replay", () => {
    expect(missing("match/KeyHelp.svelte", ["match/ReplayBar.svelte"])).toEqual([]);
  });
});
