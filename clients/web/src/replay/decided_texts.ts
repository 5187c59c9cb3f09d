// The texts of the page about what decided a match, loaded with it.

import en from "../messages/en/parts/decided.json";
import { makeTexts } from "../messages/texts";

export const decidedText = makeTexts("decided", en);
