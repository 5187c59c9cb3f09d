// Texts of clubs, in the language of the reader.

import en from "../messages/en/parts/clubs.json";
import { makeTexts } from "../messages/texts";

export const clubText = makeTexts("clubs", en);
