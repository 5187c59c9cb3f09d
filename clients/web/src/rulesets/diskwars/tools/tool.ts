// A tool answers one open question: it says what is wanted, draws what is planned, takes clicks, drags and keys, and sends the answer.

import type { Circle, Point } from "../../../board/geometry";
import type { Moving } from "../../../board/moving";
import type { Mark } from "../../../board/view";
import type { BarChoice } from "../../../match/bar/bar";
import type { BoardState, Decision } from "../../../client/records/match.js";
import { t } from "../../../messages";
import type { diskwars } from "../../../protocol/types";
import type { Note } from "../forecast/forecast";
import { circleOf } from "../forecast/position";
import type { Shape } from "../../../board/shapes";

/** How far from it, in pixels, what is aimed snaps to a place or a direction. */
export const SNAP_PX = 10;

/** What a tool knows of the match, and how it sends. */
export interface ToolContext {
  readonly board: { readonly value: BoardState | null };
  readonly options: diskwars.Options;
  readonly decision: Decision | null;
  readonly seat: number | null;
  readonly seatNames: ReadonlyArray<string>;
  readonly isSending: boolean;
  /** How many micrometres a pixel of the table stands for now. */
  readonly pixelUm: number;
  /** Turn a direction on the screen (right, up) into one on the field. */
  fieldVector(right: number, up: number): Point;
  send(action: diskwars.Action): Promise<void>;
  /** Look at no disk any more. */
  forget(): void;
}

export interface Choice extends BarChoice {
  /** A button of the pointer, shown by its icon: its label is read out. */
  readonly isTool?: boolean;
}
/** What the camera frames: places of the field in micrometres, each with what is around it. */
export interface Framed {
  readonly circles: ReadonlyArray<Circle>;
  readonly isSubject: boolean;
  /** The direction of the field in which it is aimed. */
  readonly lean?: Point;
  /** What is whole in view whatever that takes. */
  readonly needed?: ReadonlyArray<Circle>;
}
export interface TrayItem {
  readonly disk: number;
  readonly isOn: boolean;
  readonly isOff: boolean;
}

export abstract class Tool {
  constructor(protected readonly context: ToolContext) {}

  abstract get title(): string;
  get help(): string {
    return "";
  }
  /** What follows if the plan is committed. */
  get notes(): ReadonlyArray<Note> {
    return [];
  }
  /** What the notes are about. */
  get notesTitle(): string {
    return t("note.title");
  }
  /** What follows of something that is aimed at, and not part of the plan yet. */
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
  /** What the question is about: the disks that are marked, unless it is about places of the table. */
  get frame(): Framed | null {
    const board = this.state;
    const circles = board
      ? [...this.marks].flatMap(([disk, mark]) =>
          mark !== "dim" && board.disks[disk]?.place === "battlefield" ? [circleOf(board, disk)] : [],
        )
      : [];
    return circles.length ? { circles, isSubject: false } : null;
  }
  /** Whether it draws itself how far the chosen disk gets. */
  get drawsReach(): boolean {
    return false;
  }
  get shapes(): ReadonlyArray<Shape> {
    return [];
  }
  /** What follows the pointer, apart from all that stays while it moves. */
  get moving(): Moving | null {
    return null;
  }
  /** A row of alternatives, of which one may be on. */
  get modes(): ReadonlyArray<Choice> {
    return [];
  }
  get choices(): ReadonlyArray<Choice> {
    return [];
  }
  get primary(): Choice | null {
    return null;
  }
  /** Disks that are not on the table, to be chosen for it. */
  get tray(): ReadonlyArray<TrayItem> {
    return [];
  }
  /** The disk that the question or the plan is about. */
  get subject(): number | null {
    return null;
  }
  /** Whether the pointer aims while no button is down. */
  get isAiming(): boolean {
    return false;
  }
  /** True while a click on the table places a piece, also where another piece lies. */
  get isPlacing(): boolean {
    return false;
  }

  /** Take a click where nothing lies: put down what is chosen. Returns false where a plan would be lost. */
  putDown(): boolean {
    return true;
  }
  /** Take a click on a disk. */
  pick(_disk: number): void {}
  takeFromTray(_disk: number): void {}
  /** Whether a drag that begins at a place of the field, on a disk or on none, moves the plan and not the view. */
  grabs(_x: number, _y: number, _disk: number | null): boolean {
    return false;
  }
  /** Follow the pointer. */
  aimAt(_x: number, _y: number, _isFree = false): void {}
  /** Take the end of a drag, or a click where something is placed. */
  drop(_x: number, _y: number): void {}
  turn(_steps: number): void {}
  /** Take a key; false if it means nothing here. */
  key(_event: KeyboardEvent): boolean {
    return false;
  }

  protected get state(): BoardState | null {
    return this.context.board.value;
  }
  protected async send(action: diskwars.Action): Promise<void> {
    await this.context.send(action);
  }
}
