// A mode is one thing that the chosen disk may do: it is planned, drawn and sent by the mode, which its tool asks.

import type { Mark } from "../../../../board/view";
import type { Moving } from "../../../../board/moving";
import type { Shape } from "../../../../board/shapes";
import type { BoardState, Decision } from "../../../../client/records/match.js";
import { t } from "../../../../messages";
import type { diskwars } from "../../../../protocol/types";
import type { Note } from "../../forecast/forecast";
import { activationHelp, promptOf, type DiskModes, type Mode } from "../../orders";
import { circleOf, isFielded } from "../../forecast/position";
import type { Choice, Framed, ToolContext } from "../tool";

/** The choice of a disk and of its mode, as the modes know it. */
export interface DiskHost {
  readonly context: ToolContext;
  readonly decision: Decision;
  readonly state: BoardState | null;
  /** The disk that is chosen, its name, and what it may do. */
  readonly chosen: number | null;
  readonly name: string;
  readonly found: DiskModes | null;
  /** Take a disk and, where one is named, a mode; else the first that it has. */
  select(disk: number | null, mode?: Mode): void;
  /** Put down the disk, and look at none. */
  cancel(): void;
  send(action: diskwars.Action): Promise<void>;
}
/** The chosen disk on the board that is there now. */
export interface ChosenDisk {
  readonly board: BoardState;
  readonly disk: number;
}

export abstract class DiskMode {
  /** Null before one is taken. */
  abstract readonly id: Mode | null;
  /** The key that takes the mode. */
  abstract readonly shortcut: string;

  constructor(protected readonly host: DiskHost) {}

  /** Whether the disk may do this now. */
  abstract isOffered(found: DiskModes): boolean;
  /** Begin a new plan; the one before is forgotten. */
  begin(): void {}

  protected get chosen(): ChosenDisk | null {
    const { state: board, chosen: disk } = this.host;
    return board && disk !== null ? { board, disk } : null;
  }

  get title(): string {
    const { decision, state } = this.host;
    return this.id ? t(`mode.${this.id}`) : promptOf(decision, state).title;
  }
  get help(): string {
    const { context, decision, state, chosen } = this.host;
    return activationHelp(decision, context.options, state, chosen) || promptOf(decision, state).help;
  }
  get choices(): ReadonlyArray<Choice> {
    return [this.cancelChoice];
  }
  protected get cancelChoice(): Choice {
    return {
      id: "cancel",
      label: t("bar.cancel"),
      key: "Escape",
      icon: "x",
      isTool: true,
      act: () => this.host.cancel(),
    };
  }
  get primary(): Choice | null {
    return null;
  }
  get notes(): ReadonlyArray<Note> {
    return [];
  }
  get aimNotes(): ReadonlyArray<Note> {
    return [];
  }
  /** Why the last click did nothing. */
  get complaint(): Note | null {
    return null;
  }
  get marks(): ReadonlyMap<number, Mark> {
    return new Map();
  }
  get shapes(): ReadonlyArray<Shape> {
    return [];
  }
  get moving(): Moving | null {
    return null;
  }
  /**
   * What the camera frames: every disk, for the choice is among them, or all that a move can reach. Where a mode frames what
   * it marks, as tools do, it is undefined.
   */
  get frame(): Framed | null | undefined {
    const { state: board, chosen: disk } = this.host;
    if (!board) return null;
    const { reach } = this;
    if (!reach || disk === null)
      return { circles: board.disks.filter(isFielded).map(({ id }) => circleOf(board, id)), isSubject: false };
    const at = circleOf(board, disk);
    return { circles: [{ ...at, r: at.r + (reach.flips ?? 1) * (reach.length ?? 2 * at.r) }], isSubject: true };
  }
  protected get reach(): diskwars.Option | null {
    return null;
  }
  get isAiming(): boolean {
    return false;
  }
  /** Whether a plan would be lost if the disk were put down. */
  get hasPlan(): boolean {
    return false;
  }

  /** Take a click on a disk, which may be `isOther` than those that can act; false where it means nothing here. */
  pick(_disk: number, _isOther: boolean): boolean {
    return false;
  }
  grabs(_x: number, _y: number, _disk: number | null): boolean {
    return false;
  }
  aimAt(_x: number, _y: number, _isFree: boolean): void {}
  drop(_x: number, _y: number): void {}
  turn(_degrees: number): void {}
  press(_event: KeyboardEvent): boolean {
    return false;
  }
}
