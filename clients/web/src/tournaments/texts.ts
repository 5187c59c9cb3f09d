// Texts of tournaments, in the language of the reader.

import en from "../messages/en/parts/tournaments.json";
import { makeTexts } from "../messages/texts";

export const tournamentText = makeTexts("tournaments", en);
