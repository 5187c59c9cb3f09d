// Why something was refused, or cannot be chosen, in the reader's language: from the code, the rule and the numbers, never from the server's sentence alone.

import { language, names } from "../messages";
import { de } from "../messages/de/refusals";
import { ruleRefusals } from "../messages/de/rule_refusals";
import { en } from "../messages/en/refusals";
import { fill } from "../messages/fill";
import { makeTexts } from "../messages/texts";
import type { diskwars } from "../protocol/types";

type Key = keyof typeof en;
type Code = diskwars.RefusalCode;
const r = makeTexts(en, de);
/** The compiler finds a code of the protocol that has no text. */
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
  if (language() === "de") {
    const refused = code === "not_legal" ? (rule ?? "") : `${code}.${rule ?? ""}`;
    const ofRule = ruleRefusals[`${refused}:${Object.keys(numbers).sort().join(",")}`] ?? ruleRefusals[refused];
    if (ofRule) return fill(ofRule, numbers);
  }
  const byRule = `${code}.${rule ?? ""}`;
  const isKnown = byRule in en;
  const key = isKnown ? byRule : code;
  const values = {
    disk: numbers["disk"] === undefined ? "" : name(numbers["disk"]),
    by: names(
      Object.entries(numbers)
        .filter(([of]) => /^(by|pinning)/.test(of))
        .map(([, disk]) => name(disk)),
    ),
  };
  const template = key in en ? (language() === "de" ? de : en)[key as Key] : "";
  // A text about a disk needs one that is named.
  const isWhole = !/\{disk\}/.test(template) || values.disk !== "";
  const hasPins = !/\{by\}/.test(template) || values.by !== "";
  if (template && isWhole && hasPins && (isKnown || language() !== "en")) return r(key as Key, values);
  if (language() === "en") return nameOf ? text.replace(/disk (\d+)/g, (_, id: string) => nameOf(Number(id))) : text;
  return code in CODES && !/\{/.test(de[code as Code]) ? r(code as Key) : r("not_legal");
}

/** Return a sentence for a fault of an army. */
export function faultText(code: string, text: string): string {
  if (language() === "en") return text;
  const key = `fault.${code}`;
  return key in en ? r(key as Key) : code in CODES ? r(code as Key) : r("illegal_army");
}
