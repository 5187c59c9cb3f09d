// One match of a small game as the page shows it: which moment, what is chosen and not yet sent, what was refused.

import type { Frame } from "../../board/framing";
import type { Mark } from "../../board/view";
import { Projection } from "../../board/projection";
import type { BoardState, Decision as AnyDecision } from "../../client/records/match.js";
import { t } from "../../messages";
import { session } from "../../page/session.svelte";
import { withTakebacks } from "../../match/takebacks";
import { MatchTable, type Phase } from "../../match/match_table.svelte";
import type { LiveMatch } from "../../page/live_match";
import { refusalText } from "../../page/refusals";
import type { ServerMessage } from "../../protocol/types";
import { framedBy } from "./framed";
import {
  NO_DRAFT,
  NOTHING_ASKED,
  isSameAction,
  withCommit,
  type Action,
  type AnyGame,
  type Asked,
  type Choice,
  type Context,
  type Draft,
  type Shown,
  type Token,
} from "./game";
import { logEntries } from "./log";

/** Records whose rolls the context column shows. */
const RECENT_RECORDS = 30;
const NOTHING_SHOWN: Shown = {
  tokens: [],
  links: [],
  halos: [],
  strip: [],
  stripTitle: "",
  walls: [],
  round: "",
  phases: [],
  counter: null,
  tallies: [],
};

/** Takes an answer to a decision of a match. */
export type Act = (match: string, decision: string, action: Action) => Promise<ServerMessage>;

export class SmallTable extends MatchTable {
  draft = $state.raw<Draft>(NO_DRAFT);
  inspected = $state<number | null>(null);

  constructor(
    live: LiveMatch,
    private readonly game: AnyGame,
    private readonly act: Act = (match, decision, action) => session.client.act(match, decision, action),
  ) {
    super(live);
  }

  readonly projection = $derived.by(() => {
    if (!this.board.value) return null;
    const { width, height } = this.game.size(this.board.value);
    return new Projection(
      { width: Math.round(width * 1000), height: Math.round(height * 1000) },
      this.game.turn(this.board.value, this.seat),
    );
  });
  readonly cell = $derived.by(() => (this.board.value ? this.game.size(this.board.value).cell : null));
  readonly context = $derived.by((): Context => {
    const { projection } = this;
    return {
      seat: this.seat,
      seats: this.seatNames,
      turned: projection?.turn ?? 0,
      toPicture: (x, y) => projection?.toPicture(x * 1000, y * 1000) ?? [x, y],
    };
  });
  readonly view = $derived.by(() =>
    this.board.value ? this.game.show(this.board.value, this.context) : NOTHING_SHOWN,
  );
  readonly options = $derived.by(() => this.optionsOf(this.decision));
  readonly decisionKey = $derived.by(() => (this.decision ? `${this.decision.id}:${this.options ? 1 : 0}` : ""));
  readonly asked = $derived.by((): Asked => {
    const { decision } = this;
    if (!decision) return NOTHING_ASKED;
    const type: string = decision.question.type;
    if (this.isKept) return { ...NOTHING_ASKED, title: t("device.secret") };
    if (type === "seat" || type === "ready") {
      const action = (
        type === "seat" ? { type: "take_seat", chain_head: "", loadout: {} } : { type: "ready" }
      ) as Action;
      return {
        ...NOTHING_ASKED,
        title: t(type === "seat" ? "bar.seat.join" : "q.ready", { seat: decision.seat + 1 }),
        help: type === "seat" ? "" : t("q.ready.help"),
        commit: { label: t(type === "seat" ? "bar.seat.join" : "q.ready.do", { seat: decision.seat + 1 }), action },
      };
    }
    if (!this.board.value || !this.options) return NOTHING_ASKED;
    return withCommit(
      this.game.ask(this.board.value, decision as never, this.options, this.draft, this.context),
      this.draft,
    );
  });
  /** What a question asks, also where it asks another seat. */
  titleOf({ question }: AnyDecision): string {
    const type: string = question.type;
    if (type === "seat" || type === "ready" || !this.board.value) return t(type === "seat" ? "q.seat" : "q.ready");
    return this.game.title(this.board.value, question as never);
  }

