// What is open beside the table: a tab on a wide screen; on a phone, one sheet at a time over it.

import type { MatchChat } from "../../people/chat.svelte";
import { isCompactWindow, isRailWindow, isUprightTablet, type SeatSheet, type Sheet } from "./phone";

/** How high a sheet of an upright tablet stands, as shares of the window; the lowest stop is the row of its tabs. */
export const STOPS = { half: 0.4, high: 0.85 } as const;
/** What is below a sheet of an upright tablet: the bar, the own seat and the tabs. */
const BELOW_SHEET_PX = 224;

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
  readonly isRail = $derived.by(() => isRailWindow(this.width, this.height));
  readonly isUprightTablet = $derived.by(() => isUprightTablet(this.width, this.height));
  /** Whether the panels of the seats lie over the table of a tablet on its side. */
  readonly isDrawerOpen = $derived.by(() => this.isRail && this.sheet === this.seatSheet);
  /** Where the sheet of an upright tablet rests, and how high it is while a pointer drags it. */
  stop = $state<keyof typeof STOPS>("half");
  dragged = $state<number | null>(null);
  readonly hasChat = $derived.by(() => (this.chat?.channels.length ?? 0) > 0);
  readonly all = $derived.by((): ReadonlyArray<Sheet> => [
    "table",
    this.seatSheet,
    "about",
    "log",
    ...(this.hasChat ? ["chat" as const] : []),
  ]);

  /** Drag the edge of the sheet to a place of the window; null lets it go to the stop that is nearest, of which the lowest closes it. */
  drag(clientY: number | null): void {
    if (clientY !== null) {
      this.dragged = Math.max(0, this.height - BELOW_SHEET_PX - clientY);
      return;
    }
    const height = this.dragged ?? 0;
    this.dragged = null;
    const [half, high] = [STOPS.half * this.height, Math.min(STOPS.high * this.height, this.height - BELOW_SHEET_PX)];
    if (height < half / 2) this.sheet = "table";
    else this.stop = height < (half + high) / 2 ? "half" : "high";
  }
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
