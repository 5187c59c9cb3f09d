// Values in a text: `{name}` is replaced, and `{count|disk|disks}` is the word for one or for more.

export type Values = Readonly<Record<string, number | string>>;

/** Texts that speak of clicks speak of taps where the pointer is a finger. */
const IS_FINGER = typeof matchMedia === "function" && matchMedia("(pointer: coarse)").matches;
const TAPS: ReadonlyArray<readonly [word: RegExp, tap: string]> = [
  [/\bClick\b/g, "Tap"],
  [/\bclick\b/g, "tap"],
  [/\bKlicke\b/g, "Tippe"],
  [/\bklicke\b/g, "tippe"],
];

export function fill(text: string, values: Values, isFinger = IS_FINGER): string {
  const said = isFinger && /lick/.test(text) ? TAPS.reduce((now, [word, tap]) => now.replace(word, tap), text) : text;
  return said
    .replace(/\{(\w+)\|([^|{}]*)\|([^|{}]*)\}/g, (_, name: string, one: string, more: string) =>
      Number(values[name]) === 1 ? one : more,
    )
    .replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
