// Modes of the disk that choose a target: shooting, and abilities.

import { targetMark, type Mark } from "../../../../board/view";
import type { Shape } from "../../../../board/shapes";
import { t } from "../../../../messages";
import type { diskwars } from "../../../../protocol/types";
import { pieceNames, sightShapes } from "../../board/ruler.svelte";
import { note, type Note } from "../../forecast/forecast";
import { circleOf, gapOf, inches, isFielded } from "../../forecast/position";
import { firstTarget, harmsOwn } from "../../forecast/preselect";
import { sightBetween } from "../../forecast/sight";
import { diskName } from "../../names";
import type { DiskModes } from "../../orders";
import { boardRefusalText } from "../../refusals";
import type { Choice } from "../tool";
import { DiskMode } from "./disk_mode";

export type TargetAction = diskwars.Focus | diskwars.Shoot | diskwars.UseAbility;

interface TargetPlan {
  /** Which shot or ability of the disk. */
  readonly number: number;
  readonly target: number | null;
  /** The disk that was clicked and is no target, and why it is none. */
  readonly refused: number | null;
  readonly complaint: Note | null;
}
const NO_PLAN: TargetPlan = { number: 0, target: null, refused: null, complaint: null };

export abstract class TargetMode extends DiskMode {
  private plan = $state.raw(NO_PLAN);

  /** All that the disk may do in this mode, of each number and with each target. */
  protected abstract actionsOf(found: DiskModes): ReadonlyArray<TargetAction>;
  /** Which shot or ability of the disk an action is. */
  protected abstract numberOf(action: TargetAction): number;
  protected abstract numberText(number: number): string;
  /** What the refusals of the server call such an action. */
  protected abstract readonly refusedAction: string;

  override isOffered(found: DiskModes): boolean {
    return this.actionsOf(found).length > 0;
  }
  override begin(): void {
    const { state, decision } = this.host;
    this.plan = { ...NO_PLAN, number: this.numbers[0] ?? 0 };
    this.plan = { ...this.plan, target: state ? firstTarget(state, decision, this.actions) : null };
  }

  private get all(): ReadonlyArray<TargetAction> {
    return this.host.found ? this.actionsOf(this.host.found) : [];
  }
  /** The actions of the chosen number. */
  protected get actions(): ReadonlyArray<TargetAction> {
    return this.all.filter((action) => this.numberOf(action) === this.plan.number);
  }
  protected get numbers(): ReadonlyArray<number> {
    return [...new Set(this.all.map((action) => this.numberOf(action)))].sort((one, other) => one - other);
  }
  protected get number(): number {
    return this.plan.number;
  }
  protected get target(): number | null {
    return this.plan.target;
  }
  protected get answer(): TargetAction | null {
    return this.actions.find(({ target }) => target === (this.target ?? undefined)) ?? null;
  }
  private get hasTargets(): boolean {
    return this.actions.some(({ target }) => target !== undefined);
  }
  /** The targets, own disks that would be harmed last. */
  protected get targets(): ReadonlyArray<number> {
    const found = this.actions.flatMap(({ target }) => (target === undefined ? [] : [target]));
    return [...found.filter((disk) => !this.isOwnHarm(disk)), ...found.filter((disk) => this.isOwnHarm(disk))];
  }
  override get marks(): ReadonlyMap<number, Mark> {
    const targets = new Set(this.targets);
    const fielded = targets.size ? (this.host.state?.disks ?? []).filter(isFielded) : [];
    const markOf = (disk: number) =>
      targets.has(disk) ? targetMark(disk === this.target, this.isOwnHarm(disk)) : "dim";
    return new Map(fielded.map(({ id }) => [id, markOf(id)]));
  }
  override get frame(): undefined {
    return undefined;
  }
  /** Whether a target is an own disk that would be harmed. */
  protected isOwnHarm(disk: number | null): boolean {
    const { state, decision } = this.host;
    return state !== null && this.actions.some((action) => action.target === disk && harmsOwn(state, decision, action));
  }

