// The entries of the log of one match, each made once.

import type { MatchStream } from "../../client/stream";
import type { LogEntry } from "../../match/log";
import { language } from "../../messages";
import type { Viewpoint } from "../../replay/viewpoint";
import { logEntry } from "./log";

export class EntryList {
  private key = "";
  private made: Array<LogEntry | null> = [];

  /** Return the entries of a stream. They are made again with names of players, which come later than the records, and with what an end opens. */
  of(
    stream: MatchStream | null,
    viewpoint: Viewpoint,
    hasBoard: boolean,
    seats: ReadonlyArray<string>,
  ): ReadonlyArray<LogEntry> {
    const key = `${language()} ${stream?.isOpened} ${viewpoint} ${hasBoard} ${seats.join("|")}`;
    if (this.key !== key || (stream?.seq ?? 0) < this.made.length) [this.key, this.made] = [key, []];
    for (const body of (stream?.bodies ?? []).slice(this.made.length))
      this.made.push(logEntry(this.made.length + 1, body, stream?.state ?? null, seats));
    return this.made.filter((entry) => entry !== null);
  }
}
