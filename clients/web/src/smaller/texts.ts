// The texts of the smaller games, loaded with them.

import { de } from "../messages/de/smaller";
import { en } from "../messages/en/smaller";
import { language } from "../messages";
import { contentNames } from "../messages/de/content_names";
import { makeTexts } from "../messages/texts";

export const g = makeTexts(en, de);

/** What the reader calls a piece, a weapon or a card. One of a pack that the page does not know is called as the pack calls it. */
export const contentName = (name: string): string => (language() === "de" ? (contentNames[name] ?? name) : name);
