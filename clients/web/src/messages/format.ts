// A message with its values: `catalogues.js` compiles ICU messages to what is formatted here.

export type Values = Readonly<Record<string, number | string>>;

/** A text with `{name}` for each value, or a list of such texts and of choices. */
export type Message = string | ReadonlyArray<Choice | string>;
/** What a value chooses: a case by its name, or, of a plural, by its number or by the plural rules of the language. */
type Choice = readonly [name: string, cases: Readonly<Record<string, Message>>, isPlural?: 1];

/** What every message can choose by: texts that speak of clicks speak of taps where the pointer is a finger. */
const POINTER: Values = {
  pointer: typeof matchMedia === "function" && matchMedia("(pointer: coarse)").matches ? "finger" : "mouse",
};
const RULES = new Map<string, Intl.PluralRules>();

/** Return a message in words. Values are text: nothing in them is read as a message or as markup. */
export function format(message: Message, values: Values, language: string): string {
  if (typeof message === "string")
    return message.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
  const all = { ...POINTER, ...values };
  return message
    .map((piece) => format(typeof piece === "string" ? piece : choose(piece, all, language), all, language))
    .join("");
}

function choose([name, cases, isPlural]: Choice, values: Values, language: string): Message {
  const value = values[name] ?? "";
  const names = isPlural ? [`=${value}`, pluralForm(Number(value), language), "other"] : [String(value), "other"];
  return cases[names.find((one) => Object.hasOwn(cases, one)) ?? ""] ?? "";
}

function pluralForm(count: number, language: string): string {
  const rules = RULES.get(language) ?? new Intl.PluralRules(language);
  RULES.set(language, rules);
  return rules.select(count);
}
