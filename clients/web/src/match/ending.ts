// How a match ended, in a line; for players from their own side of the table.

import { names, t } from "../messages";
import type { Result } from "../protocol/types";

/** `own` is the seat of the reader, null for a spectator; `seats` are the names of all. */
export function endingTitle(result: Result, seats: ReadonlyArray<string>, own: number | null): string {
  const winners = result.winners ?? [];
  if (!winners.length) return t(result.end_reason === "stopped" ? "end.stopped" : "end.draw");
  if (own !== null && winners.length === 1 && winners[0] === own) return t("end.won");
  const title = t("end.winner", {
    count: winners.length,
    name: names(winners.map((seat) => seats[seat] ?? "")),
  });
  return own !== null && !winners.includes(own) ? t("end.lost", { title }) : title;
}
