// What part of the table is in view, in millimetres of the picture; and pan, zoom and pinch.

const MIN_WIDTH_MM = 120;
/** Beyond the field, the rail is in view. */
export const RAIL_MM = 46;

export class Camera {
  x = $state(0);
  y = $state(0);
  width = $state(1000);
  /** Of the element, in px. */
  pixels = $state({ width: 600, height: 600 });
  private field = $state.raw({ width: 914, height: 914 });
  private isFree = false;
  private covered = 0;
  private readonly pointers = new Map<number, { x: number; y: number }>();

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
    this.pixels = { width: Math.max(1, width), height: Math.max(1, height) };
    if (!this.isFree) this.fit();
  }

  /** Keep the table above what covers the lowest pixels of the element. */
  cover(pixels: number): void {
    this.covered = pixels;
    if (!this.isFree) this.fit();
  }

  setField(width: number, height: number): void {
    if (this.field.width === width && this.field.height === height) return;
    this.field = { width, height };
    this.fit();
  }

  /** Show the whole table, above what lies over the lower edge. */
  fit(): void {
    this.isFree = false;
    const [width, height] = [this.field.width + 2 * RAIL_MM, this.field.height + 2 * RAIL_MM];
    const free = Math.max(1, this.pixels.height - this.covered);
    this.width = Math.max(width, (height * this.pixels.width) / free);
    this.x = this.field.width / 2 - this.width / 2;
    this.y = this.field.height / 2 - (free / this.pixelsPerMm) / 2;
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
    this.y = y - (this.height - this.covered / this.pixelsPerMm) / 2;
    this.isFree = true;
  }

  /** Bring a place into view, if it is not. */
  reveal(x: number, y: number): void {
    const free = this.height - this.covered / this.pixelsPerMm;
    if (x < this.x || y < this.y || x > this.x + this.width || y > this.y + free) this.centre(x, y);
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
