// What was taken back, in the log and the slider: who asked, which deed, and what does not count any more.

import type { RecordBody } from "../client/records/match.js";
import { t } from "../messages";
import type { LogEntry, LogLine } from "./log";

/** Return the records that were taken back, as spans of their numbers. */
export function undoneSpans(bodies: ReadonlyArray<RecordBody>): Array<readonly [first: number, last: number]> {
  return bodies.flatMap(({ taken_back_to: to }, place) => (to === undefined ? [] : [[to + 1, place] as const]));
}

/** The deed that goes back to a record would undo: what the log says of the next one. */
export const deedAfter = (entries: ReadonlyArray<LogEntry>, record: number): string =>
  entries.find(({ seq }) => seq === record + 1)?.lines[0]?.text ?? "";

/** Return the entries with what asked for a takeback or made one, and with those struck out that it undid. */
export function withTakebacks(
  entries: ReadonlyArray<LogEntry>,
  bodies: ReadonlyArray<RecordBody>,
  seats: ReadonlyArray<string>,
): ReadonlyArray<LogEntry> {
  const lines = new Map<number, LogLine>();
  let asker: number | null = null;
  for (const [place, body] of bodies.entries()) {
    for (const event of body.events ?? []) {
      if (event.type === "offer_made" && event.offer.type === "takeback") {
        asker = event.seat;
        lines.set(place + 1, lineOf("users", "offer.takeback", nameOf(event.seat), event.offer.record));
      } else if (event.type === "takeback_made") {
        lines.set(place + 1, lineOf("undo", "log.takeback", nameOf(asker ?? event.seat), body.taken_back_to ?? 0));
        asker = null;
      }
    }
  }
  if (lines.size === 0) return entries;
  const spans = undoneSpans(bodies);
  const isUndone = (seq: number): boolean =>
    bodies[seq - 1]?.decision !== undefined && spans.some(([first, last]) => first <= seq && seq <= last);
  const known = new Map(entries.map((entry) => [entry.seq, entry]));
  const added = [...lines].flatMap(([seq, line]) =>
    known.has(seq) ? [] : [{ seq, seat: bodies[seq - 1]?.seat ?? null, heading: null, lines: [line] }],
  );
  return [...entries, ...added]
    .sort((one, other) => one.seq - other.seq)
    .map((entry) => {
      const line = known.has(entry.seq) ? lines.get(entry.seq) : undefined;
      const undone = isUndone(entry.seq) ? { isUndone: true } : {};
      return line ? { ...entry, ...undone, lines: [line, ...entry.lines] } : { ...entry, ...undone };
    });

  function nameOf(seat: number): string {
    return seats[seat] ?? "";
  }
  function lineOf(icon: string, key: "log.takeback" | "offer.takeback", name: string, record: number): LogLine {
    const deed = deedAfter(entries, record);
    return { icon, rules: [], text: t(deed ? `${key}.deed` : key, { name, deed }) };
  }
}
