// German names of the sources of the rules, by what the register calls them. Loaded with the rules.

import type { en } from "../en/origins";

export const de: Readonly<Record<keyof typeof en, string>> = {
  "article": "Artikel",
  "summary": "Zusammenfassung",
  "rulebook": "Regelbuch",
  "FAQ": "FAQ",
  "sheet": "Übersichtsblatt",
  "forum": "Forum",
  "ffg": "Verlag",
  "review": "Besprechung",
  "our ruling": "eigene Entscheidung",
  "melee page": "Seite zum Nahkampf",
  "close-combat page": "Seite zum Nahkampf auf engem Raum",
  "rule pages": "Regelseiten",
  "wiki pages": "Wikiseiten",
};
