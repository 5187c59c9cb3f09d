// The boards of all rulesets, by the name of the ruleset.

import { copyBoard, foldBoard, fullBoard, plainBoard, withDefaults, withoutDefaults } from "./board.js";
import { CLOSE_QUARTERS } from "./close_quarters_board.js";
import { PIT } from "./pit_board.js";
import { REGIMENTS } from "./regiments_board.js";

const SMALLER = { pit: PIT, close_quarters: CLOSE_QUARTERS, regiments: REGIMENTS };

function foldSmaller(game, board, event) {
  if (event.type === "match_started") return game.makeBoard(structuredClone(event));
  if (!Object.hasOwn(game.folds, event.type)) throw new Error(`${event.type} is no event that is known here`);
  if (board === null) throw new Error("a board begins with match_started");
  game.folds[event.type](board, structuredClone(event));
  return board;
}

/** Fold one event of a ruleset into its board, which is changed; the first one makes it. */
export function foldBoardOf(ruleset, board, event) {
  const game = SMALLER[ruleset];
  return game ? foldSmaller(game, board, event) : foldBoard(board, event);
}

/** A copy that folding does not change. */
export const copyBoardOf = (ruleset, board) => (SMALLER[ruleset] ? structuredClone(board) : copyBoard(board));

/** The board as JSON, with its defaults left out. */
export function plainBoardOf(ruleset, board) {
  const game = SMALLER[ruleset];
  if (!game) return plainBoard(board);
  const parts = Object.entries(game.parts).map(([name, defaults]) => [
    name,
    board[name].map((one) => withoutDefaults(one, defaults)),
  ]);
  return withoutDefaults(
    { ...board, ...Object.fromEntries(parts), ...game.plainParts(board, withoutDefaults) },
    game.defaults,
  );
}

/** The value with all its fields, those that are always there first: so a fold writes them. */
const inOrder = (value, defaults) =>
  withDefaults(
    value,
    defaults,
    Object.keys(value).filter((name) => !(name in defaults)),
  );

/** The other way round: the board that such JSON stands for. */
export function fullBoardOf(ruleset, plain) {
  const game = SMALLER[ruleset];
  if (!game) return fullBoard(plain);
  const parts = Object.entries(game.parts).map(([name, defaults]) => [
    name,
    plain[name].map((one) => inOrder(one, defaults)),
  ]);
  const others = Object.entries(game.plainParts(plain, inOrder)).filter(([, part]) => part !== undefined);
  return { ...inOrder(plain, game.defaults), ...Object.fromEntries([...parts, ...others]) };
}
