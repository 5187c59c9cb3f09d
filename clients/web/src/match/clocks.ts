// The time that a seat has left, from instants of the server: a clock of the page is never counted down by itself.

import { dueMs, type MatchState, type RecordBody } from "../client/records/match.js";
import { decimal } from "../messages";

export interface SeatTime {
  readonly leftMs: number;
  readonly isRunning: boolean;
}

/** Without a clock, the time after which a seat counts as gone is shown when less than this is left. */
const ABSENCE_SHOWN_MS = 3 * 86_400_000;

/** Return the time of a seat at an instant of the server; null where none is to be shown. */
export function seatTime(
  match: MatchState,
  bodies: ReadonlyArray<RecordBody>,
  seat: number,
  nowMs: number,
): SeatTime | null {
  const { clock } = match.match_options;
  if (match.status === "open") return null;
  const decision = match.decisions.find((one) => one.seat === seat);
  const opened = decision ? (bodies[Number(decision.id.split(".")[0]) - 1]?.at_ms ?? match.at_ms) : 0;
  const due = decision ? dueMs(match, decision, opened) : null;
  if (!clock && (due === null || due - nowMs > ABSENCE_SHOWN_MS)) return null;
  if (due !== null) return { leftMs: Math.max(0, due - nowMs), isRunning: true };
  if (clock?.type !== "bank") return null;
  return { leftMs: match.seats[seat]?.clock?.remaining_ms ?? 1000 * clock.bank_seconds, isRunning: false };
}

const LOW_MS = 30_000;
const TENTHS_MS = 10_000;
export const isLow = (leftMs: number): boolean => leftMs < LOW_MS;

/** Write a time as a clock shows it: days and hours, minutes and seconds, tenths at the very end. */
export function clockText(leftMs: number): string {
  const seconds = Math.ceil(leftMs / 1000);
  if (leftMs < TENTHS_MS) return decimal(Math.ceil(leftMs / 100) / 10);
  if (seconds >= 86_400) return `${Math.floor(seconds / 86_400)} d ${Math.floor((seconds % 86_400) / 3600)} h`;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const tail = `${String(minutes).padStart(hours ? 2 : 1, "0")}:${String(seconds % 60).padStart(2, "0")}`;
  return hours ? `${hours}:${tail}` : tail;
}
