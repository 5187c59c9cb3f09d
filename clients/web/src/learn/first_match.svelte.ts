// The match that follows the boards, against a mild bot: of Diskwars one with help, one regiment of the Empire.

import { session } from "../page/session.svelte";
import type { Refused } from "../protocol/types";
import { lists } from "../lists/lists.svelte";
import { progress } from "./lesson_progress.svelte";

export class FirstMatch {
  isStarting = $state(false);
  refused = $state.raw<Refused | null>(null);

  constructor(private readonly ruleset: string = "diskwars") {}

  get canStart(): boolean {
    return !this.isStarting && this.bots.length > 0 && session.status === "online";
  }
  private get bots(): ReadonlyArray<string> {
    return session.rulesets.find(({ id }) => id === this.ruleset)?.bots ?? [];
  }

  /** The guided match that is under way, wherever it was begun; null where there is none. */
  get begun(): string | null {
    const { guided } = progress;
    const isGuided = this.ruleset === "diskwars" && guided && !guided.is_over;
    return isGuided && lists.mine.some(({ match }) => match === guided.match) ? guided.match : null;
  }

  /** Go on with the match that is under way, or start one. */
  async start(): Promise<void> {
    if (this.begun) return session.go(`/m/${this.begun}`);
    this.isStarting = true;
    this.refused = null;
    const bot = this.bots.find((one) => one === "mild") ?? this.bots[0] ?? "";
    const isGuided = this.ruleset === "diskwars";
    const answer = await session.playBots(
      {
        ruleset: this.ruleset,
        seat_count: 2,
        settings: isGuided ? { setup: "quick", regiments: 1 } : {},
        match_options: { takebacks: true },
      },
      isGuided ? { army: "empire-patrol" } : {},
      [{ bot, loadout: isGuided ? { army: "greenskin-patrol" } : {} }],
    );
    this.isStarting = false;
    if (answer.type === "refused") this.refused = answer;
    if (answer.type !== "opened") return;
    if (isGuided) progress.beginGuide(answer.match);
    session.go(`/m/${answer.match}`);
  }
}
