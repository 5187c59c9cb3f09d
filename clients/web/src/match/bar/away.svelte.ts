// Whether a player on whom the match waits is offline, and for how long this page has known it.

import { t } from "../../messages";
import { session } from "../../page/session.svelte";
import { clockText } from "../clocks";
import type { MatchTable } from "../match_table.svelte";

const TICK_MS = 1000;

/** Minutes and seconds: the tenths of a clock that runs out would say more than is known. */
const awayText = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 60 ? `0:${String(seconds).padStart(2, "0")}` : clockText(ms);
};

export class AwayPlayer {
  private now = $state(session.client.serverNowMs());

  /** Make it while its component begins: it has an effect. */
  constructor(private readonly tableOf: () => MatchTable) {
    $effect(() => {
      if (this.away === null) return;
      const tick = () => (this.now = session.client.serverNowMs());
      tick();
      const timer = setInterval(tick, TICK_MS);
      return () => clearInterval(timer);
    });
  }

  /** Of the seats that are asked, the one that went first. */
  private readonly away = $derived.by((): { readonly seat: number; readonly sinceMs: number } | null => {
    const table = this.tableOf();
    const seats = table.shown.state?.status === "running" && table.moment === null ? [...table.askedSeats] : [];
    const found = seats.flatMap((seat) => {
      const sinceMs = seat === table.seat ? undefined : session.offlineSinceMs(table.shown.state?.seats[seat]?.player);
      return sinceMs === undefined ? [] : [{ seat, sinceMs }];
    });
    return found.sort((one, other) => one.sinceMs - other.sinceMs)[0] ?? null;
  });

  /** What the bar says of it; empty where all are there. */
  get text(): string {
    const { away } = this;
    if (!away) return "";
    const table = this.tableOf();
    const values = {
      name: table.seatNames[away.seat] ?? "",
      time: awayText(this.now - away.sinceMs),
    };
    const hasClock = Boolean(table.shown.state?.match_options.clock) && !table.shown.state?.paused;
    return t(hasClock ? "bar.offline.clock" : "bar.offline", values);
  }
}
