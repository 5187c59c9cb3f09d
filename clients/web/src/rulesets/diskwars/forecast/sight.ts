// Lines of sight past blocking terrain (R11), as the engine finds them: exact, in whole micrometres.

import { OVERLAP_TOLERANCE_UM, type Circle, type Point } from "../../../board/geometry";
import type { BoardState } from "../../../client/records/match.js";
import { isPointNear, type Polygon } from "../../../board/plane";
import { circleOf, hasGround } from "./position";

export type Segment = readonly [Point, Point];
/** Numbers go beyond 2^53: everything that is multiplied is a BigInt. */
type Exact = readonly [x: bigint, y: bigint];
type ExactLine = readonly [Exact, Exact];
interface ExactCircle {
  readonly at: Exact;
  readonly r: bigint;
  readonly ring: ReadonlyArray<Exact>;
}

const SCALE_BITS = 30n;
/** cos(90° · k / 16) · 2^30 for k = 0..16, rounded down, so that no corner leaves the disk. */
const RING_COSINES = [
  1073741824n,
  1068571463n,
  1053110175n,
  1027506861n,
  992008094n,
  946955747n,
  892783698n,
  830013654n,
  759250124n,
  681174602n,
  596538995n,
  506158392n,
  410903206n,
  311690798n,
  209476638n,
  105245103n,
  0n,
] as const;
const QUARTER = 16;
const RING_CORNERS = 4 * QUARTER;

const scaleTowardZero = (length: bigint, factor: bigint): bigint =>
  factor >= 0n ? (length * factor) >> SCALE_BITS : -((length * -factor) >> SCALE_BITS);

/** Return the 64-gon that stands for a disk in sight tests: inscribed in the disk with 10 µm less radius (R11.3). */
export function sightPolygon({ x, y, r }: Circle): Polygon {
  return exactRing(BigInt(x), BigInt(y), BigInt(r - OVERLAP_TOLERANCE_UM)).map(([u, v]) => [Number(u), Number(v)]);
}

function exactRing(x: bigint, y: bigint, size: bigint): Exact[] {
  return Array.from({ length: RING_CORNERS }, (_, place) => {
    const rest = place % QUARTER;
    const [u, v] = [RING_COSINES[rest] ?? 0n, RING_COSINES[QUARTER - rest] ?? 0n];
    const [dx, dy] = (
      [
        [u, v],
        [-v, u],
        [-u, -v],
        [v, -u],
      ] as const
    )[Math.floor(place / QUARTER)] ?? [u, v];
    return [x + scaleTowardZero(size, dx), y + scaleTowardZero(size, dy)];
  });
}

const exact = ([x, y]: Point): Exact => [BigInt(x), BigInt(y)];
const turnOf = (a: Exact, b: Exact, c: Exact): bigint => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
const absolute = (value: bigint): bigint => (value < 0n ? -value : value);
const least = (values: ReadonlyArray<bigint>): bigint => values.reduce((one, other) => (one < other ? one : other));
const most = (values: ReadonlyArray<bigint>): bigint => values.reduce((one, other) => (one > other ? one : other));

/**
 * Return a line of sight from a point of one disk to a point of another, or null (R11.2, R11.3). Whether there is one is exact, its ends are
 * rounded. `blockers` are the pieces that block sight; those that either disk overlaps are ignored.
 */
export function findSight(from: Circle, to: Circle, blockers: ReadonlyArray<Polygon>): Segment | null {
  // The engine tries the same lines in the same order, and says why these are enough.
  const pieces = blockers.filter((piece) => canBlock(piece, from, to));
  if (pieces.length === 0)
    return [
      [from.x, from.y],
      [to.x, to.y],
    ];
  const [a, b] = [exactCircle(from), exactCircle(to)];
  const outlines = pieces.map((piece) => piece.map(exact));
  for (const line of [[a.at, b.at] as const, ...grazingLines(a, b, outlines)]) {
    if (meetsRing(line, a) && meetsRing(line, b) && isClear(line, a, b, outlines))
      return [nearestOnLine(a.at, line), nearestOnLine(b.at, line)];
  }
  return null;
}

function exactCircle({ x, y, r }: Circle): ExactCircle {
  const size = BigInt(r - OVERLAP_TOLERANCE_UM);
  return { at: [BigInt(x), BigInt(y)], r: size, ring: exactRing(BigInt(x), BigInt(y), size) };
}

