// How tournaments are said: points with halves, names of entrants, results, places of a bracket.

import { botName } from "../page/names";
import { session } from "../page/session.svelte";
import type { ActInTournament, Tournament, TournamentBoard, TournamentView } from "../protocol/types";
import { tournamentText } from "./texts";

/** What one can do in a tournament. */
export type TournamentAct = ActInTournament["act"];

/** Return points, of which there are halves: 3, 3½. */
export function pointsText(halfPoints: number): string {
  const whole = Math.floor(halfPoints / 2);
  return halfPoints % 2 ? `${whole || ""}½` : String(whole);
}

/** Return a number of quarters as people write it: 5, 5.25. */
export const quartersText = (quarters: number): string =>
  new Intl.NumberFormat(session.language, { maximumFractionDigits: 2 }).format(quarters / 4);

export const signed = (number: number): string => (number > 0 ? `+${number}` : String(number).replace("-", "−"));

/** Return the name of an entrant; bots are numbered, for several may have one name. */
export function entrantName(state: Tournament, number: number): string {
  const entrant = state.entrants?.[number - 1];
  if (!entrant) return "?";
  return entrant.player ? session.nameOf(entrant.player, 0) : `${botName(entrant.bot ?? "")} ${number}`;
}

/** Return the result as the first of two entrants or `of` sees it: scores of the game, or points. */
export function resultText(board: TournamentBoard, of = board.entrants[0]): string {
  const { result } = board;
  if (!result) return "";
  const at = board.entrants.indexOf(of ?? 0);
  const numbers = result.scores?.length === 2 ? result.scores.map(String) : result.half_points.map(pointsText);
  return `${numbers[at]}:${numbers[1 - at]}`;
}

/** Return how an entrant fared at a board: 2 for a win, 1 for a draw, 0; undefined while it is open. */
export const outcomeOf = (board: TournamentBoard, entrant: number): number | undefined =>
  board.result?.half_points[board.entrants.indexOf(entrant)];

/** Return the own board that is to be played, if there is one. */
export function ownBoard({ tournament, entrant }: TournamentView): TournamentBoard | undefined {
  const boards = (tournament.rounds ?? []).flatMap((round) => round.boards);
  return boards.find((board) => !board.result && board.entrants.includes(entrant ?? 0));
}

/** Return where a tournament stands. */
export function statusText(state: Tournament): string {
  const status = state.status ?? "open";
  if (status !== "running") return tournamentText(`status.${status}`);
  const round = state.rounds?.length ?? 0;
  if (state.paused_ms !== undefined) return tournamentText("status.paused");
  if (!round) return tournamentText("status.running");
  return state.round_count && round <= state.round_count
    ? tournamentText("round.of", { round, count: state.round_count })
    : tournamentText(state.finalists?.length ? "round.final" : "round", { round });
}

/** Return a time in the reader's own zone. */
export const at = (ms: number): string =>
  new Intl.DateTimeFormat(session.language, {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  }).format(ms);

/** Return the table as CSV. A name that begins like a formula is quoted, so that no spreadsheet runs it. */
export function csvOf({ tournament, standings }: TournamentView): string {
  const cell = (value: number | string): string => {
    const plain = typeof value === "string" && /^[=+\-@]/.test(value) ? `'${value}` : String(value);
    return /[",\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
  };
  const head = [
    "rank",
    "entrant",
    "points",
    "wins",
    "draws",
    "losses",
    "byes",
    "buchholz",
    "sonneborn_berger",
    "difference",
  ];
  const rows = (standings ?? []).map((row) => [
    row.rank,
    entrantName(tournament, row.entrant),
    (row.half_points ?? 0) / 2,
    row.wins ?? 0,
    row.draws ?? 0,
    row.losses ?? 0,
    row.byes ?? 0,
    (row.buchholz_halves ?? 0) / 2,
    (row.sonneborn_berger_quarters ?? 0) / 4,
    row.points_difference ?? 0,
  ]);
  return [head, ...rows].map((row) => `${row.map(cell).join(",")}\n`).join("");
}
