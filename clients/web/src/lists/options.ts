// The options of a match in words. A server may have options that the page does not know: they are shown as it names them.

import { de } from "../messages/de/options";
import { en } from "../messages/en/options";
import { makeTexts } from "../messages/texts";

const o = makeTexts(en, de);

export const optionText = (key: string, unknown: string = key.replaceAll("_", " ")): string =>
  key in en ? o(key as keyof typeof en) : unknown;
