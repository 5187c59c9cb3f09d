// The address of a page of boards: `/learn`, `/learn/3`, `/learn/pit`, `/learn/pit-2`.

export interface LessonProps {
  /** Which board; null for the first that was not done. */
  readonly number: number | null;
}

/** Return the game and the board that an address names. */
export function lessonAt(id: string | null): LessonProps & { readonly ruleset: string } {
  const [, game = "", number = ""] = /^([a-z_]*?)-?(\d*)$/.exec(id ?? "") ?? [];
  return { ruleset: game || "diskwars", number: number ? Number(number) : null };
}
