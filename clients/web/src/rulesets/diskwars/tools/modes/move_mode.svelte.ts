// Moving: a path of flips, planned one after the other.

import { disksOverlap, type Circle, type Point } from "../../../../board/geometry";
import type { BoardState } from "../../../../client/records/match.js";
import type { Moving } from "../../../../board/moving";
import type { Shape } from "../../../../board/shapes";
import { t } from "../../../../messages";
import type { diskwars } from "../../../../protocol/types";
import { boardAhead, landingNotes, landingWords, note, pathNotes, stopsPath, type Note } from "../../forecast/forecast";
import {
  after,
  degreesOf,
  flipAt,
  landingOf,
  nearestVector,
  snapBearings,
  snapped,
  type Flip,
} from "../../forecast/path";
import { circleOf, isDiskInAnyArea, overlappedDisks, profileOf } from "../../forecast/position";
import { moveRing, shotRing } from "../../forecast/reach";
import { hasKeyword } from "../../forecast/stats";
import { disksWithModes, type DiskModes } from "../../orders";
import { SNAP_PX, type Choice, type Framed } from "../tool";
import { DiskMode } from "./disk_mode";

/** A flip at a snap is rounded to micrometres. */
const SNAPPED_DEGREES = 0.02;
/** What a landing would bring is worked out at most this often while the pointer moves, because it takes most of a frame. */
const NOTES_MS = 100;

interface MovePlan {
  readonly path: ReadonlyArray<Flip>;
  /** The flip that the pointer aims at, and its direction in degrees. */
  readonly aim: Flip | null;
  readonly bearing: number;
}

export class MoveMode extends DiskMode {
  readonly id = "move";
  readonly shortcut = "M";
  /** Whether the activation goes on after the move. */
  private keepsGoing = $state(false);
  private plan = $state.raw<MovePlan>({ path: [], aim: null, bearing: 0 });
  /** The aim that the notes are about. */
  private noted = $state.raw<Flip | null>(null);
  private notesTimer: ReturnType<typeof setTimeout> | undefined;

  // Derived values, so that what the pointer moves makes nothing else follow.
  private readonly path = $derived.by(() => this.plan.path);
  private readonly aim = $derived.by(() => this.plan.aim);
  private readonly isAimLegal = $derived.by(() => this.aim?.isLegal ?? false);
  private readonly option = $derived.by((): diskwars.Option | null => {
    const { found, state } = this.host;
    const fixed = found?.moves[0];
    if (found?.move) return found.move;
    if (!fixed || !state) return null;
    return { example: fixed, disk: fixed.disk, flips: 1, length: 2 * circleOf(state, fixed.disk).r, areas: [] };
  });
  private readonly flipsLeft = $derived.by((): number => (this.option?.flips ?? 0) - this.path.length);
  private readonly isFull = $derived.by((): boolean => {
    const { chosen } = this;
    return this.flipsLeft < 1 || (chosen !== null && stopsPath(chosen.board, chosen.disk, this.path));
  });
  private readonly origin = $derived.by((): Point | null => {
    const { chosen } = this;
    return chosen && after(circleOf(chosen.board, chosen.disk), this.path);
  });
  private readonly snaps = $derived.by((): ReadonlyArray<number> => {
    const { chosen, origin, option } = this;
    return chosen && origin && option?.length ? snapBearings(chosen.board, chosen.disk, origin, option.length) : [];
  });
  /** The direction of the flip that is aimed, and what it would do: as rarely as the notes, for it is written anew. */
  private readonly bubble = $derived.by((): ReadonlyArray<string> => {
    const { chosen, noted, origin } = this;
    if (!chosen || !noted || !origin) return [];
    const bearing = degreesOf(noted.vector[0], noted.vector[1]);
    const isSnapped = this.snaps.some((snap) => Math.abs(snap - bearing) < SNAPPED_DEGREES);
    return [
      t(isSnapped ? "bar.direction.snapped" : "bar.direction", { degrees: Math.round(bearing) % 360 }),
      ...(noted.isLegal ? landingWords(chosen.board, chosen.disk, noted.x, noted.y) : [t("note.notthere")]),
      ...(noted.isLegal && this.path.length === 0 ? [t("bar.aim.first")] : []),
    ];
  });

