// The bounds of a typed order, its words and its numbers: those of the terminal.

import { t } from "../messages";

const MAX_LETTERS = 2_000;
/** More than it takes to deploy the largest army by hand. Names are looked for among all words, which takes long. */
const MAX_WORDS = 200;
const MAX_DIGITS = 9;

/** Return why a line is too long for an order; empty where it is not. */
export function orderSizeFault(line: string): string {
  const isLong = [...line].length > MAX_LETTERS || (line.match(/\S+/g) ?? []).length > MAX_WORDS;
  if (!isLong && !/[0-9]{10}/.test(line)) return "";
  return t("cmd.long", { words: MAX_WORDS, letters: MAX_LETTERS, digits: MAX_DIGITS });
}
