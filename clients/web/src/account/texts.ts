// Texts of the account, in the language of the reader.

import en from "../messages/en/parts/account.json";
import { makeTexts } from "../messages/texts";

export type AccountText = keyof typeof en;

export const accountText = makeTexts("account", en);
