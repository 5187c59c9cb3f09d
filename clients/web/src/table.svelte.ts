// One match as the page shows it: which moment, what is planned, what was refused. Components draw it.

import { disksOverlap, flipAtBearing, flipToward, isInside, type Point } from "./board/geometry";
import { diskName, makeDisks, makePins, makeProjection, makeTerrain, makeZones, type Mark } from "./board/view";
import type { Decision, MatchState } from "./core/match.js";
import type { MatchStream } from "./client/stream";
import { names, t } from "./messages";
import { asksForDisk, disksWithModes, modesOf, whyNot, type DiskModes, type Mode } from "./orders";
import type { Refused, diskwars } from "./protocol/types";
import { session } from "./session.svelte";

export interface Flip {
  readonly vector: Point;
  readonly x: number;
  readonly y: number;
  readonly isLegal: boolean;
  readonly pins: ReadonlyArray<number>;
}

export class Table {
  /** The record that is shown in the replay; null follows the match. */
  moment = $state<number | null>(null);
  selected = $state<number | null>(null);
  mode = $state<Mode | null>(null);
  plan = $state.raw<ReadonlyArray<Flip>>([]);
  aim = $state.raw<Flip | null>(null);
  aimDegrees = $state(0);
  refusal = $state.raw<Refused | null>(null);
  hint = $state<{ text: string; rule: string } | null>(null);
  isSending = $state(false);

  constructor(private readonly find: () => MatchStream | null) {}

  readonly stream = $derived.by(() => (void session.tick, this.find()));
  readonly head = $derived.by(() => (void session.tick, this.stream?.seq ?? 0));
  readonly seat = $derived.by(() => (void session.tick, this.stream?.seat ?? null));
  readonly shown = $derived.by((): { readonly state: MatchState | null } => {
    void session.tick;
    const { stream } = this;
    return { state: stream === null ? null : copyChanging(this.moment === null ? stream.state : stream.stateAt(this.moment)) };
  });
  readonly board = $derived.by(() => ({ value: this.shown.state?.board ?? null }));
  readonly seatNames = $derived.by(() => (this.shown.state?.seats ?? []).map(({ player }, seat) => session.nameOf(player, seat)));
  readonly projection = $derived.by(() => (this.board.value ? makeProjection(this.board.value, this.seat) : null));
  readonly disks = $derived.by(() =>
    this.shown.state && this.projection ? makeDisks(this.shown.state, this.projection, this.seatNames, this.seat) : []);
  readonly pins = $derived.by(() => (this.board.value && this.projection ? makePins(this.board.value, this.projection) : []));
  readonly zones = $derived.by(() => (this.board.value && this.projection ? makeZones(this.board.value, this.projection) : []));
  readonly terrain = $derived.by(() => (this.board.value && this.projection ? makeTerrain(this.board.value, this.projection) : []));

  readonly decision = $derived.by((): Decision | null => {
    const { state } = this.shown;
    if (this.moment !== null || !state || state.status === "ended") return null;
    const own = state.decisions.find(({ seat }) => seat === this.seat);
    const free = this.seat === null ? state.decisions.find(({ question }) => question.type === "seat") : undefined;
    return own ?? free ?? null;
  });
  readonly options = $derived.by((): diskwars.Options => {
    void session.tick;
    return (this.decision && this.stream?.options.get(this.decision.id)) ?? {};
  });
  readonly modes = $derived.by((): DiskModes | null => (this.selected === null ? null : modesOf(this.options, this.selected)));

  readonly marks = $derived.by(() => {
    const marks = new Map<number, Mark>();
    if (this.decision && asksForDisk(this.decision)) for (const id of disksWithModes(this.options)) marks.set(id, "ready");
    const targets = new Set(this.targets.map(({ target }) => target));
    if (targets.size) for (const { id } of this.disks) marks.set(id, targets.has(id) ? "target" : id === this.selected ? "acting" : "dim");
    if (this.selected !== null) marks.set(this.selected, this.modes && this.mode ? "acting" : "selected");
    return marks;
  });
  /** The actions of the chosen mode that need a target. */
  readonly targets = $derived.by((): ReadonlyArray<diskwars.Focus | diskwars.Shoot | diskwars.UseAbility> => {
    const { mode, modes } = this;
    const all = mode === "shoot" ? modes?.shoot : mode === "focus" ? modes?.focus : mode === "ability" ? modes?.ability : undefined;
    return (all ?? []).filter(({ target }) => target !== undefined);
  });

  // ---------------------------------------------------------------- choosing

  /** A click on a disk: a target of what is planned, or the disk that shall act. */
  async pick(id: number): Promise<void> {
    this.hint = null;
    const found = this.targets.filter(({ target }) => target === id);
    if (found.length) return this.send(found[0] as diskwars.Action);
    this.clear();
    this.selected = id;
    const modes = this.modes;
    if (!modes || !this.decision) return;
    if (modes.move) this.choose("move");
    else if (modes.reinforce) this.choose("reinforce");
    else if (modes.shoot.length) this.choose("shoot");
    else if (this.board.value?.disks[id]?.seat === this.seat) this.hint = whyNot(this.options, id);
  }

  choose(mode: Mode): void {
    this.mode = mode;
    this.plan = [];
    this.aim = null;
    if (mode !== "move") return;
    const example = this.modes?.move?.example;
    const first = example?.type === "move_disk" ? example.path[0] : undefined;
    if (first) {
      this.aimDegrees = Math.round((Math.atan2(first[0], first[1]) * 180) / Math.PI);
      this.aim = this.landing(first);
    }
  }