  override isOffered({ move, moves }: DiskModes): boolean {
    return move !== undefined || moves.length > 0;
  }
  override begin(): void {
    const { example } = this.option ?? {};
    const first = example?.type === "move_disk" ? example.path[0] : undefined;
    this.keepsGoing = false;
    this.replacePlan({ path: [], aim: null, bearing: 0 });
    if (!first) return;
    const bearing = Math.round(degreesOf(first[0], first[1])) % 360;
    this.replacePlan({ path: [], aim: this.landing(first), bearing });
  }
  private replacePlan(plan: MovePlan): void {
    this.plan = plan;
    if (plan.aim === null || this.noted === null) {
      this.noted = plan.aim;
      return;
    }
    this.notesTimer ??= setTimeout(() => {
      this.notesTimer = undefined;
      this.noted = this.plan.aim;
    }, NOTES_MS);
  }

  // ---------------------------------------------------------------- what is asked and drawn

  override get title(): string {
    return this.option ? t("bar.move", { name: this.host.name }) : super.title;
  }
  override get help(): string {
    if (!this.option) return super.help;
    if (!this.isFull) return t("bar.move.help", { left: this.flipsLeft });
    return t(this.flipsLeft < 1 ? "bar.move.full" : "bar.move.stopped");
  }
  override get primary(): Choice | null {
    if (!this.option) return null;
    const count = this.path.length;
    return {
      id: "commit",
      label: t("bar.commit", { count }),
      icon: "check",
      isOff: count === 0 || this.path.at(-1)?.isLegal === false,
      act: () => void this.commit(this.keepsGoing),
    };
  }
  /** Whether the disk may shoot or focus after its move (R8.2): once, and not after it did so before. */
  private get actsAfterMove(): boolean {
    const { question } = this.host.decision;
    const { chosen } = this;
    const isLeft =
      question.type === "activation" ||
      (question.type === "continuation" && question.allowed.some((act) => act !== "move"));
    return isLeft && chosen !== null && hasKeyword(profileOf(chosen.board, chosen.disk), "mobile");
  }
  override get choices(): ReadonlyArray<Choice> {
    if (!this.option) return super.choices;
    const isEmpty = this.path.length === 0;
    const turn = (degrees: number): Choice => ({
      id: `turn${degrees}`,
      label: `${degrees > 0 ? "+" : "−"}${Math.abs(degrees)}°`,
      isTool: true,
      act: () => this.turn(degrees),
    });
    // There before the first flip: no button moves away under the finger that adds flips.
    const keep: Choice = {
      id: "keep",
      label: t("bar.keep"),
      icon: "rot",
      isSwitch: true,
      isOn: this.keepsGoing,
      act: () => (this.keepsGoing = !this.keepsGoing),
    };
    return [
      ...(this.actsAfterMove ? [keep] : []),
      {
        id: "add",
        label: t("bar.add"),
        key: "A",
        icon: "plus",
        isOff: !this.isAimLegal || this.isFull,
        act: () => this.add(),
      },
      { id: "undo", label: t("bar.undo"), icon: "undo", isOff: isEmpty, isTool: true, act: () => this.undo() },
      turn(-5),
      turn(5),
      this.cancelChoice,
    ];
  }
  override get notes(): ReadonlyArray<Note> {
    return this.pathNotes;
  }
  override get aimNotes(): ReadonlyArray<Note> {
    return this.landingNotes;
  }
  // Derived values: panel, bar and what is read aloud ask for them, and each takes a good part of a frame.
  private readonly pathNotes = $derived.by((): ReadonlyArray<Note> => {
    const { chosen } = this;
    const planned = this.path.at(-1);
    if (!chosen || !this.option || !planned) return [];
    return [
      ...this.illegalNotes(planned),
      ...pathNotes(chosen.board, chosen.disk, this.path),
      ...(this.actsAfterMove ? [note(t("note.mobile"), "R8.2")] : []),
    ];
  });
  private readonly landingNotes = $derived.by((): ReadonlyArray<Note> => {
    const { chosen, noted } = this;
    if (!chosen || !this.option || !noted || this.isFull) return [];
    // The flips planned before have taken the disk off the ground that it lies on.
    const { ahead } = this;
    if (!ahead) return [];
    return [...this.illegalNotes(noted), ...landingNotes(ahead, chosen.disk, noted.x, noted.y, true)];
  });
  /** The board once the planned flips are done. */
  private readonly ahead = $derived.by((): BoardState | null => {
    const { chosen } = this;
    return chosen && boardAhead(chosen.board, chosen.disk, this.path);
  });
  private illegalNotes({ x, y, isLegal }: Flip): Note[] {
    const { chosen } = this;
    if (isLegal) return [];
    const { width, height } = chosen?.board.field ?? { width: 0, height: 0 };
    const isOff =
      chosen && !isDiskInAnyArea(chosen.board, chosen.disk, x, y, [{ x0: 0, y0: 0, x1: width, y1: height }]);
    const { type } = this.host.decision.question;
    const rule = type === "scout" ? "R8.9" : type === "rampage" ? "R12.6" : "R8.4";
    return isOff ? [] : [note(t("note.notthere"), rule, "bad")];
  }
  override get shapes(): ReadonlyArray<Shape> {
    const { chosen, option, origin } = this;
    if (!chosen || !option || !origin) return [];
    const { board, disk } = chosen;
    const start = circleOf(board, disk);
    const [x, y] = origin;
    const shapes: Shape[] = [
      ...moveRing({ ...start, x, y }, this.isFull ? 0 : this.flipsLeft, option.length ?? 0),
      ...shotRing(this.ahead ?? board, disk),
    ];
    if (!this.isFull) shapes.push({ kind: "dial", x, y, r: start.r, bearings: this.snaps });
    let from: Point = [start.x, start.y];
    for (const [place, flip] of this.path.entries()) {
      shapes.push({ kind: "line", from, to: [flip.x, flip.y], tone: "plan" });
      shapes.push({
        kind: "ghost",
        x: flip.x,
        y: flip.y,
        r: start.r,
        tone: flip.isLegal ? "plan" : "illegal",
        label: String(place + 1),
        disk,
        isLast: this.isFull && place === this.path.length - 1,
      });
      from = [flip.x, flip.y];
    }
    return shapes;
  }
  override get moving(): Moving | null {
    const { chosen, aim, origin } = this;
    if (!chosen || !this.option || !aim || this.isFull) return null;
    return {
      x: aim.x,
      y: aim.y,
      r: circleOf(chosen.board, chosen.disk).r,
      from: origin,
      isLegal: aim.isLegal,
      label: String(this.path.length + 1),
      disk: chosen.disk,
      bubble: this.bubble,
    };
  }
  protected override get reach(): diskwars.Option | null {
    return this.option;
  }
  /** Once a flip is planned, what is about to be committed: the disk, where it comes to lie, and on what. */
  private readonly planned = $derived.by((): ReadonlyArray<Circle> => {
    const { chosen, path } = this;
    const last = path.at(-1);
    if (!chosen || !last) return [];
    const { board, disk } = chosen;
    const at = circleOf(board, disk);
    return [
      at,
      { x: last.x, y: last.y, r: at.r },
      ...overlappedDisks(board, disk, last.x, last.y).map((other) => circleOf(board, other)),
    ];
  });
  override get frame(): Framed | null | undefined {
    const frame = super.frame;
    const { chosen } = this;
    const last = this.path.at(-1);
    if (!frame || !chosen || !last) return frame;
    const from = circleOf(chosen.board, chosen.disk);
    return { ...frame, needed: this.planned, lean: [last.x - from.x, last.y - from.y] };
  }
  override get isAiming(): boolean {
    return this.option !== null && !this.isFull;
  }
  override get hasPlan(): boolean {
    return this.path.length > 0;
  }

