// What the bar says while nothing is asked of its player: on whom the match waits, and how it ended.

import type { Decision, MatchState } from "../../client/records/match.js";
import { names, t } from "../../messages";
import { endingTitle } from "../ending";

export interface Standing {
  readonly title: string;
  readonly help: string;
}

/** `titleOf` says what a question wants of another seat, `scoreOf` what a seat scored. */
export function standingOf(
  state: MatchState | null,
  seat: number | null,
  seats: ReadonlyArray<string>,
  behind: { readonly round: number | null } | null,
  texts: { readonly titleOf: (decision: Decision) => string; readonly scoreOf: (points: number) => string },
): Standing {
  const result = state?.result;
  if (result) {
    const scores = (result.scores ?? []).map((points, one) => `${seats[one] ?? ""} ${texts.scoreOf(points)}`);
    return { title: endingTitle(result, seats, seat), help: scores.join(", ") };
  }
  if (behind) {
    const { round } = behind;
    const title = round === null ? t("watch.setup") : t("watch.round", { seen: round, played: round + 1 });
    return { title, help: t("watch.help") };
  }
  const others = (state?.decisions ?? []).filter((decision) => decision.seat !== seat);
  const [first] = others;
  if (!first) return { title: t("bar.waiting.nobody"), help: "" };
  if (first.question.type === "seat") return { title: t("bar.waiting.seat"), help: t("bar.waiting.seat.help") };
  const waits = [...new Set(others.map((decision) => seats[decision.seat] ?? ""))];
  return { title: t("bar.waiting", { name: names(waits) }), help: texts.titleOf(first) };
}
