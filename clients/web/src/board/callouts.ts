// Where the signs of covered disks go: beside the stack, off other disks, off one another, and on the table.

export interface Covered {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly r: number;
  readonly short: string;
  readonly damage: number;
}
export interface Callout<Token extends Covered> {
  readonly disk: Token;
  /** The upper left corner of the sign, and its size, in millimetres of the picture. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const MAX_CALLOUTS = 6;
const BEARINGS = 16;
const DISTANCES = [1.35, 1.9, 2.6] as const;
const HEIGHT_PX = 24;
const LETTER_PX = 6.6;
const EDGE_PX = 28;
const DAMAGE_PX = 16;
/** How much worse it is to cover another sign, or to leave the table, than to cover a disk. */
const SIGN_WEIGHT = 4;
const OUTSIDE_WEIGHT = 5;

interface Size {
  readonly width: number;
  readonly height: number;
}
interface Box extends Size {
  readonly x: number;
  readonly y: number;
}

/** Return a sign for each covered disk, at most six. `px` are the millimetres of a pixel. */
export function placeCallouts<Token extends Covered>(
  covered: ReadonlyArray<Token>,
  disks: ReadonlyArray<Covered>,
  px: number,
  field: Size,
): Callout<Token>[] {
  const sizeOf = (disk: Token): Size => ({
    width: (disk.short.length * LETTER_PX + EDGE_PX + (disk.damage ? DAMAGE_PX : 0)) * px,
    height: HEIGHT_PX * px,
  });
  return placeSigns(covered.slice(0, MAX_CALLOUTS), sizeOf, disks, px, field);
}

/** Return a sign of its size beside each of these disks, where it covers least. Sizes are millimetres of the picture. */
export function placeSigns<Token extends Covered>(
  named: ReadonlyArray<Token>,
  sizeOf: (disk: Token) => Size,
  disks: ReadonlyArray<Covered>,
  px: number,
  field: Size,
): Callout<Token>[] {
  const placed: Callout<Token>[] = [];
  for (const disk of named) {
    const boxes = placesAround(disk, sizeOf(disk), px);
    const costs = boxes.map((box) => costOf(box, disks, placed, field));
    const best = boxes[costs.indexOf(Math.min(...costs))];
    if (best) placed.push({ disk, ...best });
  }
  return placed;
}

/** Return the boxes to try: near ones first, and to the sides first, where they are easiest to read. */
function placesAround({ x, y, r }: Covered, { width, height }: Size, px: number): Box[] {
  const bearings = Array.from({ length: BEARINGS }, (_, step) => (2 * Math.PI * step) / BEARINGS).sort(
    (one, other) => Math.abs(Math.sin(one)) - Math.abs(Math.sin(other)),
  );
  return DISTANCES.flatMap((distance) =>
    bearings.map((bearing) => {
      const far = distance * r + 10 * px;
      const [cx, cy] = [x + Math.cos(bearing) * (far + width / 2), y + Math.sin(bearing) * (far + height / 2)];
      return { x: cx - width / 2, y: cy - height / 2, width, height };
    }),
  );
}

function costOf(box: Box, disks: ReadonlyArray<Covered>, placed: ReadonlyArray<Box>, field: Size): number {
  const onDisks = disks.reduce(
    (sum, { x, y, r }) => sum + overlapOf(box, { x: x - r, y: y - r, width: 2 * r, height: 2 * r }),
    0,
  );
  const onSigns = placed.reduce((sum, one) => sum + overlapOf(box, one), 0);
  const outside = box.width * box.height - overlapOf(box, { x: 0, y: 0, width: field.width, height: field.height });
  return onDisks + SIGN_WEIGHT * onSigns + OUTSIDE_WEIGHT * outside;
}

function overlapOf(one: Box, other: Box): number {
  const across = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const down = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(0, across) * Math.max(0, down);
}

/** Return the sign that is at a place, if one is. */
export const calloutAt = <Token extends Covered>(
  callouts: ReadonlyArray<Callout<Token>>,
  x: number,
  y: number,
): Token | null =>
  callouts.find((one) => x >= one.x && x <= one.x + one.width && y >= one.y && y <= one.y + one.height)?.disk ?? null;
