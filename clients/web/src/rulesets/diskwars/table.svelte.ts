// One match as the page shows it: which moment, which tool answers the open question, what was refused. Components draw it.

import { untrack } from "svelte";

import type { Frame } from "../../board/framing";
import type { Circle, Point } from "../../board/geometry";
import { makeRailCards } from "./board/rail_cards";
import type { DiskView, Mark } from "../../board/view";
import { keepSame, makeBadges, makeDisks, makePins, makeTerrain, makeZones } from "./board/view";
import { diskName } from "./names";
import { makeProjection, type Projection } from "../../board/projection";
import type { Action } from "../../client/client";
import type { BoardState, MatchState } from "../../client/records/match.js";
import { isOnField, piecesUnder } from "./forecast/position";
import { reachRings } from "./forecast/reach";
import { Ruler } from "./board/ruler.svelte";
import { DiskTool } from "./tools/disk_tool";
import { stacksOf } from "./board/stacks";
import { CardTool } from "./tools/choice_tool.svelte";
import { EngagementTool } from "./tools/melee_tools.svelte";
import { makeTool } from "./tools/index";
import type { Shape } from "../../board/shapes";
import type { Tool, ToolContext } from "./tools/tool";
import { t } from "../../messages";
import type { ServerMessage, diskwars } from "../../protocol/types";
import { EntryList } from "./entry_list";
import { LastCardLock, lastCardOf } from "./last_card";
import { promptOf } from "./orders";
import { boardRefusalText } from "./refusals";
import { Playback } from "../../motion/playback.svelte";
import { session } from "../../page/session.svelte";
import { withTakebacks } from "../../match/takebacks";
import { MatchTable, type Phase } from "../../match/match_table.svelte";
import type { LiveMatch } from "../../page/live_match";

/** Questions that a tool of the board does not answer: they belong to the seats. */
const SEAT_QUESTIONS = new Set(["ready", "seat"]);

/** Of what follows of a plan, so many sentences are read aloud: the panel has all. */
const MOST_SPOKEN_NOTES = 4;

type Act = (match: string, decision: string | undefined, action: Action) => Promise<ServerMessage>;

/** As in `MatchScreen`: below, the table takes the whole window. */
const hasRoomForDice = (): boolean => innerWidth >= 760 && innerHeight >= 520;

export class Table extends MatchTable implements ToolContext {
  /** The disk that the inspector shows. */
  inspected = $state<number | null>(null);
  /** The piece of terrain that is read, by its number. */
  piece = $state<number | null>(null);
  pixelUm = $state(1000);
  /** Whether the only disk that can act is chosen beforehand: in a figure of the rules, which is about it. */
  takesOnlyDisk = false;

  /** `act` sends an answer: to the server, unless the match is a figure of the rules, which answers itself. */
  constructor(
    live: LiveMatch,
    private readonly act: Act = (match, decision, action) => session.client.act(match, decision, action),
  ) {
    super(live);
  }

  /** What plays on the table; while it does, the table is drawn as it was before. */
  readonly playback = new Playback(undefined, undefined, hasRoomForDice);
  private readonly drawn = $derived.by((): { readonly match: MatchState; readonly board: BoardState } | null => {
    const match = this.playback.before ?? this.shown.state;
    return match?.board ? { match, board: match.board } : null;
  });
  private lastProjection: Projection | null = null;
  readonly projection = $derived.by(() => {
    const found = this.board.value ? makeProjection(this.board.value, this.seat) : null;
    return (this.lastProjection = found && this.lastProjection?.equals(found) ? this.lastProjection : found);
  });
  private lastDisks: ReadonlyArray<DiskView> = [];
  readonly disks = $derived.by(
    () =>
      (this.lastDisks =
        this.drawn && this.projection
          ? keepSame(this.lastDisks, makeDisks(this.drawn.match, this.projection, this.seatNames, this.seat))
          : []),
  );
  readonly pins = $derived.by(() => {
    const { hidden } = this.playback;
    const shown = this.drawn && this.projection ? makePins(this.drawn.board, this.projection, this.engagement) : [];
    return hidden.size ? shown.filter(({ top, bottom }) => !hidden.has(top) && !hidden.has(bottom)) : shown;
  });
  /** The engagement that is chosen, or else the one that is resolved. */
  private readonly engagement = $derived.by(() =>
    this.tool instanceof EngagementTool ? this.tool.chosen : (this.board.value?.active_engagement ?? null),
  );
  readonly badges = $derived.by(() => {
    const { tool } = this;
    const legal = tool instanceof EngagementTool ? tool.legal : null;
    return this.drawn && !this.playback.isPlaying ? makeBadges(this.drawn.board, this.engagement, legal) : [];
  });
  pickEngagement(number: number): void {
    if (this.tool instanceof EngagementTool) this.tool.choose(number - 1);
  }
  readonly stacks = $derived.by(() => stacksOf(this.disks));
  readonly zones = $derived.by(() =>
    this.drawn && this.projection ? makeZones(this.drawn.board, this.projection) : [],
  );
  readonly terrain = $derived.by(() =>
    this.drawn && this.projection ? makeTerrain(this.drawn.board, this.projection) : [],
  );

