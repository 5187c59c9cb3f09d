// The options of a match in words. A server may have options that the page does not know: they are shown as it names them.

import en from "../messages/en/parts/options.json";
import { makeTexts } from "../messages/texts";

const o = makeTexts("options", en);

export const optionText = (key: string, unknown: string = key.replaceAll("_", " ")): string =>
  key in en ? o(key as keyof typeof en) : unknown;
