// The replay of a match: the moment that is shown, whose view of it, and the address that names both.

import { hasViewpoints, viewpointText, type Viewpoint } from "../replay/viewpoint";
import { renameAddress } from "../page/back";
import type { MatchTable } from "./match_table.svelte";

/** After this long at a moment, the address names it. */
const ADDRESS_MS = 250;

export class Replay {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly table: MatchTable,
    private readonly match: string | null,
  ) {}

  readonly viewpoints = $derived.by((): ReadonlyArray<Viewpoint> => {
    void this.table.version;
    const { whole } = this.table;
    return whole && hasViewpoints(whole)
      ? ["all", ...(whole.state?.seats.map((_, seat) => seat) ?? []), "public"]
      : ["all"];
  });

  /** Show a moment. */
  seek(seq: number, pace = 1): void {
    this.table.moment = seq;
    this.table.pace = pace;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.nameMoment(), ADDRESS_MS);
  }
  /** Follow the match again. */
  follow(): void {
    this.table.moment = null;
    this.table.viewpoint = "all";
    this.nameMoment();
  }
  /** Show what a seat or the public could see. */
  look(viewpoint: Viewpoint): void {
    this.table.viewpoint = viewpoint;
    this.seek(this.table.moment ?? this.table.head);
  }
  lookNext(): void {
    const { viewpoints } = this;
    this.look(viewpoints[(viewpoints.indexOf(this.table.viewpoint) + 1) % viewpoints.length] ?? "all");
  }
  /** Write the shown moment into the address. Browsers ignore it where that happens many times in a second. */
  nameMoment(): void {
    clearTimeout(this.timer);
    if (this.match === null) return;
    const { moment, viewpoint } = this.table;
    const as = viewpoint === "all" ? "" : `?as=${viewpointText(viewpoint)}`;
    renameAddress(moment === null ? `/m/${this.match}` : `/m/${this.match}/${moment}${as}`);
  }
  /** Leave the address as it is: another screen is shown. */
  close(): void {
    clearTimeout(this.timer);
  }
}