  readonly cards = $derived.by(() =>
    this.drawn && this.projection ? makeRailCards(this.drawn.board, this.projection) : [],
  );

  readonly options = $derived.by((): diskwars.Options => this.optionsOf(this.decision) ?? {});
  private readonly hasOptions = $derived.by(() => Boolean(this.options.actions || this.options.parametric));
  /** Grows once the options of the open decision are known. */
  readonly decisionKey = $derived.by(() =>
    this.decision ? `${this.decision.id}:${this.hasOptions ? 1 : 0}${this.isKept ? ":kept" : ""}` : "",
  );
  /** False while what may be answered to the open question is still on its way. */
  readonly isAnswerable = $derived.by(() => this.tool === null || this.hasOptions);
  private readonly lastCard = new LastCardLock();
  /** The question whose lock was refused: its player has to see why, and to try again. */
  private refusedLock = $state("");
  /** Whether the page answers the open question by itself. */
  readonly isAutomatic = $derived.by(
    () => this.tool instanceof CardTool && lastCardOf(this.options) !== null && this.decision?.id !== this.refusedLock,
  );
  /** Whether the player cannot answer now. */
  readonly isBusy = $derived.by(() => !this.isAnswerable || this.isSending || this.isAutomatic);
  readonly tool = $derived.by((): Tool | null => {
    void this.decisionKey;
    return untrack(() => {
      const { decision } = this;
      if (!decision || this.isKept || SEAT_QUESTIONS.has(decision.question.type) || !this.board.value) return null;
      return makeTool(this, decision);
    });
  });
  readonly marks = $derived.by((): ReadonlyMap<number, Mark> => {
    const marks = this.tool?.marks ?? new Map<number, Mark>();
    return this.inspected === null || marks.has(this.inspected)
      ? marks
      : new Map([...marks, [this.inspected, "selected"]]);
  });

  /** What a lesson says of its refusal: for the rules, a disk is a number. */
  refusalWords = $state("");
  readonly refusalText = $derived.by(() =>
    this.refusal ? this.refusalWords || boardRefusalText(this.refusal, this.board.value) : "",
  );
  /** What was refused last, by the rules or by the tool, and where on the table. */
  readonly complaint = $derived.by((): Shape | null => {
    const note = this.refusal ? { text: this.refusalText, rule: this.refusal.rule ?? "" } : this.tool?.complaint;
    const disk = this.board.value?.disks[this.inspected ?? this.tool?.subject ?? -1];
    return note && disk?.place === "battlefield"
      ? { kind: "bubble", x: disk.x, y: disk.y, text: note.text, rule: note.rule }
      : null;
  });
  readonly ruler = new Ruler(
    () => this.board.value,
    () => this.pixelUm,
  );
  /** How far the chosen disk gets and shoots, unless its tool draws that. */
  private readonly rings = $derived.by((): ReadonlyArray<Shape> => {
    const disk = this.tool?.subject ?? this.inspected;
    return disk === null || !this.board.value || this.tool?.drawsReach ? [] : reachRings(this.board.value, disk);
  });
  readonly shapes = $derived.by((): ReadonlyArray<Shape> =>
    this.ruler.isOn
      ? this.ruler.shapes
      : [...this.rings, ...(this.tool?.shapes ?? []), ...(this.complaint ? [this.complaint] : [])],
  );

  readonly moving = $derived.by(() => (this.ruler.isOn ? null : (this.tool?.moving ?? null)));