  clear(): void {
    Object.assign(this, { selected: null, mode: null, plan: [], aim: null, hint: null, refusal: null });
  }

  /** Forget what belongs to a decision that is no longer open. */
  onDecision(): void {
    this.clear();
    const { decision } = this;
    const ready = decision && asksForDisk(decision) ? disksWithModes(this.options) : [];
    if (decision?.question.type === "continuation" || ready.length === 1) void this.pick(ready[0] ?? -1);
  }

  // ---------------------------------------------------------------- moves

  get limits(): diskwars.Option | null {
    return this.mode === "move" ? (this.modes?.move ?? null) : null;
  }
  get flipsLeft(): number {
    return (this.limits?.flips ?? 0) - this.plan.length;
  }
  /** Where the next flip begins. */
  get origin(): Point | null {
    const disk = this.selected === null ? undefined : this.board.value?.disks[this.selected];
    const last = this.plan.at(-1);
    return last ? [last.x, last.y] : disk ? [disk.x, disk.y] : null;
  }

  aimAt(x: number, y: number): void {
    const { origin, limits } = this;
    if (!origin || !limits?.length || this.flipsLeft < 1) return;
    const [dx, dy] = [x - origin[0], y - origin[1]];
    if (dx === 0 && dy === 0) return;
    this.aimDegrees = Math.round((Math.atan2(dx, dy) * 180) / Math.PI);
    this.aim = this.landing(flipToward(dx, dy, limits.length));
  }

  turnBy(degrees: number): void {
    if (!this.limits?.length || this.flipsLeft < 1) return;
    this.aimDegrees = (this.aimDegrees + degrees + 360) % 360;
    this.aim = this.landing(flipAtBearing(this.aimDegrees, this.limits.length));
  }

  add(): void {
    if (!this.aim?.isLegal || this.flipsLeft < 1 || this.isStopped) return;
    this.plan = [...this.plan, this.aim];
    this.aim = null;
    if (!this.isStopped && this.flipsLeft > 0) this.turnBy(0);
  }

  undo(): void {
    this.plan = this.plan.slice(0, -1);
    this.turnBy(0);
  }

  /** A landing that pins an enemy ends the move; the server decides about keywords that say otherwise. */
  get isStopped(): boolean {
    const last = this.plan.at(-1);
    return last !== undefined && last.pins.length > 0 && !this.isRelentless;
  }
  private get isRelentless(): boolean {
    const disk = this.selected === null ? undefined : this.board.value?.disks[this.selected];
    const keywords = disk ? this.board.value?.profiles[disk.profile]?.keywords : [];
    return (keywords ?? []).some(({ id }) => id === "relentless" || id === "flying");
  }

  private landing(vector: Point): Flip {
    const [x, y] = this.origin ?? [0, 0];
    const board = this.board.value;
    const disk = this.selected === null ? undefined : board?.disks[this.selected];
    const r = (disk && board?.profiles[disk.profile]?.radius) ?? 0;
    const at = { x: x + vector[0], y: y + vector[1], r };
    const under = (board?.disks ?? []).filter((other) =>
      other !== disk && other.place === "battlefield" && other.seat !== disk?.seat &&
      disksOverlap(at, { x: other.x, y: other.y, r: board?.profiles[other.profile]?.radius ?? 0 }));
    const field = board ? { x0: 0, y0: 0, x1: board.field.width, y1: board.field.height } : null;
    return { vector, x: at.x, y: at.y, isLegal: field !== null && isInside(at, field), pins: under.map(({ id }) => id) };
  }

  /** What the landing does, in words. */
  get forecast(): string {
    const board = this.board.value;
    const landing = this.aim ?? this.plan.at(-1);
    if (!landing || !board) return "";
    if (!landing.isLegal) return t("bar.off");
    return landing.pins.length ? t("bar.pins", { names: names(landing.pins.map((id) => diskName(board, id))) }) : t("bar.clear");
  }

  async commit(keepGoing = false): Promise<void> {
    if (this.selected === null || this.plan.length === 0) return;
    const path = this.plan.map(({ vector }) => vector);
    await this.send({ type: "move_disk", disk: this.selected, path, ...(keepGoing ? { end_activation: false } : {}) });
  }

  async reinforceAt(x: number, y: number): Promise<void> {
    if (this.selected !== null) await this.send({ type: "reinforce", disk: this.selected, x, y });
  }

  // ---------------------------------------------------------------- sending

  async send(action: diskwars.Action): Promise<void> {
    const { stream, decision } = this;
    if (!stream || this.isSending) return;
    this.isSending = true;
    this.refusal = null;
    const answer = await session.client.act(stream.match, decision?.id, action);
    this.isSending = false;
    if (answer.type === "refused") this.refusal = answer;
  }

  async resign(): Promise<void> {
    const { stream } = this;
    if (stream) await session.client.act(stream.match, undefined, { type: "resign" });
  }
}

/** Copy what the fold changes in place, so that whoever compares sees that it has changed. */
function copyChanging(state: MatchState | null): MatchState | null {
  const board = state?.board;
  if (!state) return null;
  return {
    ...state,
    seats: state.seats.map((seat) => ({ ...seat })),
    board: board ? { ...board, disks: board.disks.map((disk) => ({ ...disk })), sides: board.sides.map((side) => ({ ...side })), layout: { ...board.layout } } : null,
  };
}
