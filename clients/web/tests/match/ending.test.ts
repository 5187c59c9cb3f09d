import { expect, test } from "vitest";

import type { Result } from "../../src/protocol/types";
import { endingTitle } from "../../src/match/ending";

const SEATS = ["Ann", "Ben", "Cleo"];
const won = (...winners: number[]): Result => ({ end_reason: "victory_points", winners, scores: [3, 9, 9] });

test("a player reads whether they have won", () => {
  expect(endingTitle(won(1), SEATS, 1)).toBe("You win");
  expect(endingTitle(won(1), SEATS, 0)).toBe("You lose: Ben wins");
  expect(endingTitle(won(1, 2), SEATS, 0)).toBe("You lose: Ben and Cleo win");
});

test("a spectator reads the name of the winner, and a player who shares the victory the names of all winners", () => {
  expect(endingTitle(won(0), SEATS, null)).toBe("Ann wins");
  expect(endingTitle(won(1, 2), SEATS, 2)).toBe("Ben and Cleo win");
});

test("a match that nobody has won says so to everybody", () => {
  for (const own of [null, 0]) {
    expect(endingTitle(won(), SEATS, own)).toBe("Nobody wins");
    expect(endingTitle({ ...won(), end_reason: "stopped" }, SEATS, own)).toBe("Stopped by the server");
  }
});
