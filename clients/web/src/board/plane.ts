// Polygons, stacks and turned pieces in whole micrometres: the parts of the engine's geometry that a plan needs to look ahead.

import { OVERLAP_TOLERANCE_UM, disksOverlap, isInside, type Circle, type Point, type Rectangle } from "./geometry";

export type Polygon = ReadonlyArray<Point>;

const SCALE = 2 ** 30;
/** cos(5° · k) · 2^30 for k = 0..18, rounded to nearest; the rest of the circle is these mirrored. */
const COSINES_5_DEGREES = [
  1073741824, 1069655912, 1057429273, 1037154959, 1008987269, 973140576, 929887697, 879557810, 822533958, 759250125,
  690187940, 615873009, 536870912, 453782903, 367241333, 277904834, 186453311, 93582766, 0,
] as const;
const QUARTER_STEPS = 18;
export const TURN_STEPS = 72;

function direction(step: number): Point {
  const turned = ((step % TURN_STEPS) + TURN_STEPS) % TURN_STEPS;
  const rest = turned % QUARTER_STEPS;
  const [x, y] = [COSINES_5_DEGREES[rest] ?? 0, COSINES_5_DEGREES[QUARTER_STEPS - rest] ?? 0];
  const quarters: ReadonlyArray<Point> = [
    [x, y],
    [-y, x],
    [-x, -y],
    [y, -x],
  ];
  return quarters[Math.floor(turned / QUARTER_STEPS)] ?? [x, y];
}

/** Divide by 2^30 and round to nearest, halves away from zero. */
const unscale = (product: number): number =>
  Math.sign(product) * Math.floor((Math.abs(product) + SCALE / 2) / SCALE) || 0;

/** Rotate a polygon about (0, 0) by steps of 5° from +x towards +y, round it once, and move it. */
export function rotatePolygon(corners: Polygon, steps: number, x = 0, y = 0): Polygon {
  const [cosine, sine] = direction(steps);
  return corners.map(([u, v]) => [x + unscale(u * cosine - v * sine), y + unscale(u * sine + v * cosine)]);
}

/** Whether a · a <= b · c: numbers beyond 2^53 are compared exactly where rounding could decide. */
function isSquareWithin(a: number, b: number, c: number): boolean {
  const [left, right] = [a * a, b * c];
  if (Math.abs(left - right) > 1e-12 * right) return left <= right;
  return BigInt(a) * BigInt(a) <= BigInt(b) * BigInt(c);
}

/** Whether a point is within reach of a polygon or inside it. */
export function isPointNear(x: number, y: number, corners: Polygon, reach: number): boolean {
  const limit = reach * reach;
  let inside = false;
  let [x0, y0] = corners.at(-1) ?? [0, 0];
  for (const [x1, y1] of corners) {
    const [ux, uy, px, py] = [x1 - x0, y1 - y0, x - x0, y - y0];
    const along = px * ux + py * uy;
    const across = px * uy - py * ux;
    const square = ux * ux + uy * uy;
    const near =
      along <= 0
        ? px * px + py * py <= limit
        : along >= square
          ? (x - x1) ** 2 + (y - y1) ** 2 <= limit
          : isSquareWithin(across, limit, square);
    if (near) return true;
    if (y0 > y !== y1 > y && across < 0 === y1 > y0) inside = !inside;
    [x0, y0] = [x1, y1];
  }
  return inside;
}

export const diskOverlapsPolygon = ({ x, y, r }: Circle, corners: Polygon): boolean =>
  isPointNear(x, y, corners, r - OVERLAP_TOLERANCE_UM);

export const isPolygonInside = (corners: Polygon, { x0, y0, x1, y1 }: Rectangle, distance = 0): boolean =>
  corners.every(([x, y]) => isInside({ x, y, r: distance }, { x0, y0, x1, y1 }));

const side = (a: Point, b: Point, c: Point): number =>
  Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));

function sidesOf(corners: Polygon): ReadonlyArray<readonly [Point, Point]> {
  return corners.map((end, place) => [corners.at(place - 1) ?? end, end] as const);
}

