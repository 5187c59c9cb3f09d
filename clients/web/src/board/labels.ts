// Where the labels of rings and lines stand: in view, and off the disks that they are about.

interface Circle {
  readonly x: number;
  readonly y: number;
  readonly r: number;
}
type Point = readonly [x: number, y: number];
interface Size {
  readonly width: number;
  readonly height: number;
}

/** Where on a ring a label may stand, the best first: on top, below, right, left, and between these. */
const SIDES = [
  [0, -1],
  [0, 1],
  [1, 0],
  [-1, 0],
  [0.8, -0.6],
  [0.8, 0.6],
  [-0.8, -0.6],
  [-0.8, 0.6],
] as const;

/** A label that has its place: the middle of it, and its size. */
export interface PlacedLabel extends Size {
  readonly x: number;
  readonly y: number;
}

/** Return the labels of rings in their order, each off those before it. */
export function placeRingLabels(
  rings: ReadonlyArray<{ readonly ring: Circle; readonly size: Size }>,
  viewBox: string,
  disks: ReadonlyArray<Circle>,
): PlacedLabel[] {
  const placed: PlacedLabel[] = [];
  for (const { ring, size } of rings) {
    const [x, y] = placeRingLabel(ring, size, viewBox, disks, placed);
    placed.push({ ...size, x, y });
  }
  return placed;
}

/** Return the middle of the label; its top where nothing is free. All are millimetres of the picture, of which `viewBox` is in view. */
export function placeRingLabel(
  { x, y, r }: Circle,
  { width, height }: Size,
  viewBox: string,
  disks: ReadonlyArray<Circle>,
  labels: ReadonlyArray<PlacedLabel> = [],
): [number, number] {
  const [left = 0, top = 0, across = 0, down = 0] = viewBox.split(" ").map(Number);
  const places = SIDES.map(([dx, dy]): [number, number] => [x + dx * r, y + dy * r]);
  const isFree = ([u, v]: [number, number]): boolean =>
    u - width / 2 >= left &&
    u + width / 2 <= left + across &&
    v - height / 2 >= top &&
    v + height / 2 <= top + down &&
    !disks.some((disk) => Math.abs(disk.x - u) < disk.r + width / 2 && Math.abs(disk.y - v) < disk.r + height / 2) &&
    !labels.some(
      (label) =>
        Math.abs(label.x - u) < (label.width + width) / 2 && Math.abs(label.y - v) < (label.height + height) / 2,
    );
  return places.find(isFree) ?? (places[0] as [number, number]);
}

interface Shown {
  readonly viewBox: string;
  /** Millimetres of the picture to a pixel. */
  readonly px: number;
}

/** How far beside a short line its label begins, in px: about as far as the disks at its ends reach. */
const BESIDE_PX = 26;

/**
 * Return the middle of the label of a line: on it, or where it would hide the ends, beside it: above or right of it, or on
 * the other side where only that is in view. What `viewBox` shows holds all of it. Its size is in millimetres too.
 */
export function placeLineLabel(
  [x1, y1]: Point,
  [x2, y2]: Point,
  { width, height }: Size,
  { px, viewBox }: Shown,
): [number, number] {
  const [left = 0, top = 0, across = 0, down = 0] = viewBox.split(" ").map(Number);
  const inView = ([u, v]: Point): [number, number] => [
    Math.max(left + width / 2, Math.min(u, left + across - width / 2)),
    Math.max(top + height / 2, Math.min(v, top + down - height / 2)),
  ];
  const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length >= width || length === 0) return inView([x, y]);
  const way = x2 < x1 ? -1 : 1;
  const [aside, up] = [(way * (y2 - y1)) / length, (-way * (x2 - x1)) / length];
  const far = (Math.abs(aside) * width + Math.abs(up) * height) / 2 + BESIDE_PX * px;
  const places = [far, -far].map((distance): Point => [x + aside * distance, y + up * distance]);
  const shown = places.find((place) => inView(place).every((value, k) => value === place[k])) ?? places[0];
  return inView(shown as Point);
}
