// Geometry of the table in whole micrometres, as docs/match-state.md and the vectors of tests/vectors/plane.json say.

export type Point = readonly [x: number, y: number];
export interface Circle {
  readonly x: number;
  readonly y: number;
  readonly r: number;
}

/** Disks overlap from this depth on (R5.3). */
export const OVERLAP_TOLERANCE_UM = 10;

function root(square: bigint): bigint {
  if (square < 2n) return square;
  let guess = BigInt(Math.floor(Math.sqrt(Number(square))));
  while (guess * guess > square) guess -= 1n;
  while ((guess + 1n) * (guess + 1n) <= square) guess += 1n;
  return guess;
}

/** Return the flip in the direction of a vector of any length but zero; each coordinate is rounded to nearest. */
export function flipToward(dx: number, dy: number, diameter: number): Point {
  const [x, y, d] = [BigInt(Math.round(dx)), BigInt(Math.round(dy)), BigInt(diameter)];
  const square = x * x + y * y;
  if (square === 0n) throw new RangeError("the vector (0, 0) has no direction");
  const part = (value: bigint) => Number((root((4n * d * d * value * value) / square) + 1n) / 2n);
  return [x >= 0n ? part(x) : -part(x), y >= 0n ? part(y) : -part(y)];
}

export const isFlip = (dx: number, dy: number, diameter: number): boolean =>
  Math.abs(dx * dx + dy * dy - diameter * diameter) <= 2 * diameter;

export function disksOverlap(one: Circle, other: Circle): boolean {
  const reach = one.r + other.r - OVERLAP_TOLERANCE_UM;
  return (one.x - other.x) ** 2 + (one.y - other.y) ** 2 <= reach * reach;
}

export function disksWithin(one: Circle, other: Circle, reach: number): boolean {
  const span = one.r + other.r + reach;
  return (one.x - other.x) ** 2 + (one.y - other.y) ** 2 <= span * span;
}

export interface Rectangle {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

export const isInside = ({ x, y, r }: Circle, { x0, y0, x1, y1 }: Rectangle): boolean =>
  x - r >= x0 && y - r >= y0 && x + r <= x1 && y + r <= y1;

/** Return the flip at a bearing. */
export const flipAtBearing = (degrees: number, diameter: number): Point => {
  const angle = (degrees * Math.PI) / 180;
  return flipToward(Math.sin(angle) * 1e9, Math.cos(angle) * 1e9, diameter);
};
