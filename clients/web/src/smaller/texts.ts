// The texts of the smaller games, loaded with them.

import { de } from "../messages/de/smaller";
import { en } from "../messages/en/smaller";
import { makeTexts } from "../messages/texts";

export const g = makeTexts(en, de);
