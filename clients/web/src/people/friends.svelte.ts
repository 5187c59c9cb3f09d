// The players whom this player follows: a private list, with the presence of those who show it.

import type { Fields } from "../client/client";
import { refusalText } from "../page/refusals";
import { session } from "../page/session.svelte";
import type { FollowedPlayer } from "../protocol/types";

class Friends {
  all = $state.raw<ReadonlyArray<FollowedPlayer>>([]);
  /** Whether this player shows their presence to those who follow them. */
  showsPresence = $state(false);
  refusal = $state("");

  load = () => this.ask({ type: "list_followed" });
  follow = (name: string) => this.ask({ type: "follow_player", name });
  unfollow = (player: string) => this.ask({ type: "unfollow_player", player });
  showPresence = (shown: boolean) => this.ask({ type: "show_presence", shown });

  isFollowed(player: string): boolean {
    return this.all.some((one) => one.player === player);
  }

  private async ask(fields: object): Promise<void> {
    const answer = await session.client.request(fields as Fields);
    this.refusal = answer.type === "refused" ? refusalText(answer) : "";
    if (answer.type !== "followed_players") return;
    this.all = answer.players ?? [];
    this.showsPresence = answer.shows_presence ?? false;
  }
}

export const friends = new Friends();
