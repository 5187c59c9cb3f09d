// What part of the table is in view, in millimetres of the picture; and pan, zoom and pinch.

import {
  RAIL_MM,
  boundsOf,
  followedView,
  heldView,
  isInView,
  revealedView,
  type Frame,
  type Stage,
  type View,
} from "./framing";

const MIN_WIDTH_MM = 120;
/** A frame that is in view already is left alone unless it would be drawn this many times larger. */
const WORTH_A_MOVE = 1.7;
export const MOVE_MS = 350;

export class Camera {
  x = $state(0);
  y = $state(0);
  width = $state(1000);
  /** Of the element, in px. */
  pixels = $state({ width: 600, height: 600 });
  /** Unknown at first. */
  private field = $state.raw({ width: 0, height: 0 });
  private isFree = false;
  private frame: Frame | null = null;
  private readonly pointers = new Map<number, { x: number; y: number }>();

  /** Takes the view before a move that follows a question, so that what draws it can show the way. */
  onMove: (from: View) => void = () => undefined;

  /** Whether the player has moved the view, so that it follows no question. */
  get isHeld(): boolean {
    return this.isFree;
  }
  get height(): number {
    return (this.width * this.pixels.height) / Math.max(1, this.pixels.width);
  }
  get pixelsPerMm(): number {
    return this.pixels.width / this.width;
  }
  get viewBox(): string {
    return `${this.x} ${this.y} ${this.width} ${this.height}`;
  }

  resize(width: number, height: number): void {
    if (this.pixels.width === width && this.pixels.height === height) return;
    this.pixels = { width: Math.max(1, width), height: Math.max(1, height) };
    if (!this.isFree) this.show(followedView(this.stage, this.frame), false);
  }

  setField(width: number, height: number): void {
    if (this.field.width === width && this.field.height === height) return;
    this.field = { width, height };
    this.fit();
  }

  /** Show the whole table. */
  fit(): void {
    this.frame = null;
    this.isFree = false;
    this.show(followedView(this.stage, null), false);
  }

  /** Follow a frame, or the whole table without one. Never under a pointer, and not after the player has moved the view. */
  follow(frame: Frame | null): void {
    if (this.pointers.size > 0) return;
    const needed = frame?.needed?.length ? boundsOf(frame.needed) : null;
    const isHeld = needed === null || isInView(this.stage, this, needed);
    if (this.isFree) {
      // The player holds the view; what is committed next is in it all the same.
      if (needed && !isHeld) this.show(heldView(this.stage, this, needed), true);
      return;
    }
    const was = this.frame;
    this.frame = frame;
    const view = followedView(this.stage, frame);
    const isNear =
      isHeld &&
      frame !== null &&
      was !== null &&
      isInView(this.stage, this, frame) &&
      this.width / view.width < WORTH_A_MOVE;
    if (!isNear) this.show(view, true);
  }

  /** Let the camera follow again. */
  followAgain(): void {
    this.isFree = false;
  }

  private get stage(): Stage {
    return { width: this.pixels.width, height: this.pixels.height, field: this.field };
  }

  private show(view: View, isMove: boolean): void {
    const from = { x: this.x, y: this.y, width: this.width };
    Object.assign(this, view);
    if (isMove && (from.x !== view.x || from.y !== view.y || from.width !== view.width)) this.onMove(from);
  }

  zoom(factor: number, px = this.pixels.width / 2, py = this.pixels.height / 2): void {
    const [x, y] = this.at(px, py);
    const most = 1.2 * (this.field.width + 2 * RAIL_MM) * Math.max(1, this.pixels.width / this.pixels.height);
    this.width = Math.min(most, Math.max(MIN_WIDTH_MM, this.width / factor));
    this.x = x - px / this.pixelsPerMm;
    this.y = y - py / this.pixelsPerMm;
    this.isFree = true;
  }

  /** Whether a part of the field is out of view. */
  get isPartial(): boolean {
    const { x, y, width, height, field } = this;
    return x > 1 || y > 1 || x + width < field.width - 1 || y + height < field.height - 1;
  }

  /** Bring a place of the picture into the middle. */
  centre(x: number, y: number): void {
    this.x = x - this.width / 2;
    this.y = y - this.height / 2;
    this.isFree = true;
  }

  /** Bring a place into view, if it is not. */
  reveal(x: number, y: number): void {
    if (isInView(this.stage, this, { x0: x, y0: y, x1: x, y1: y })) return;
    this.show(revealedView(this.stage, this, x, y), true);
    this.isFree = true;
  }

  /** Return the place of the picture under a point of the element. */
  at(px: number, py: number): [x: number, y: number] {
    return [this.x + px / this.pixelsPerMm, this.y + py / this.pixelsPerMm];
  }

  press(id: number, x: number, y: number): void {
    this.pointers.set(id, { x, y });
  }

  release(id: number): void {
    this.pointers.delete(id);
  }

  get isPinching(): boolean {
    return this.pointers.size > 1;
  }

  /** Move one of the pointers: one pans, two zoom. */
  drag(id: number, x: number, y: number): void {
    const before = this.pointers.get(id);
    if (!before) return;
    const other = [...this.pointers].find(([one]) => one !== id)?.[1];
    this.pointers.set(id, { x, y });
    if (other) {
      const was = Math.hypot(before.x - other.x, before.y - other.y);
      const is = Math.hypot(x - other.x, y - other.y);
      if (was > 0 && is > 0) this.zoom(is / was, (x + other.x) / 2, (y + other.y) / 2);
    } else {
      this.x -= (x - before.x) / this.pixelsPerMm;
      this.y -= (y - before.y) / this.pixelsPerMm;
      this.isFree = true;
    }
  }
}