  override get title(): string {
    return this.hasTargets ? t("bar.target", { name: this.host.name }) : super.title;
  }
  override get help(): string {
    const { targets } = this;
    if (!targets.length) return super.help;
    return t(targets.every((disk) => this.isOwnHarm(disk)) ? "bar.target.own" : "bar.target.help");
  }
  override get choices(): ReadonlyArray<Choice> {
    return [...this.numberChoices, ...super.choices];
  }
  private get numberChoices(): ReadonlyArray<Choice> {
    const { numbers } = this;
    if (numbers.length < 2 || !this.chosen) return [];
    return numbers.map((number, place) => ({
      id: `attack-${number}`,
      key: String(place + 1),
      isOn: number === this.number,
      label: this.numberText(number),
      act: () => {
        this.plan = { ...this.plan, number, target: null };
      },
    }));
  }
  override get primary(): Choice {
    const { answer } = this;
    return {
      id: "commit",
      label: t(answer || !this.targets.length ? "bar.use" : "bar.target.none"),
      icon: "bolt",
      isOff: !answer,
      act: () => {
        if (answer) void this.host.send(answer);
      },
    };
  }
  override get complaint(): Note | null {
    return this.plan.complaint;
  }
  override get shapes(): ReadonlyArray<Shape> {
    return this.aimShapes("");
  }
  /** The line of sight to the target, and what blocks that to a disk which was refused. */
  protected aimShapes(label: string): Shape[] {
    const { chosen } = this;
    const { target, refused } = this.plan;
    if (!chosen) return [];
    const { board, disk } = chosen;
    const shapes: Shape[] = [];
    if (target !== null && target !== disk) {
      const { line } = sightBetween(board, disk, target);
      const isOwn = this.isOwnHarm(target);
      const text = isOwn ? [t("aim.own"), label].filter(Boolean).join(", ") : label;
      shapes.push({ kind: "line", from: line[0], to: line[1], tone: isOwn ? "own" : "enemy", label: text });
    }
    if (refused !== null) shapes.push(...sightShapes(sightBetween(board, disk, refused)));
    return shapes;
  }

  override pick(disk: number): boolean {
    this.plan = { ...this.plan, refused: null, complaint: null };
    if (!this.hasTargets) return false;
    if (this.actions.some(({ target }) => target === disk)) this.plan = { ...this.plan, target: disk };
    else if (disk !== this.host.chosen) this.refuse(disk);
    return true;
  }
  private refuse(target: number): void {
    const { chosen } = this;
    if (!chosen) return;
    const { board, disk } = chosen;
    const refused = isFielded(board.disks[target]) ? target : null;
    const name = diskName(board, target);
    const { isSeen, hiding } = sightBetween(board, disk, target);
    if (!isSeen && refused !== null) {
      const hidden = t("note.target.hidden", { name, pieces: pieceNames(board, hiding) });
      this.plan = { ...this.plan, refused, complaint: note(hidden, "R11.2", "bad") };
      return;
    }
    const found = (this.host.context.options.unavailable ?? []).find(
      (reason) => reason.disk === disk && reason.target === target && reason.action === this.refusedAction,
    );
    const distance = inches(gapOf(circleOf(board, disk), circleOf(board, target)));
    const complaint = found
      ? note(boardRefusalText(found, board), found.rule, "bad")
      : note(t("note.target.far", { name, distance }), "R12.1", "bad");
    this.plan = { ...this.plan, refused, complaint };
  }

  override press({ key, shiftKey }: KeyboardEvent): boolean {
    if (key !== "Tab" || this.cycled.length <= (this.target === null ? 0 : 1)) return false;
    this.cycle(shiftKey ? -1 : 1);
    return true;
  }
  /** The targets that a key goes through: an own disk that would be harmed is clicked, unless there is nobody else. */
  private get cycled(): ReadonlyArray<number> {
    const wanted = this.targets.filter((disk) => !this.isOwnHarm(disk));
    return wanted.length ? wanted : this.targets;
  }
  private cycle(step: number): void {
    const { cycled } = this;
    const at = this.target === null ? -1 : cycled.indexOf(this.target);
    const next = cycled[at < 0 && step < 0 ? cycled.length - 1 : (at + step + cycled.length) % cycled.length] ?? null;
    this.plan = { ...this.plan, target: next };
  }
}
