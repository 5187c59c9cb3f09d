// Texts of tournaments, in the language of the reader.

import { de } from "../messages/de/tournaments/page";
import { en } from "../messages/en/tournaments/page";
import { makeTexts } from "../messages/texts";

export const w = makeTexts(en, de);
