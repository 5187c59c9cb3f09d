// What is written of the records of a match. While a replay is scrubbed, the table follows at once and the texts when it rests.

import { afterFrame } from "../page/frames";
import type { MatchState, RecordBody } from "../client/records/match.js";
import { sinceLastTurn } from "../replay/moments";
import { diceKeys } from "../replay/verify";
import type { MatchTable } from "./match_table.svelte";
import type { MatchView } from "./match_view";
import { undoneSpans } from "./takebacks";

/** After this long, log and lists show what the table of a replay shows. */
const REST_MS = 80;

/** The table as the texts show it. */
interface Settled<Table extends MatchTable> {
  readonly moment: number | null;
  readonly seq: number;
  readonly tokens: Table["tokens"];
  readonly board: MatchState["board"];
}

export class MatchTexts<Table extends MatchTable> {
  /** Panels and texts cost more than the table: they follow its first picture. */
  isDrawn = $state(false);
  settled = $state.raw<Settled<Table>>({ moment: null, seq: 0, tokens: [], board: null });

  /** Make it while its component begins: it has effects. */
  constructor(
    private readonly table: Table,
    private readonly view: MatchView<Table>,
  ) {
    $effect(() => {
      if (!table.shown.state || this.isDrawn) return;
      return afterFrame(() => (this.isDrawn = true));
    });
    $effect(() => {
      if (!this.isDrawn) return;
      const { moment, head, tokens, board } = table;
      const now = { moment, seq: moment ?? head, tokens, board: board.value };
      if (moment === null) {
        this.settled = now;
        return;
      }
      const timer = setTimeout(() => (this.settled = now), REST_MS);
      return () => clearTimeout(timer);
    });
  }

  readonly isBusy = $derived.by(() => !this.isDrawn || this.settled.moment !== this.table.moment);
  readonly bodies = $derived.by((): ReadonlyArray<RecordBody> => {
    void this.table.version;
    return [...(this.table.stream?.bodies ?? [])];
  });
  readonly moments = $derived.by(() => this.view.momentsOf(this.bodies));
  readonly undone = $derived.by(() => undoneSpans(this.bodies));
  readonly since = $derived.by(() => sinceLastTurn(this.bodies, this.table.seat));
  private readonly hasDice = $derived.by(() =>
    this.table.entries.some(({ lines }) => lines.some(({ draws }) => draws?.length)),
  );
  readonly diceKeys = $derived.by(() => (this.hasDice ? diceKeys(this.bodies) : []));
  /** Known from the end: then the chart is there at every moment. Where it came and went, the table changed its size and was drawn twice. */
  readonly strength = $derived.by(() =>
    this.table.moment === null ? [] : (this.view.strengthOf?.(this.table, this.bodies) ?? []),
  );
}