  readonly marks = $derived.by((): ReadonlyMap<number, Mark> => {
    const marks = new Map<number, Mark>();
    const own = new Set(this.view.tokens.flatMap(({ id, seat }) => (seat === this.seat ? [id] : [])));
    for (const [id, draft] of this.asked.tokens) {
      const isChosen =
        draft.action !== null &&
        draft.selected === this.draft.selected &&
        isSameAction(draft.action, this.asked.commit?.action ?? null);
      marks.set(id, own.has(id) ? (isChosen ? "acting" : "ready") : isChosen ? "target" : "choice");
    }
    const acting = this.draft.selected ?? this.asked.focus;
    if (this.inspected !== null) marks.set(this.inspected, "selected");
    if (acting !== null) marks.set(acting, "acting");
    return marks;
  });
  /** What the camera follows: nothing in a replay, where the table stands still under what happens. */
  readonly frame = $derived.by((): Frame | null =>
    this.moment === null ? framedBy(this.asked, this.draft, this.view.tokens, this.cell, this.context) : null,
  );
  readonly sheets = $derived.by(() => {
    const { stream, board } = this;
    const until = this.moment ?? this.head;
    const events = (stream?.bodies ?? [])
      .slice(Math.max(0, until - RECENT_RECORDS), until)
      .flatMap((body) => body.events ?? []);
    return board.value ? this.game.sheets(board.value, events, this.context) : [];
  });

  readonly entries = $derived.by(() => {
    void this.version;
    return withTakebacks(logEntries(this.game, this.stream, this.context), this.stream?.bodies ?? [], this.seatNames);
  });
  get names(): ReadonlyArray<string> {
    return this.view.tokens.map(({ name }) => name);
  }
  get tokens(): ReadonlyArray<Token> {
    return this.view.tokens;
  }
  get round(): number | null {
    const board = this.board.value as { readonly round?: number; readonly turn?: number } | null;
    return board?.round ?? board?.turn ?? null;
  }
  get phases(): ReadonlyArray<Phase> {
    const { round, phases } = this.view;
    return round ? [{ id: "round", name: round, isOn: false }, ...phases] : [];
  }
  get prompt(): { readonly title: string; readonly help: string } {
    return this.asked;
  }
  override get planned(): string {
    const { title, help, commit, outlook } = this.asked;
    return [title, help, commit?.label, ...outlook].filter(Boolean).join(". ");
  }
  get refusalText(): string {
    return this.refusal ? refusalText(this.refusal) : "";
  }
  /** The piece that is looked at, while it is on the table. */
  readonly inspectedPiece = $derived.by(() => {
    const id = this.inspected;
    const board = this.board.value;
    return id !== null && board && this.view.tokens.some((token) => token.id === id)
      ? this.game.inspect(board, id, this.context)
      : null;
  });
  override get takesOrders(): boolean {
    return super.takesOrders && this.shown.state?.status === "running";
  }
  /** What the score of a seat counts. */
  get scoreText(): string {
    return this.game.score();
  }
  get tallies(): ReadonlyArray<string> {
    return this.view.tallies;
  }
  protected copyBoard(board: BoardState): BoardState {
    return { ...board };
  }
  onDecision(): void {
    this.clear();
    if (this.asked.focus !== null) this.inspected = this.asked.focus;
    const only = [...this.asked.tokens.values()];
    // A piece that is alone is chosen at once, but never a whole answer.
    if (only.length === 1 && only[0]?.action === null) this.change(only[0]);
  }

  /** A click on a token: it prepares an answer or a part of one, or is a look at the token. */
  pick(id: number): void {
    const draft = this.asked.tokens.get(id);
    this.inspected = id;
    if (draft) this.change(draft);
  }

  /** Prepare one of the whole answers, and look at the piece that it is about. */
  choose({ action }: Choice): void {
    const piece = [...this.asked.tokens].find(([, draft]) => isSameAction(draft.action, action));
    this.change({ selected: null, action });
    if (piece) this.inspected = piece[0];
  }

  /** A click on the field, in micrometres: a token, one of the offered places, or any place where that is allowed. */
  place(x: number, y: number): void {
    const { asked, view, context } = this;
    const [mx, my] = [x / 1000, y / 1000];
    const [px, py] = context.toPicture(mx, my);
    const token = view.tokens.find((one) => Math.hypot(one.x - px, one.y - py) <= one.r);
    if (token && (asked.tokens.has(token.id) || !asked.onPlace)) return this.pick(token.id);
    const reach = (this.cell ?? 0) / 2;
    const spot = asked.spots.find((one) => Math.abs(one.x - mx) <= reach && Math.abs(one.y - my) <= reach);
    if (spot) this.change(spot.draft);
    else if (asked.onPlace) this.change(asked.onPlace(mx, my));
  }

  /** Move what is placed by millimetres of the picture. */
  step(dx: number, dy: number): void {
    const { asked, projection } = this;
    if (!asked.onStep || !projection) return;
    const [[x0, y0], [x, y]] = [projection.toField(0, 0), projection.toField(dx, dy)];
    this.change(asked.onStep((x - x0) / 1000, (y - y0) / 1000));
  }

  change(draft: Draft): void {
    this.draft = draft;
    this.refusal = null;
    if (draft.selected !== null) this.inspected = draft.selected;
  }

  clear(): void {
    this.change(NO_DRAFT);
  }

  async send(action: Action): Promise<void> {
    const { stream, decision } = this;
    if (!stream || !decision || this.isSending) return;
    await this.answered(this.act(stream.match, decision.id, action));
  }
}
