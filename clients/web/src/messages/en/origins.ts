// English names of the sources of the rules, by what the register calls them. Loaded with the rules.

export const en = {
  "article": "article",
  "summary": "summary",
  "rulebook": "rulebook",
  "FAQ": "FAQ",
  "sheet": "sheet",
  "forum": "forum",
  "ffg": "ffg",
  "review": "review",
  "our ruling": "our ruling",
  "melee page": "melee page",
  "close-combat page": "close-combat page",
  "rule pages": "rule pages",
  "wiki pages": "wiki pages",
} as const;
