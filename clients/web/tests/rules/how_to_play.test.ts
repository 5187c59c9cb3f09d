// Every step of "How to play" names rules that there are, of its own game.

import { expect, test } from "vitest";

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
