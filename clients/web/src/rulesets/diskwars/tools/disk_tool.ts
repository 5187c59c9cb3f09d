// Questions that are answered by a disk and what it does: activations, continuations, scouts, rampages and reinforcements.

import type { Moving } from "../../../board/moving";
import type { Shape } from "../../../board/shapes";
import type { Mark } from "../../../board/view";
import type { Decision } from "../../../client/records/match.js";
import { t } from "../../../messages";
import type { Note } from "../forecast/forecast";
import { modesOf } from "../orders";
import { DiskChoice } from "./modes/disk_choice.svelte";
import { Tool, type Choice, type Framed, type ToolContext, type TrayItem } from "./tool";

/** The mode that is taken says what is wanted and drawn, and follows the pointer. */
export class DiskTool extends Tool {
  private readonly choice: DiskChoice;

  constructor(context: ToolContext, decision: Decision) {
    super(context);
    this.choice = new DiskChoice(context, decision);
  }

  /** Begin with the disk that the question is about. */
  begin(takesOnlyDisk = false): void {
    this.choice.begin(takesOnlyDisk);
  }

  private get mode(): DiskChoice["mode"] {
    return this.choice.mode;
  }
  override get subject(): number | null {
    return this.choice.chosen;
  }
  override get title(): string {
    return this.mode.title;
  }
  override get help(): string {
    return this.mode.help;
  }
  override get modes(): ReadonlyArray<Choice> {
    const { found, modes } = this.choice;
    if (!found) return [];
    return modes
      .filter((mode) => mode.isOffered(found))
      .map((mode) => ({
        id: mode.id,
        label: t(`mode.${mode.id}`),
        key: mode.shortcut,
        isOn: this.mode === mode,
        act: () => this.choice.take(mode.id),
      }));
  }
  override get choices(): ReadonlyArray<Choice> {
    return this.state ? this.mode.choices : [];
  }
  override get primary(): Choice | null {
    return this.mode.primary;
  }
  override get notes(): ReadonlyArray<Note> {
    const { complaint, notes } = this.mode;
    return complaint ? [complaint] : notes;
  }
  override get aimNotes(): ReadonlyArray<Note> {
    return this.mode.aimNotes;
  }
  override get complaint(): Note | null {
    return this.mode.complaint;
  }
  override get marks(): ReadonlyMap<number, Mark> {
    const marks = new Map(this.mode.marks);
    const { subject } = this;
    if (subject !== null) marks.set(subject, this.mode.id ? "acting" : "selected");
    return marks;
  }
  override get drawsReach(): boolean {
    return this.mode.id !== null;
  }
  override get shapes(): ReadonlyArray<Shape> {
    return this.mode.shapes;
  }
  override get moving(): Moving | null {
    return this.mode.moving;
  }
  override get frame(): Framed | null {
    if (this.tray.length) return null;
    const { frame } = this.mode;
    return frame === undefined ? super.frame : frame;
  }
  override get isAiming(): boolean {
    return this.mode.isAiming;
  }
  override get isPlacing(): boolean {
    return this.mode.id === "reinforce";
  }
  override get tray(): ReadonlyArray<TrayItem> {
    return this.choice.tray;
  }
  override takeFromTray(disk: number): void {
    this.choice.select(disk, "reinforce");
  }

  override pick(disk: number): void {
    this.choice.pick(disk);
  }
  /** Whether a drag of a disk chooses it for a move. */
  mayDrag(disk: number): boolean {
    return !this.mode.hasPlan && modesOf(this.context.options, disk).move !== undefined;
  }
  override putDown(): boolean {
    if (this.mode.hasPlan) return false;
    this.choice.reset();
    return true;
  }
  override grabs(x: number, y: number, disk: number | null): boolean {
    return this.mode.grabs(x, y, disk);
  }
  override aimAt(x: number, y: number, isFree = false): void {
    this.mode.aimAt(x, y, isFree);
  }
  override drop(x: number, y: number): void {
    this.mode.drop(x, y);
  }
  override turn(steps: number): void {
    this.mode.turn(5 * steps);
  }
  override key(event: KeyboardEvent): boolean {
    if (event.key === "Escape") return (this.choice.cancel(), true);
    if (this.mode.press(event)) return true;
    if (event.key.toUpperCase() !== "N") return false;
    this.choice.cycle(event.shiftKey ? -1 : 1);
    return true;
  }
}