/** Whether a piece is near the convex hull of two disks, and overlaps neither. */
function canBlock(piece: Polygon, a: Circle, b: Circle): boolean {
  const [ux, uy] = [b.x - a.x, b.y - a.y];
  // Rounding cannot matter here: a piece too many is only looked at in vain.
  const length = Math.hypot(ux, uy) + 1;
  const band = Math.max(a.r, b.r) + 1;
  const across = piece.map(([x, y]) => (ux * (y - a.y) - uy * (x - a.x)) / length);
  const along = piece.map(([x, y]) => (ux * (x - a.x) + uy * (y - a.y)) / length);
  if (
    Math.max(...across) < -band ||
    Math.min(...across) > band ||
    Math.max(...along) < -band ||
    Math.min(...along) > length + band
  )
    return false;
  return ![a, b].some(({ x, y, r }) => isPointNear(x, y, piece, r - OVERLAP_TOLERANCE_UM));
}

/** Yield the lines through a corner of a piece and tangent to a 64-gon, then those through two corners. */
function* grazingLines(
  a: ExactCircle,
  b: ExactCircle,
  pieces: ReadonlyArray<ReadonlyArray<Exact>>,
): Generator<ExactLine> {
  const corners = [...new Map(pieces.flat().map((corner) => [`${corner[0]} ${corner[1]}`, corner])).values()];
  for (const corner of corners) {
    for (const { ring } of [a, b]) yield [corner, rightmost(ring, corner)];
  }
  for (const [place, one] of corners.entries()) {
    for (const other of corners.slice(place + 1)) yield [one, other];
  }
}

/** Return the corner of a 64-gon that lies furthest to the right, seen from a point outside, as the engine finds it. */
function rightmost(ring: ReadonlyArray<Exact>, eye: Exact): Exact {
  const corner = (place: number): Exact => ring[((place % RING_CORNERS) + RING_CORNERS) % RING_CORNERS] ?? eye;
  let best = 0;
  for (const stride of [16, 8, 4, 2, 1]) {
    for (const step of [stride, -stride]) {
      while (turnOf(eye, corner(best), corner(best + step)) < 0n) best = (best + step + RING_CORNERS) % RING_CORNERS;
    }
  }
  return corner(best);
}

function meetsRing([p, q]: ExactLine, { at, r, ring }: ExactCircle): boolean {
  const [ux, uy] = [q[0] - p[0], q[1] - p[1]];
  const side = ux * (at[1] - p[1]) - uy * (at[0] - p[0]);
  if (side * side > r * r * (ux * ux + uy * uy)) return false;
  return ring.some(([u, v]) => side * (ux * (v - p[1]) - uy * (u - p[0])) <= 0n);
}

/** Whether a line that meets both 64-gons avoids the inside of every piece between them. */
function isClear(
  line: ExactLine,
  a: ExactCircle,
  b: ExactCircle,
  pieces: ReadonlyArray<ReadonlyArray<Exact>>,
): boolean {
  return pieces.every((piece) => !isCrossed(line, a, b, piece));
}

function isCrossed([p, q]: ExactLine, a: ExactCircle, b: ExactCircle, piece: ReadonlyArray<Exact>): boolean {
  let [ux, uy] = [q[0] - p[0], q[1] - p[1]];
  let start = ux * (a.at[0] - p[0]) + uy * (a.at[1] - p[1]);
  let end = ux * (b.at[0] - p[0]) + uy * (b.at[1] - p[1]);
  if (start > end) [ux, uy, start, end] = [-ux, -uy, -start, -end];
  const across = piece.map(([x, y]) => ux * (y - p[1]) - uy * (x - p[0]));
  if (least(across) >= 0n || most(across) <= 0n) return false;
  return lineEnters(
    across,
    piece.map(([x, y]) => ux * (x - p[0]) + uy * (y - p[1])),
    start,
    end,
  );
}

/** Whether a piece has inner points on a stretch of a line; its corners are given across and along the line. */
function lineEnters(across: ReadonlyArray<bigint>, along: ReadonlyArray<bigint>, start: bigint, end: bigint): boolean {
  const [left, right]: [bigint[], bigint[]] = [[], []];
  let [s0, t0] = [across.at(-1) ?? 0n, along.at(-1) ?? 0n];
  for (const [corner, s1] of across.entries()) {
    const t1 = along[corner] ?? 0n;
    if (s0 * s1 < 0n) {
      const width = absolute(s1 - s0);
      const place = (t0 * s1 - t1 * s0) * (s1 > s0 ? 1n : -1n);
      if (start * width < place && place < end * width) return true;
    } else if ((s0 === 0n) !== (s1 === 0n)) {
      const place = s0 ? t1 : t0;
      if (start < place && place < end) (s0 + s1 < 0n ? left : right).push(place);
    }
    [s0, t0] = [s1, t1];
  }
  // A line that only touches corners or runs along sides is inside where the stretches just left and just right of it both are.
  return spans(left).some(([l0, l1]) => spans(right).some(([r0, r1]) => (l0 > r0 ? l0 : r0) < (l1 < r1 ? l1 : r1)));
}