  /** What the open question is about, in the picture; null for the whole table, as in the set-up, in a replay, and while others decide. */
  readonly frame = $derived.by((): Frame | null => {
    const { projection } = this;
    const framed = this.moment !== null || this.board.value?.phase === "setup" ? null : this.tool?.frame;
    if (!framed || !projection) return null;
    const inPicture = ({ x, y, r }: Circle) => ({ at: projection.toPicture(x, y), r: r / 1000 });
    const boxes = framed.circles.map(inPicture);
    const [ox, oy] = projection.toPicture(0, 0);
    const [lx, ly] = projection.toPicture(...(framed.lean ?? [0, 0]));
    const far = Math.hypot(lx - ox, ly - oy);
    return {
      x0: Math.min(...boxes.map(({ at, r }) => at[0] - r)),
      x1: Math.max(...boxes.map(({ at, r }) => at[0] + r)),
      y0: Math.min(...boxes.map(({ at, r }) => at[1] - r)),
      y1: Math.max(...boxes.map(({ at, r }) => at[1] + r)),
      isSubject: framed.isSubject,
      lean: far > 0 ? [(lx - ox) / far, (ly - oy) / far] : [0, 0],
      needed: (framed.needed ?? []).map(inPicture).map(({ at: [x, y], r }) => ({ x, y, r })),
    };
  });

  get tokens(): ReadonlyArray<DiskView> {
    return this.disks;
  }
  readonly names = $derived.by(() => {
    const board = this.board.value;
    return board ? [...board.disks.map(({ id }) => diskName(board, id)), ...board.cards.map(({ name }) => name)] : [];
  });
  private readonly entryList = new EntryList();
  readonly entries = $derived.by(() => {
    void this.version;
    const entries = this.entryList.of(this.stream, this.viewpoint, this.board.value !== null, this.seatNames);
    return withTakebacks(entries, this.stream?.bodies ?? [], this.seatNames);
  });
  get round(): number | null {
    const board = this.board.value;
    return board && board.phase !== "setup" ? (board.round ?? null) : null;
  }
  readonly phases = $derived.by((): ReadonlyArray<Phase> => {
    const board = this.board.value;
    if (!board) return [];
    const first =
      board.phase === "setup"
        ? { id: "setup", name: t("phase.setup"), isOn: true }
        : { id: "round", name: t("table.round", { round: board.round, rounds: board.rounds }), isOn: false };
    const steps = (["activation", "melee", "end"] as const).map((phase) => ({
      id: phase,
      name: t(`phase.${phase}`),
      short: t(`phase.${phase}.short`),
      isOn: board.phase === phase,
    }));
    return [first, ...steps];
  });
  get prompt(): { readonly title: string; readonly help: string } {
    return this.decision ? promptOf(this.decision, this.board.value) : { title: "", help: "" };
  }
  override get planned(): string {
    const { tool } = this;
    const notes = tool ? [...tool.notes, ...tool.aimNotes].slice(0, MOST_SPOKEN_NOTES).map(({ text }) => text) : [];
    return [tool?.title, tool?.help, ...notes].filter(Boolean).join(". ");
  }
  /** The disk that the open question is about, or else the one that is looked at. */
  get subject(): number | null {
    return this.tool?.subject ?? this.inspected;
  }
  readonly tallies = $derived.by(() => {
    const board = this.board.value;
    return !board
      ? []
      : (this.shown.state?.seats ?? []).map((_, seat) =>
          t("phone.counts", {
            hand: board.sides[seat]?.card_count ?? 0,
            table: board.disks.filter((disk) => disk.seat === seat && disk.place === "battlefield").length,
          }),
        );
  });
  override get hands(): ReadonlyArray<number> {
    const board = this.board.value;
    return board ? board.sides.map((side) => side.card_count ?? 0) : [];
  }
  override get isResultDue(): boolean {
    return this.board.value !== null && !this.playback.isPlaying;
  }
  override get faces(): ReadonlyArray<string> {
    return this.board.value?.battle_die ?? [];
  }
  protected copyBoard(board: BoardState): BoardState {
    return {
      ...board,
      disks: board.disks.map((disk) => ({ ...disk })),
      sides: board.sides.map((side) => ({ ...side })),
      layout: { ...board.layout },
    };
  }

