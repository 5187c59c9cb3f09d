// The log of a match as it is shown: one entry for each record that says something. Each ruleset writes its own.

import type { Draw } from "../protocol/types";

export interface LogLine {
  readonly text: string;
  readonly rules: ReadonlyArray<string>;
  readonly icon: string;
  /** What begins with this line, such as a round, where other lines of the record come before it. */
  readonly heading?: string;
  /** The dice that were rolled for it. */
  readonly draws?: ReadonlyArray<Draw>;
}
export interface LogEntry {
  readonly seq: number;
  readonly seat: number | null;
  readonly heading: string | null;
  readonly lines: ReadonlyArray<LogLine>;
  /** Whether it was taken back. */
  readonly isUndone?: boolean;
}
