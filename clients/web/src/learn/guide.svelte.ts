// Which match is a guided one, and which hints were read there.

import type { diskwars } from "../protocol/types";

const KEY = "diskwars.guide";
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

class Guide {
  match = $state("");
  private seen = $state.raw<ReadonlySet<string>>(new Set());

  constructor() {
    try {
      this.match = sessionStorage.getItem(KEY) ?? "";
    } catch {
      // Without storage a reload ends the guide.
    }
  }

  begin(match: string): void {
    this.match = match;
    this.seen = new Set();
    this.save();
  }

  end(): void {
    this.match = "";
    this.save();
  }

  /** The hint for a question of a match, or for what else is there now, unless it was read. */
  hintFor(match: string, question: string | undefined, moments: ReadonlyArray<Moment> = []): Hint | null {
    if (match !== this.match) return null;
    return (
      [question, ...moments].find(
        (hint): hint is Hint => hint !== undefined && hint in HINTS && !this.seen.has(hint),
      ) ?? null
    );
  }

  read(hint: Hint): void {
    this.seen = new Set([...this.seen, hint]);
  }

  private save(): void {
    try {
      sessionStorage.setItem(KEY, this.match);
    } catch {
      // See above.
    }
  }
}

export const guide = new Guide();
