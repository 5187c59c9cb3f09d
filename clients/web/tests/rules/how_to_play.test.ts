// Every step of "How to play" names rules that there are, of its own game.

import { expect, test } from "vitest";

import deGuide from "../../src/messages/de/parts/how_to_play.json";
import deTable from "../../src/messages/de/parts/small.json";
import enGuide from "../../src/messages/en/parts/how_to_play.json";
import enTable from "../../src/messages/en/parts/small.json";
import plGuide from "../../src/messages/pl/parts/how_to_play.json";
import plTable from "../../src/messages/pl/parts/small.json";
import { GAMES, GUIDES } from "../../src/rules/how_to_play";
import { PUZZLES, gameOf } from "../../src/puzzles/puzzles";
import register from "../../src/rules/register.json";

test.each(GAMES)("steps of %s rest on its rules, and its picture is one of its positions", (game) => {
  const { steps, puzzle } = GUIDES[game];
  const known = new Set(register.filter((one) => one.game === game).flatMap(({ rules }) => rules.map(({ id }) => id)));
  expect(steps.length).toBeGreaterThanOrEqual(4);
  for (const { rules } of steps) {
    expect(rules.length).toBeGreaterThan(0);
    expect(rules.filter((rule) => !known.has(rule))).toEqual([]);
  }
  expect(PUZZLES).toContain(puzzle);
  expect(gameOf(puzzle)).toBe(game);
});

const LANGUAGES = { en: [enGuide, enTable], de: [deGuide, deTable], pl: [plGuide, plTable] } as const;
const STEM_LETTERS = 5;

test.each(["en", "de", "pl"] as const)("steps use the words of the tables in %s", (language) => {
  const [guide, table] = LANGUAGES[language];
  const told = [
    [guide["pit.turn"], table["pit.phase.engage"]],
    [guide["close_quarters.turn"], table["cq.advance"]],
    [guide["close_quarters.combat"], table["cq.phase.winner_consolidation"]],
    [guide["close_quarters.markers"], table["cq.stat.nerve"]],
  ] as const;
  for (const [text, word] of told) expect(text.toLowerCase()).toContain(word.toLowerCase().slice(0, STEM_LETTERS));
});
