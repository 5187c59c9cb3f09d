// Texts of the account, in the language of the reader.

import en from "../messages/en/parts/account.json";
import { makeTexts } from "../messages/texts";

export type AccountText = keyof typeof en;

export const accountText = makeTexts("account", en);

/** Return what a token may be used for, as a list in words. */
export const scopesText = (scopes: ReadonlyArray<string>): string =>
  scopes.map((scope) => accountText(`account.scope.${scope}` as AccountText)).join(", ");
