// The names in a sentence of the log: what is read first.

/** A part of a sentence, and whether it is a name. */
interface TextPart {
  readonly text: string;
  readonly isName: boolean;
}

const special = /[.*+?^${}()|[\]\\]/g;

/** Return how sentences are parted at these names; where one is part of another, the longer one is found. */
export function partsWith(names: ReadonlyArray<string>): (text: string) => ReadonlyArray<TextPart> {
  const known = [...new Set(names.filter((name) => name.length > 1))].sort((a, b) => b.length - a.length);
  if (!known.length) return (text) => [{ text, isName: false }];
  const found = new RegExp(
    `(?<![\\p{L}\\p{N}])(${known.map((name) => name.replace(special, "\\$&")).join("|")})(?![\\p{L}\\p{N}])`,
    "u",
  );
  return (text) =>
    text
      .split(found)
      .map((part, k) => ({ text: part, isName: k % 2 === 1 }))
      .filter(({ text: part }) => part !== "");
}