/** Whether two polygons are within reach of each other: a corner of one is near the other, or their sides cross. */
export function arePolygonsWithin(one: Polygon, other: Polygon, reach: number): boolean {
  if (one.some(([x, y]) => isPointNear(x, y, other, reach)) || other.some(([x, y]) => isPointNear(x, y, one, reach)))
    return true;
  return sidesOf(one).some(([a, b]) =>
    sidesOf(other).some(([c, d]) => side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0),
  );
}

// ---------------------------------------------------------------- stacks

export interface StackedDisk extends Circle {
  readonly id: number;
  readonly z: number;
}

/** Return the disks that one which lies above all others pins (R6.1): strictly, or by contact. */
export function pinnedFromTop(top: Circle, others: ReadonlyArray<StackedDisk>, mode: "contact" | "strict"): number[] {
  const under = others.filter((other) => disksOverlap(top, other));
  return under
    .filter((bottom) => {
      const between = under.filter((one) => one.z > bottom.z && disksOverlap(one, bottom));
      return between.length === 0 || (mode === "contact" && hasContact(top, bottom, between));
    })
    .map(({ id }) => id)
    .sort((one, other) => one - other);
}

interface ExactCircle {
  readonly x: bigint;
  readonly y: bigint;
  readonly r: bigint;
}

/**
 * Whether some point of two disks, each 5 µm smaller, is covered by none between. The uncovered common points are a closed set: if there
 * are any, one is where two circles cross or touch, or at the right end of the upper or lower disk, so that a few places decide exactly.
 */
function hasContact(top: Circle, bottom: Circle, between: ReadonlyArray<Circle>): boolean {
  const exact = ({ x, y, r }: Circle): ExactCircle => ({ x: BigInt(x), y: BigInt(y), r: BigInt(r) });
  const lens = [top, bottom].map(exact).map(({ x, y, r }) => ({ x, y, r: r - BigInt(OVERLAP_TOLERANCE_UM / 2) }));
  const circles = [...lens, ...between.map(exact)];
  if (
    lens.some(({ x, y, r }) =>
      isUncovered(circles.map((one) => (x + r - one.x) ** 2n + (y - one.y) ** 2n - one.r ** 2n)),
    )
  )
    return true;
  return circles.some((one, place) =>
    circles.slice(0, place).some((other) => hasUncoveredCrossing(circles, one, other)),
  );
}

/** Whether a point is in both outer circles and inside none between: `sides` are negative inside a circle and positive outside. */
const isUncovered = (sides: ReadonlyArray<bigint>): boolean =>
  sides.every((side, place) => (place < 2 ? side <= 0n : side >= 0n));

/** Crossings are c1 + (a·d ± √E·d⊥) / 2·d²; only the sign of their place in each circle is needed, so the root is never drawn. */
function hasUncoveredCrossing(circles: ReadonlyArray<ExactCircle>, one: ExactCircle, other: ExactCircle): boolean {
  const [dx, dy] = [other.x - one.x, other.y - one.y];
  const square = dx * dx + dy * dy;
  const along = square + one.r ** 2n - other.r ** 2n;
  const root = 4n * one.r ** 2n * square - along * along;
  if (square === 0n || root < 0n) return false;
  const parts = circles.map(({ x, y, r }) => {
    const [qx, qy] = [one.x - x, one.y - y];
    return [
      square * (qx * qx + qy * qy + one.r ** 2n - r * r) + along * (qx * dx + qy * dy),
      qy * dx - qx * dy,
    ] as const;
  });
  return [1n, -1n].some((way) => isUncovered(parts.map(([flat, slope]) => signWithRoot(flat, way * slope, root))));
}

const sign = (value: bigint): bigint => (value > 0n ? 1n : value < 0n ? -1n : 0n);

/** Return the sign of flat + slope · √square. */
function signWithRoot(flat: bigint, slope: bigint, square: bigint): bigint {
  const [left, right] = [sign(flat), square ? sign(slope) : 0n];
  return left * right >= 0n ? left || right : left * sign(flat * flat - slope * slope * square);
}
