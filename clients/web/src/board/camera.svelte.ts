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
/** A gesture is over when nothing has moved for so long. */
const REST_MS = 120;

export class Camera {
  x = $state(0);
  y = $state(0);
  width = $state(1000);
  /**
   * The view that the picture is drawn for. While the player pans or zooms, a transform shows it where the view is: to
   * draw all disks anew takes as long as four frames of a slow phone.
   */
  drawn = $state.raw<View>({ x: 0, y: 0, width: 1000 });
  /** The width of the view by which lines and signs are sized: a frame later, for each of both takes most of one. */
  private grain = $state(1000);
  private rest: ReturnType<typeof setTimeout> | undefined;
  /** Of the element, in px. */
  pixels = $state({ width: 600, height: 600 });
  /** The lower right corner of the element that tools cover, in px. */
  private covered = { width: 0, height: 0 };
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
  /** Of the picture as it is drawn. */
  get pixelsPerMm(): number {
    return this.pixels.width / this.drawn.width;
  }
  /** How many millimetres a pixel is where lines and signs are sized. */
  get pixelMm(): number {
    return this.grain / this.pixels.width;
  }
  get viewBox(): string {
    const { x, y, width } = this.drawn;
    return `${x} ${y} ${width} ${(width * this.pixels.height) / Math.max(1, this.pixels.width)}`;
  }
  /** Whether the picture is drawn for another view than the one that is shown. */
  get isMoving(): boolean {
    return this.drawn.x !== this.x || this.drawn.y !== this.y || this.drawn.width !== this.width;
  }
  /** What moves the picture to where the view is. */
  get transform(): string {
    if (!this.isMoving) return "none";
    const scale = this.pixels.width / this.width;
    const [x, y] = [(this.drawn.x - this.x) * scale, (this.drawn.y - this.y) * scale];
    return `translate(${x}px, ${y}px) scale(${this.drawn.width / this.width})`;
  }

  /** Draw the picture for the view that is shown. */
  draw(): void {
    clearTimeout(this.rest);
    this.drawn = { x: this.x, y: this.y, width: this.width };
    this.grain = this.width;
  }
  /** Draw it once the gesture rests, in two frames. */
  private drawLater(): void {
    clearTimeout(this.rest);
    this.rest = setTimeout(() => {
      this.drawn = { x: this.x, y: this.y, width: this.width };
      requestAnimationFrame(() => this.draw());
    }, REST_MS);
  }

  resize(width: number, height: number): void {
    if (this.pixels.width === width && this.pixels.height === height) return;
    this.pixels = { width: Math.max(1, width), height: Math.max(1, height) };
    if (!this.isFree) this.show(followedView(this.stage, this.frame), false);
  }

  /** Keep what is asked about out of the lower right corner that tools cover. */
  cover(width: number, height: number): void {
    if (this.covered.width === width && this.covered.height === height) return;
    this.covered = { width, height };
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
    const covered = this.covered.width > 0 && this.covered.width < this.pixels.width / 2 ? this.covered : undefined;
    return { width: this.pixels.width, height: this.pixels.height, field: this.field, covered };
  }

  private show(view: View, isMove: boolean): void {
    const from = { x: this.x, y: this.y, width: this.width };
    Object.assign(this, view);
    this.draw();
    if (isMove && (from.x !== view.x || from.y !== view.y || from.width !== view.width)) this.onMove(from);
  }

  /** Zoom about a place of the element; with a place, as one of the steps of a gesture. */
  zoom(factor: number, at: readonly [px: number, py: number] | null = null): void {
    const [px, py] = at ?? [this.pixels.width / 2, this.pixels.height / 2];
    const [x, y] = this.at(px, py);
    const most = 1.2 * (this.field.width + 2 * RAIL_MM) * Math.max(1, this.pixels.width / this.pixels.height);
    this.width = Math.min(most, Math.max(MIN_WIDTH_MM, this.width / factor));
    this.x = x - px / this.scale;
    this.y = y - py / this.scale;
    this.isFree = true;
    if (at) this.drawLater();
    else this.draw();
  }
  /** Pixels of a millimetre in the view. */
  private get scale(): number {
    return this.pixels.width / this.width;
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
    this.drawLater();
  }

  /** Bring a place into view, if it is not. */
  reveal(x: number, y: number): void {
    if (isInView(this.stage, this, { x0: x, y0: y, x1: x, y1: y })) return;
    this.show(revealedView(this.stage, this, x, y), true);
    this.isFree = true;
  }

  /** Return the place of the picture under a point of the element. */
  at(px: number, py: number): [x: number, y: number] {
    return [this.x + px / this.scale, this.y + py / this.scale];
  }

  press(id: number, x: number, y: number): void {
    this.pointers.set(id, { x, y });
  }

  release(id: number): void {
    this.pointers.delete(id);
    if (this.pointers.size === 0 && this.isMoving) this.draw();
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
      if (was > 0 && is > 0) this.zoom(is / was, [(x + other.x) / 2, (y + other.y) / 2]);
    } else {
      this.x -= (x - before.x) / this.scale;
      this.y -= (y - before.y) / this.scale;
      this.isFree = true;
      this.drawLater();
    }
  }
}
