// The match with help that follows the boards: one regiment of the Empire against a mild bot.

import { session } from "../page/session.svelte";
import type { Refused } from "../protocol/types";
import { guide } from "./guide.svelte";

export class FirstMatch {
  isStarting = $state(false);
  refused = $state.raw<Refused | null>(null);

  get canStart(): boolean {
    return !this.isStarting && this.bots.length > 0 && session.status === "online";
  }
  private get bots(): ReadonlyArray<string> {
    return session.rulesets.find(({ id }) => id === "diskwars")?.bots ?? [];
  }

  async start(): Promise<void> {
    this.isStarting = true;
    this.refused = null;
    const bot = this.bots.find((one) => one === "mild") ?? this.bots[0] ?? "";
    const answer = await session.playBots(
      {
        ruleset: "diskwars",
        seat_count: 2,
        settings: { setup: "quick", regiments: 1 },
        match_options: { takebacks: true },
      },
      { army: "empire-patrol" },
      [{ bot, loadout: { army: "greenskin-patrol" } }],
    );
    this.isStarting = false;
    if (answer.type === "refused") this.refused = answer;
    if (answer.type !== "opened") return;
    guide.begin(answer.match);
    session.go(`/m/${answer.match}`);
  }
}
