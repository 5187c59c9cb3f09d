// Texts of the puzzles, in the language of the reader.

import en from "../messages/en/parts/puzzles.json";
import { makeTexts } from "../messages/texts";

export const puzzleText = makeTexts("puzzles", en);
