// The match that follows the boards, against a mild bot: of Diskwars one with help, one regiment of the Empire.

import { session } from "../page/session.svelte";
import type { Refused } from "../protocol/types";
import { guide } from "./guide.svelte";

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

  async start(): Promise<void> {
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
    if (isGuided) guide.begin(answer.match);
    session.go(`/m/${answer.match}`);
  }
}
