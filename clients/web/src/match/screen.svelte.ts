// The screen of a match, as its parts share it: the table, its texts, the replay, the sheets, and what is open over them.

import type { MatchStream } from "../client/stream";
import { t } from "../messages";
import { copyText } from "../page/copying";
import { LiveMatch } from "../page/live_match";
import type { MatchChat } from "../people/chat.svelte";
import type { Draw } from "../protocol/types";
import type { MatchTable } from "./match_table.svelte";
import { MatchTexts } from "./match_texts.svelte";
import type { FieldAt, MatchView } from "./match_view";
import { canShowElsewhere, embedFrame } from "../replay/embed_frame";
import { Replay } from "./replay.svelte";
import { Sheets } from "./phone/sheets.svelte";

/** How long a button says that the link is copied. */
const COPIED_MS = 1500;

export class ScreenState<Table extends MatchTable> {
  readonly table: Table;
  readonly texts: MatchTexts<Table>;
  readonly replay: Replay;
  readonly sheets: Sheets;
  /** Dice whose proof is open. */
  proved = $state.raw<Draw | null>(null);
  isHelp = $state(false);
  isBranching = $state(false);
  /** The seat whose review is wanted. */
  reviewedSeat = $state<number | null>(null);
  isLuckWanted = $state(false);
  isResultClosed = $state(false);
  isCopied = $state(false);
  isEmbedCopied = $state(false);
  /** Set by a stage that takes what is dragged out of the bar. */
  fieldAt: FieldAt = () => null;

  /** Make it while its component begins: it has effects. `file` has the records of a match that is on this device. */
  constructor(
    readonly view: MatchView<Table>,
    readonly match: string | null,
    readonly file: MatchStream | null,
    readonly chat: MatchChat | null,
  ) {
    const live = new LiveMatch(
      () => match,
      () => file,
    );
    this.table = view.openTable(live);
    this.texts = new MatchTexts(this.table, view);
    this.replay = new Replay(this.table, match);
    this.sheets = new Sheets(view.seatSheet, chat);
  }

  /** The record that is shown. */
  readonly seq = $derived.by(() => this.table.moment ?? this.table.head);
  readonly result = $derived.by(() =>
    this.table.moment === null && !this.file ? (this.table.shown.state?.result ?? null) : null,
  );
  readonly isOver = $derived.by(() => this.table.whole?.state?.status === "ended");
  /** A branch begins on the server: not from a file, and not under the hands of who plays. */
  readonly canBranch = $derived.by(
    () =>
      this.match !== null &&
      !this.file &&
      (this.table.moment !== null || (this.table.seat === null && this.table.shown.state?.status === "running")),
  );

  readonly canEmbed = $derived.by(
    () =>
      this.match !== null &&
      !this.file &&
      this.table.shown.state !== null &&
      canShowElsewhere(this.table.whole?.state ?? null),
  );

  /** Show the luck report, which lies in the column of the seats. */
  showLuck(): void {
    this.isLuckWanted = true;
    this.sheets.sheet = this.view.seatSheet;
    this.replay.seek(this.table.head);
  }
  /** Show where the search would have done something else, which lies below the luck report. */
  showReview(): void {
    this.reviewedSeat = this.table.seat ?? 0;
    this.sheets.sheet = this.view.seatSheet;
    this.replay.seek(this.table.head);
  }
  /** What an answer of a record is in words; empty where the ruleset has none for it. */
  deedText(seq: number, action: unknown): string {
    const { whole, seatNames } = this.table;
    const before = whole?.stateAt(seq - 1) ?? null;
    const decision = before?.decisions.find(({ id }) => id === whole?.bodies[seq - 1]?.decision);
    return before && decision ? (this.view.deedText?.(action, before, decision, seatNames) ?? "") : "";
  }
  /** Open the sheet that plays on from a record. */
  branchAt(seq: number): void {
    this.replay.seek(seq);
    this.isBranching = true;
  }
  async copyLink(): Promise<void> {
    this.replay.nameMoment();
    this.isCopied = await copyText(location.href);
    setTimeout(() => (this.isCopied = false), COPIED_MS);
  }
  /** Copy what another page shows this moment with. */
  async copyEmbed(): Promise<void> {
    this.isEmbedCopied = await copyText(
      embedFrame(location.origin, this.match ?? "", this.seq, t("replay.embed.frame")),
    );
    setTimeout(() => (this.isEmbedCopied = false), COPIED_MS);
  }
  /** Save the records as a file. */
  download(): void {
    const { stream } = this.table;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([stream?.file() ?? ""], { type: "application/x-ndjson" }));
    link.download = `${stream?.match ?? "match"}.jsonl`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
}
