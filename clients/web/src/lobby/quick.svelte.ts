// A search for people who want the same match. It goes on wherever the player is on the page, until it is paired or ended.

import { ring } from "../page/notices";
import type { Fields } from "../client/client";
import { t } from "../messages";
import { refusalText } from "../page/refusals";
import type { MatchFound, MatchOptions, SeekMatch } from "../protocol/types";
import { routeOf } from "../page/routes";
import { session } from "../page/session.svelte";

/** What is sought: only players who seek the very same are paired. */
interface Wanted extends Pick<SeekMatch, "ruleset" | "seat_count" | "settings"> {
  readonly match_options: MatchOptions;
  /** What the player brings once there is a match. */
  readonly loadout: object;
}

const RENEW_MS = 5_000;

class QuickMatch {
  wanted = $state.raw<Wanted | null>(null);
  sinceMs = $state(0);
  untilMs = $state(0);
  /** The match that was found, until the player is there. */
  found = $state.raw<MatchFound | null>(null);
  refusal = $state("");
  /** Names the search to the server: the same request, under the same id, renews it. */
  private id = "";
  private timer: ReturnType<typeof setTimeout> | undefined;

  seek(wanted: Wanted): void {
    Object.assign(this, {
      wanted,
      found: null,
      refusal: "",
      sinceMs: performance.now(),
      untilMs: 0,
      id: session.client.newId(),
    });
    void this.renew();
  }

  async stop(): Promise<void> {
    const { wanted } = this;
    this.end();
    const answer = await session.client.request({ type: "stop_seeking" } as Fields);
    // Somebody was found at the same moment, and waits.
    if (answer.type === "seeking" && answer.found && wanted) await this.enter(answer.found, wanted);
  }

  /** Take what was pushed. Other tabs of the same player are told too: the one that seeks takes the seat. */
  take(found: MatchFound): void {
    const { wanted } = this;
    if (wanted === null) return;
    this.end();
    void this.enter(found, wanted);
  }

  private async renew(): Promise<void> {
    const { id, wanted } = this;
    if (wanted === null) return;
    const { loadout: _, ...sought } = wanted;
    const answer = await session.client.request({ type: "seek_match", ...sought } as Fields, id);
    if (this.id !== id) return;
    if (answer.type === "seeking" && !answer.found) {
      this.untilMs = answer.until_ms ?? this.untilMs;
      this.timer = setTimeout(() => void this.renew(), answer.renew_ms ?? RENEW_MS);
      return;
    }
    this.end();
    if (answer.type === "seeking" && answer.found) await this.enter(answer.found, wanted);
    else if (answer.type === "refused")
      this.refusal = answer.code === "nobody_found" ? t("quick.nobody") : refusalText(answer);
  }

  private end(): void {
    clearTimeout(this.timer);
    Object.assign(this, { wanted: null, id: "" });
  }

  /** Take the seat at once, so that the other sees somebody there; go to the table unless the player is at another. */
  private async enter(found: MatchFound, { loadout }: Wanted): Promise<void> {
    const answer = await session.client.watch(found.match);
    const sat = answer.type === "refused" ? answer : await session.sit(found.match, found.seat, loadout);
    if (sat.type === "refused") {
      this.refusal = refusalText(sat);
      return;
    }
    ring();
    if (routeOf(session.path).view === "match") this.found = found;
    else session.go(`/m/${found.match}`);
  }
}

export const quick = new QuickMatch();
