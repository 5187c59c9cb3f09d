// Why something was refused, or cannot be chosen, in the reader's language: from the code, the rule and the numbers, never from the server's sentence alone.

import { isEnglish, names } from "../messages";
import en from "../messages/en/parts/refusals.json";
import { makeTexts, translatedText } from "../messages/texts";
import type { diskwars } from "../protocol/types";

type Key = keyof typeof en;
type Code = diskwars.RefusalCode;
const r = makeTexts("refusals", en);
/** The compiler finds a code of the protocol that has no text. */
const RULES = "rule_refusals";
const CODES: Readonly<Record<Code, string>> = en;

export interface Refusal {
  readonly code: string;
  readonly text: string;
  readonly rule?: string;
  readonly numbers?: Readonly<Record<string, number>>;
}

/** Return a sentence for a refusal. In English, that of the server says more where the page has no text for code and rule. */
export function refusalText(
  { code, text, rule, numbers = {} }: Refusal,
  nameOf: ((disk: number) => string) | null = null,
): string {
  const name = nameOf ?? ((disk: number) => `#${disk}`);
  const refused = code === "not_legal" ? (rule ?? "") : `${code}.${rule ?? ""}`;
  const ofRule =
    translatedText(RULES, `${refused}:${Object.keys(numbers).sort().join(",")}`, numbers) ??
    translatedText(RULES, refused, numbers);
  if (ofRule !== undefined) return ofRule;
  const byRule = `${code}.${rule ?? ""}`;
  const isKnown = byRule in en;
  const key = isKnown ? byRule : code;
  const values: Record<string, string> = {
    disk: numbers["disk"] === undefined ? "" : name(numbers["disk"]),
    by: names(
      Object.entries(numbers)
        .filter(([of]) => /^(by|pinning)/.test(of))
        .map(([, disk]) => name(disk)),
    ),
  };
  // A text about a disk needs one that is named: every language names the same.
  const isWhole = (of: Key) => [...en[of].matchAll(/\{(\w+)\}/g)].every(([, name]) => values[name ?? ""] !== "");
  if (key in en && isWhole(key as Key) && (isKnown || !isEnglish())) return r(key as Key, values);
  if (isEnglish()) return nameOf ? text.replace(/disk (\d+)/g, (_, id: string) => nameOf(Number(id))) : text;
  return code in CODES && !en[code as Code].includes("{") ? r(code as Code) : r("not_legal");
}

/** Return a sentence for a fault of an army. */
export function faultText(code: string, text: string): string {
  if (isEnglish()) return text;
  const key = `fault.${code}`;
  return key in en ? r(key as Key) : code in CODES ? r(code as Key) : r("illegal_army");
}