  // ---------------------------------------------------------------- planning

  override pick(disk: number, isOther: boolean): boolean {
    if (this.option && disk !== this.host.chosen && isOther) {
      this.goTo(disk);
      return true;
    }
    return this.hasPlan && disk === this.host.chosen;
  }
  /** Plan straight flips until the disk lies on another, or is out of flips. */
  private goTo(other: number): void {
    const { chosen, option } = this;
    if (!chosen || !option?.length) return;
    const [target, { r }] = [circleOf(chosen.board, other), circleOf(chosen.board, chosen.disk)];
    while (!this.isFull) {
      const [x, y] = this.origin ?? [0, 0];
      if (this.hasPlan && disksOverlap({ x, y, r }, target)) return;
      if (x === target.x && y === target.y) return;
      this.aimAt(target.x, target.y, true);
      const before = this.path.length;
      this.add();
      if (this.path.length === before || (this.host.found?.moves.length ?? 0) > 0) return;
    }
  }
  override grabs(x: number, y: number, disk: number | null): boolean {
    const { chosen, origin } = this;
    if (!chosen) return false;
    // Before the first flip is planned, a press on another disk that can act chooses that one.
    const isChoosing = disk !== null && disk !== chosen.disk && !this.hasPlan;
    if (isChoosing && disksWithModes(this.host.context.options).includes(disk)) return false;
    const { r } = circleOf(chosen.board, chosen.disk);
    return this.isAiming && origin !== null && Math.hypot(x - origin[0], y - origin[1]) <= 3.2 * r;
  }
  override aimAt(x: number, y: number, isFree: boolean): void {
    const { origin, option } = this;
    if (!origin || !option?.length || !this.isAiming || !this.chosen || this.isOnActing(x, y)) return;
    const [dx, dy] = [x - origin[0], y - origin[1]];
    if (dx === 0 && dy === 0) return;
    const { fixedVectors } = this;
    if (fixedVectors) {
      const nearest = nearestVector(fixedVectors, dx, dy);
      if (nearest) this.replacePlan({ ...this.plan, aim: this.landing(nearest) });
      return;
    }
    const tolerance = (SNAP_PX * this.host.context.pixelUm * 180) / Math.PI / option.length;
    const free = degreesOf(dx, dy);
    const bearing = isFree ? free : snapped(free, this.snaps, Math.min(tolerance, 8));
    const landing = this.landing(flipAt(bearing, option.length));
    // A snap that would leave the legal area, by a rounding, is none.
    const aim = landing?.isLegal ? landing : this.landing(flipAt(free, option.length));
    this.replacePlan({ ...this.plan, aim, bearing });
  }
  override drop(x: number, y: number): void {
    const { chosen, origin } = this;
    if (!chosen || this.isOnActing(x, y)) return;
    const { r } = circleOf(chosen.board, chosen.disk);
    // A tap has no pointer that hovered before; one in the middle of the last ghost says no direction.
    if (origin && Math.hypot(x - origin[0], y - origin[1]) > r / 3) this.aimAt(x, y, false);
    this.add();
  }
  /** Whether a place is on the disk that acts: a click on it chooses it, and never aims. */
  private isOnActing(x: number, y: number): boolean {
    const { chosen } = this;
    if (!chosen) return false;
    const disk = circleOf(chosen.board, chosen.disk);
    return Math.hypot(x - disk.x, y - disk.y) <= disk.r;
  }
  override turn(degrees: number): void {
    const { option, fixedVectors } = this;
    if (!option?.length || !this.isAiming) return;
    if (fixedVectors) {
      const at = fixedVectors.findIndex(([x, y]) => x === this.aim?.vector[0] && y === this.aim.vector[1]);
      const next = fixedVectors[(at + Math.sign(degrees) + fixedVectors.length) % fixedVectors.length];
      if (next) this.replacePlan({ ...this.plan, aim: this.landing(next) });
      return;
    }
    // The next flip goes on in the same direction until it is turned; then in whole degrees.
    const before = this.plan.bearing;
    const bearing = degrees === 0 ? before : (Math.round(before) + degrees + 360) % 360;
    this.replacePlan({ ...this.plan, aim: this.landing(flipAt(bearing, option.length)), bearing });
  }
  override press({ key, shiftKey }: KeyboardEvent): boolean {
    if (!this.option) return false;
    if (key === "ArrowLeft" || key === "ArrowRight")
      return (this.turn((key === "ArrowLeft" ? -1 : 1) * (shiftKey ? 1 : 5)), true);
    if (key === "Backspace") return (this.undo(), true);
    if (key === "Enter" && shiftKey && this.hasPlan) return (void this.commit(true), true);
    if (key === "Enter" && this.isAimLegal && !this.isFull && !this.hasPlan) return (this.add(), true);
    return false;
  }