/** Pair the places at which a line crosses an outline, starting outside, to the stretches that are inside. */
function spans(places: ReadonlyArray<bigint>): Array<readonly [bigint, bigint]> {
  const sorted = [...places].sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  return sorted.flatMap((begin, place) => (place % 2 === 0 ? [[begin, sorted[place + 1] ?? begin] as const] : []));
}

/** Return the point of a line nearest to a given point, rounded. */
function nearestOnLine([x, y]: Exact, [p, q]: ExactLine): Point {
  const [ux, uy] = [q[0] - p[0], q[1] - p[1]];
  const square = ux * ux + uy * uy;
  if (square === 0n) return [Number(p[0]), Number(p[1])];
  const along = (x - p[0]) * ux + (y - p[1]) * uy;
  const part = (product: bigint) => floorQuotient(2n * product + square, 2n * square);
  return [Number(p[0] + part(ux * along)), Number(p[1] + part(uy * along))];
}

const floorQuotient = (number: bigint, divisor: bigint): bigint => {
  const quotient = number / divisor;
  return number % divisor < 0n ? quotient - 1n : quotient;
};

// ---------------------------------------------------------------- on the table

export interface SightReport {
  /** A line of sight, or the line between the centres where there is none. */
  readonly line: Segment;
  readonly isSeen: boolean;
  /** Numbers of the pieces that hide one from the other: those on the line between the centres, or else all that are in the way. */
  readonly hiding: ReadonlyArray<number>;
  /** Where the line between the centres meets the first of them. */
  readonly blockedAt: Point | null;
  /** Whether the viewer sees over everything (R10.8). */
  readonly isFromHeight: boolean;
}

/** Tell whether one disk sees another, and if not, what hides it. */
export function sightBetween(board: BoardState, viewer: number, other: number): SightReport {
  const isFromHeight = hasGround(board, board.disks[viewer]?.terrain ?? [], "high_ground");
  return sightOfCircles(board, circleOf(board, viewer), circleOf(board, other), isFromHeight);
}

/** The same for places where something would lie. */
function sightOfCircles(board: BoardState, from: Circle, to: Circle, isFromHeight = false): SightReport {
  const blocking = board.terrain.flatMap((_, number) => (hasGround(board, [number], "blocks_sight") ? [number] : []));
  const corners = (number: number): Polygon => board.terrain[number]?.corners ?? [];
  const straight: Segment = [
    [from.x, from.y],
    [to.x, to.y],
  ];
  const seen = isFromHeight ? straight : findSight(from, to, blocking.map(corners));
  if (seen) return { line: seen, isSeen: true, hiding: [], blockedAt: null, isFromHeight };
  const between = blocking.filter((number) => canBlock(corners(number), from, to));
  const places = between
    .flatMap((number) => {
      const place = entryOf(straight, corners(number));
      return place === null ? [] : [{ number, place }];
    })
    .sort((one, other) => one.place - other.place);
  const hiding = places.length ? places.map(({ number }) => number) : between;
  const at = places[0]?.place ?? 0.5;
  return {
    line: straight,
    isSeen: false,
    hiding,
    blockedAt: [from.x + at * (to.x - from.x), from.y + at * (to.y - from.y)],
    isFromHeight,
  };
}

/** Return the part of a segment, from 0 to 1, after which it meets the outline of a piece; null if it does not. */
function entryOf([[px, py], [qx, qy]]: Segment, corners: Polygon): number | null {
  const [ux, uy] = [qx - px, qy - py];
  const found = corners.flatMap(([x1, y1], place) => {
    const [x0, y0] = corners.at(place - 1) ?? [x1, y1];
    const [vx, vy] = [x1 - x0, y1 - y0];
    const width = ux * vy - uy * vx;
    if (width === 0) return [];
    const [along, across] = [((x0 - px) * vy - (y0 - py) * vx) / width, ((x0 - px) * uy - (y0 - py) * ux) / width];
    return along >= 0 && along <= 1 && across >= 0 && across <= 1 ? [along] : [];
  });
  return found.length ? Math.min(...found) : null;
}
