// Which match is a guided one, and which hints were read there.

import { progress } from "../../../learn/lesson_progress.svelte";
import type { diskwars } from "../../../protocol/types";

/** Every question of Diskwars that a seated player is asked; a guided match is against a bot, and asks nobody whether they are ready. */
type Hint = Exclude<diskwars.Question["type"], "ready" | "seat"> | Moment;
/** What happens between questions, or comes as one choice among others. */
export type Moment = "melee" | "reserve" | "scoring";
/** A hint stands for each of them: the first time it is asked. The compiler finds a question that has none. */
const HINTS: Record<Hint, true> = {
  first_player: true,
  initiative_order: true,
  scenario: true,
  deployment_card: true,
  terrain: true,
  deployment: true,
  scout: true,
  command_card: true,
  activation: true,
  continuation: true,
  scatter: true,
  trigger_order: true,
  engage_ability: true,
  reinforcement: true,
  rampage: true,
  engagement: true,
  melee_targets: true,
  reserve: true,
  melee: true,
  scoring: true,
};

/** Say no more in the guided match. */
export function endGuide(): void {
  if (progress.guided) progress.guide({ ...progress.guided, is_over: true });
}

/** The hint for a question of a match, or for what else is there now, unless it was read, on this device or another. */
export function hintFor(
  match: string,
  question: string | undefined,
  moments: ReadonlyArray<Moment> = [],
): Hint | null {
  const { guided } = progress;
  if (guided?.match !== match || guided.is_over) return null;
  const { hints: read = [] } = guided;
  return (
    [question, ...moments].find(
      (hint): hint is Hint => hint !== undefined && hint in HINTS && !read.includes(hint),
    ) ?? null
  );
}

export function readHint(hint: Hint): void {
  const { guided } = progress;
  if (guided) progress.guide({ ...guided, hints: [...(guided.hints ?? []), hint] });
}