  /** The flips to choose from, where they are offered one by one. */
  private get fixedVectors(): ReadonlyArray<Point> | null {
    const { found } = this.host;
    return !found?.move && found?.moves.length ? found.moves.flatMap(({ path }) => path.slice(0, 1)) : null;
  }
  private landing(vector: Point): Flip | null {
    const { chosen, origin, option } = this;
    return chosen && origin && option
      ? landingOf(chosen.board, option, chosen.disk, origin, vector, this.flipsLeft <= 1)
      : null;
  }
  private add(): void {
    if (!this.aim?.isLegal || this.isFull) return;
    this.replacePlan({ ...this.plan, path: [...this.path, this.aim], aim: null });
    if (!this.isFull) this.turn(0);
  }
  private undo(): void {
    this.replacePlan({ ...this.plan, path: this.path.slice(0, -1), aim: null });
    this.turn(0);
  }
  private async commit(keepsGoing = false): Promise<void> {
    const { chosen: disk, decision } = this.host;
    if (disk === null || !this.hasPlan) return;
    await this.host.send({
      type: "move_disk",
      disk,
      path: this.path.map(({ vector }) => vector),
      ...(decision.question.type === "rampage" ? {} : { over_own_disks: true }),
      ...(keepsGoing ? { end_activation: false } : {}),
    });
  }
}
