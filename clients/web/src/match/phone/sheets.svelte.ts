// What is open beside the table: a tab on a wide screen; on a phone, one sheet at a time over it.

import type { MatchChat } from "../../people/chat.svelte";
import { isCompactWindow, type SeatSheet, type Sheet } from "./phone";

export class Sheets {
  /** Of the window. */
  width = $state(1200);
  height = $state(900);
  sheet = $state<Sheet>("table");
  /** `log`, `chat`, or a list of the ruleset. */
  tab = $state("log");

  constructor(
    private readonly seatSheet: SeatSheet,
    private readonly chat: MatchChat | null,
  ) {}

  /** On a phone the bar lies beside the table, not over it. */
  readonly isCompact = $derived.by(() => isCompactWindow(this.width, this.height));
  readonly hasChat = $derived.by(() => (this.chat?.channels.length ?? 0) > 0);
  readonly all = $derived.by((): ReadonlyArray<Sheet> => [
    "table",
    this.seatSheet,
    "about",
    "log",
    ...(this.hasChat ? ["chat" as const] : []),
  ]);

  /** Open a sheet, or close it where it is open. */
  toggle(wanted: Sheet): void {
    this.sheet = this.sheet === wanted ? "table" : wanted;
    if (this.sheet === "chat") this.tab = "chat";
    else if (this.sheet === "log" && this.tab === "chat") this.tab = "log";
  }
  /** A question is answered at the table. */
  showTable(): void {
    if (this.sheet !== "chat") this.sheet = "table";
  }
}
