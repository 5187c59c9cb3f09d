// Values in a text: `{name}` is replaced, and `{count|disk|disks}` is the word for one or for more.

export type Values = Readonly<Record<string, number | string>>;

export function fill(text: string, values: Values): string {
  return text
    .replace(/\{(\w+)\|([^|{}]*)\|([^|{}]*)\}/g, (_, name: string, one: string, more: string) => (Number(values[name]) === 1 ? one : more))
    .replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
