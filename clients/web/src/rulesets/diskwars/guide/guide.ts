// Which match is a guided one, and which hints were read there.

import { progress } from "../../../learn/lesson_progress.svelte";
import type { Values } from "../../../messages/format";
import type { diskwars } from "../../../protocol/types";
import type { FirstUse, Use } from "./first_uses";

/** Every question of Diskwars that a seated player is asked; a guided match is against a bot, and asks nobody whether they are ready. */
type Hint = Exclude<diskwars.Question["type"], "ready" | "seat"> | Moment;
/** What happens between questions, or comes as one choice among others. */
export type Moment = "melee" | "reserve";
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
};

const isHint = (id: string | undefined): id is Hint => id !== undefined && id in HINTS;

/** A hint, the values in it, and the thing that it speaks of where that is one thing of the table. */
export type ShownHint = FirstUse | { readonly id: Hint; readonly values: Values };

/** End the hints of the guided match. */
export function endGuide(): void {
  if (progress.guided) progress.guide({ ...progress.guided, is_over: true });
}

/** The hints for a question of a match, and for what else is there now, that were not read, on this device or another. */
export function unreadHints(
  match: string,
  question: string | undefined,
  uses: ReadonlyArray<FirstUse> = [],
  moments: ReadonlyArray<Moment> = [],
): ReadonlyArray<ShownHint> {
  const { guided } = progress;
  if (guided?.match !== match || guided.is_over) return [];
  const { hints: read = [] } = guided;
  const asked = isHint(question) ? [{ id: question, values: {} }] : [];
  const happening = moments.map((id) => ({ id, values: {} }));
  return [...asked, ...uses, ...happening].filter(({ id }) => !read.includes(id));
}

export function readHint(hint: Hint | Use): void {
  const { guided } = progress;
  if (guided) progress.guide({ ...guided, hints: [...(guided.hints ?? []), hint] });
}
