// Everything that may be answered to a question of a small game, as a numbered list for its command line.

import { isSameAction, type Asked } from "./game";

export interface Answer {
  readonly label: string;
  readonly kind: "choice" | "commit" | "spot" | "token" | "way";
  /** The place in its own list, or the id of a token. */
  readonly at: number;
}

export function answersOf(asked: Asked, tokenName: (id: number) => string): Answer[] {
  return [
    ...(asked.commit ? [{ label: asked.commit.label, kind: "commit" as const, at: 0 }] : []),
    ...asked.ways.map(({ label }, at) => ({ label, kind: "way" as const, at })),
    // What is drafted is there already, as what the button sends.
    ...asked.choices.flatMap(({ label, action }, at) =>
      asked.commit && isSameAction(action, asked.commit.action) ? [] : [{ label, kind: "choice" as const, at }],
    ),
    ...[...asked.tokens.keys()].map((id) => ({ label: tokenName(id), kind: "token" as const, at: id })),
    ...asked.spots.map(({ label }, at) => ({ label, kind: "spot" as const, at })),
  ];
}

/** Return the answer that a line means: by its number, its label, or the beginning of exactly one label; else those that it might mean. */
export function answerNamed(line: string, answers: ReadonlyArray<Answer>): Answer | ReadonlyArray<Answer> {
  const word = line.trim().toLowerCase();
  if (/^\d+$/.test(word)) return answers[Number(word) - 1] ?? [];
  const whole = answers.filter(({ label }) => label.toLowerCase() === word);
  const found = whole.length ? whole : answers.filter(({ label }) => label.toLowerCase().startsWith(word));
  return found.length === 1 && found[0] ? found[0] : found;
}
