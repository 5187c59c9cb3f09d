// Which disk is chosen, and which of its modes is taken.

import type { BoardState, Decision } from "../../../../client/records/match.js";
import type { diskwars } from "../../../../protocol/types";
import { isFielded } from "../../forecast/position";
import { diskName } from "../../names";
import { disksWithModes, modesOf, type DiskModes, type Mode } from "../../orders";
import type { ToolContext, TrayItem } from "../tool";
import { AbilityMode } from "./ability_mode";
import { ChooseMode } from "./choose_mode.svelte";
import type { DiskHost, DiskMode } from "./disk_mode";
import { FocusMode } from "./focus_mode";
import { MoveMode } from "./move_mode.svelte";
import { PassMode } from "./pass_mode";
import { PlaceMode } from "./place_mode.svelte";
import { ShootMode } from "./shoot_mode";

/** The modes that a disk begins with by itself, the first that it has. */
const FIRST_MODES: ReadonlyArray<Mode> = ["move", "reinforce", "shoot"];

interface DiskPlan {
  readonly disk: number | null;
  readonly mode: Mode | null;
}

export class DiskChoice implements DiskHost {
  /** In the order in which they are offered; each has its own plan, which begins when the mode is taken. */
  readonly modes = [
    new MoveMode(this),
    new ShootMode(this),
    new FocusMode(this),
    new PlaceMode(this),
    new AbilityMode(this),
    new PassMode(this),
  ];
  private readonly choosing = new ChooseMode(this);
  private plan = $state.raw<DiskPlan>({ disk: null, mode: null });

  constructor(
    readonly context: ToolContext,
    readonly decision: Decision,
  ) {}

  // Derived values, so that what is planned in a mode makes nothing else follow.
  readonly found = $derived.by((): DiskModes | null =>
    this.plan.disk === null ? null : modesOf(this.context.options, this.plan.disk),
  );
  readonly mode = $derived.by((): DiskMode => this.modes.find(({ id }) => id === this.plan.mode) ?? this.choosing);
  get state(): BoardState | null {
    return this.context.board.value;
  }
  get chosen(): number | null {
    return this.plan.disk;
  }
  get name(): string {
    return this.chosen !== null && this.state ? diskName(this.state, this.chosen) : "";
  }
  /** Whether the question is about one disk, which stays chosen. */
  private get isDiskFixed(): boolean {
    return this.decision.question.type === "continuation" || this.decision.question.type === "rampage";
  }
  /** The disks of the reserve, while one is chosen of them. */
  get tray(): ReadonlyArray<TrayItem> {
    if (!this.choosing.isReserveOpen && this.plan.mode !== "reinforce") return [];
    return this.choosing.reserve.map((disk) => ({ disk, isOn: disk === this.chosen, isOff: false }));
  }

  /** Begin with the disk that the question is about. The only lit one waits for a click: it would be taken for an aim. */
  begin(takesOnlyDisk = false): void {
    const able = disksWithModes(this.context.options);
    const { question } = this.decision;
    const isTaken = this.isDiskFixed || (takesOnlyDisk && able.length === 1);
    if (this.chosen === null && isTaken) this.select(able[0] ?? null);
    if (question.type === "reinforcement") this.choosing.openReserve(true);
  }
  pick(disk: number): void {
    const isOwn = this.state?.disks[disk]?.seat === this.context.seat;
    const isOther = !isOwn || !disksWithModes(this.context.options).includes(disk);
    if (this.mode.pick(disk, isOther)) return;
    // Another disk is looked at, and the one that has to answer stays chosen.
    if (this.isDiskFixed && disk !== this.chosen && isOther) return;
    this.select(disk);
  }
  select(disk: number | null, wanted?: Mode): void {
    this.clear();
    this.plan = { disk, mode: null };
    const { found } = this;
    if (!found || disk === null) return;
    const isOffered = (id: Mode) => this.modes.some((mode) => mode.id === id && mode.isOffered(found));
    const mode = wanted ?? FIRST_MODES.find(isOffered);
    if (mode) this.take(mode);
    else if (this.state?.disks[disk]?.seat === this.context.seat) this.choosing.explain(disk);
  }
  take(mode: Mode): void {
    if (!this.found) return;
    this.plan = { ...this.plan, mode };
    this.mode.begin();
  }
  /** Choose the next disk that can act; while the reserve is open, the next of it. */
  cycle(step: number): void {
    const able = this.tray.length
      ? this.choosing.reserve
      : disksWithModes(this.context.options).filter((disk) => isFielded(this.state?.disks[disk]));
    const at = this.chosen === null ? -1 : able.indexOf(this.chosen);
    if (able.length) this.select(able[(at + step + able.length) % able.length] ?? null);
  }
  cancel(): void {
    this.reset();
    this.context.forget();
  }
  /** Forget what is planned. The disk that the question is about can be chosen by no button, so it stays chosen. */
  reset(): void {
    this.clear();
    if (this.isDiskFixed) this.begin();
  }
  private clear(): void {
    this.plan = { disk: null, mode: null };
    this.choosing.begin();
  }
  async send(action: diskwars.Action): Promise<void> {
    await this.context.send(action);
  }
}