  /** Play what has happened since the last call. */
  override onMoment(): void {
    this.playback.follow(this.stream, this.head, this.moment, this.pace);
  }

  onDecision(): void {
    this.refusal = null;
    // Rings and panel of a disk that was looked at for a former question would lie over this one.
    this.forget();
    if (this.tool instanceof DiskTool) this.tool.begin(this.takesOnlyDisk);
    void this.lockLastCard();
  }

  private async lockLastCard(): Promise<void> {
    const { stream, decision } = this;
    if (!stream || !decision || !(this.tool instanceof CardTool)) return;
    const card = this.lastCard.take(decision.id, this.options, this.isSending);
    if (card === null) return;
    await this.answered(this.act(stream.match, decision.id, { type: "lock_card", card }));
    // Another page of this player was quicker.
    if (this.refusal?.code === "stale_decision") this.refusal = null;
    else if (this.refusal) this.refusedLock = decision.id;
  }

  protected override async answered(request: Promise<ServerMessage>): Promise<void> {
    await super.answered(request);
    // A question may come before the answer to what was sent: its last card has waited for that.
    void this.lockLastCard();
  }

  pick(disk: number): void {
    if (this.ruler.isOn) return this.ruler.pick(disk);
    this.refusal = null;
    this.piece = null;
    this.inspected = disk;
    this.tool?.pick(disk);
  }

  /** Take a drag that begins on a disk: one that can move is chosen, and its flip aimed. */
  drag(disk: number): boolean {
    const { tool } = this;
    if (this.ruler.isOn || !(tool instanceof DiskTool) || !tool.mayDrag(disk)) return false;
    this.pick(disk);
    return tool.isAiming && tool.subject === disk;
  }

  /** Look at no disk and no piece of terrain any more. */
  forget(): void {
    this.inspected = this.piece = null;
  }
  /**
   * Take a click where no disk lies: put down the chosen disk, unless something is planned with it, and read the terrain there.
   * Where a flip is aimed, the click adds it, however far away: the ghost follows the pointer there too. Beyond the field it puts down.
   */
  putDown(x: number, y: number): void {
    if (this.ruler.isOn) return;
    this.refusal = null;
    if (this.tool?.isAiming && this.board.value && isOnField(this.board.value, { x, y, r: 0 }))
      return this.tool.drop(x, y);
    if (this.tool?.putDown() === false) return;
    this.forget();
    this.piece = this.board.value ? (piecesUnder(this.board.value, { x, y, r: 1 })[0] ?? null) : null;
  }

  // While the ruler is out, the pointer measures and plans nothing.
  get isAiming(): boolean {
    return !this.ruler.isOn && (this.tool?.isAiming ?? false);
  }
  get isPlacing(): boolean {
    return !this.ruler.isOn && (this.tool?.isPlacing ?? false);
  }
  grabs(x: number, y: number, disk: number | null): boolean {
    if (!this.ruler.isOn) return this.tool?.grabs(x, y, disk) ?? false;
    this.pressed = [x, y, disk];
    return true;
  }
  private pressed: readonly [x: number, y: number, disk: number | null] | null = null;
  aimAt(x: number, y: number, isFree: boolean): void {
    if (!this.ruler.isOn) return this.tool?.aimAt(x, y, isFree);
    // A drag begins a new measurement; a click sets the other end of the one that is open.
    if (this.pressed) this.ruler.press(...this.pressed);
    this.pressed = null;
    this.ruler.stretch(x, y, isFree);
  }
  drop(x: number, y: number): void {
    if (!this.ruler.isOn) this.tool?.drop(x, y);
    else if (this.pressed) this.ruler.pickPlace(x, y);
  }

  fieldVector(right: number, up: number): Point {
    const { projection } = this;
    if (!projection) return [right, up];
    const [x0, y0] = projection.toField(0, 0);
    const [x1, y1] = projection.toField(right, -up);
    return [Math.sign(x1 - x0), Math.sign(y1 - y0)];
  }

  async send(action: diskwars.Action): Promise<void> {
    const { stream, decision } = this;
    if (!stream || this.isSending) return;
    if (this.isKept) return void (this.refusal = { type: "refused", code: "not_in_control", text: t("device.secret") });
    await this.answered(this.act(stream.match, decision?.id, action));
  }
}
