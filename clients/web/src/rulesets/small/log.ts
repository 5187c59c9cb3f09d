// The log of a small game: what its own events say, and those that all games have.

import { drawsOf } from "../../client/records/dice.js";
import type { MatchStream } from "../../client/stream";
import type { LogEntry } from "../../match/log";
import { t } from "../../messages";
import type { Draw } from "../../protocol/types";
import type { AnyGame, Context, LogText } from "./game";
import { smallText } from "./texts";

type AnyEvent = {
  readonly type: string;
  readonly round?: number;
  readonly position?: { readonly resampled?: boolean };
  readonly reasons?: ReadonlyArray<{ readonly rule: string }>;
};

export function logEntries(game: AnyGame, stream: MatchStream | null, context: Context): LogEntry[] {
  const board = stream?.state?.board ?? null;
  return (stream?.bodies ?? []).flatMap((body, place) => {
    const events = (body.events ?? []) as unknown as ReadonlyArray<AnyEvent>;
    const round = events.find(({ type }) => type === "round_began")?.round;
    const lines = events.flatMap((event) => {
      const line = game.log(board, event, context) ?? commonLine(event);
      return line ? [{ ...line, rules: rulesOf(event), draws: shownDraws(event) }] : [];
    });
    if (!lines.length && round === undefined) return [];
    const heading = round === undefined ? null : smallText("log.round", { round });
    return [{ seq: place + 1, seat: body.seat ?? null, heading, lines }];
  });
}

const rulesOf = ({ reasons = [] }: AnyEvent): string[] => [...new Set(reasons.map(({ rule }) => rule))];

const shownDraws = (event: AnyEvent): Draw[] =>
  (drawsOf(event) as unknown as Draw[]).filter(({ kind }) => kind === "number_dice" || kind === "symbol_dice");

function commonLine({ type, position }: AnyEvent): LogText | null {
  switch (type) {
    case "match_started":
      return { text: t("log.started"), icon: "flag" };
    case "match_ended":
      return { text: t("log.ended"), icon: "trophy" };
    case "position_set":
      return { text: t(position?.resampled ? "log.position.resampled" : "log.position"), icon: "branch" };
    case "branch_began":
      return { text: t("log.branch"), icon: "play" };
    default:
      return null;
  }
}
