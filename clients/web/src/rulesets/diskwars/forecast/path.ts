// Flips of a move: where they land, what they snap to, and straight ways.

import { flipAtBearing, flipToward, type Circle, type Point } from "../../../board/geometry";
import type { BoardState } from "../../../client/records/match.js";
import type { diskwars } from "../../../protocol/types";
import {
  circleOf,
  fieldOf,
  isDiskInAnyArea,
  isOnField,
  piecesUnder,
  pinsIfPlaced,
  radiusOf,
  stackedDisks,
} from "./position";
import { hasKeyword } from "./stats";

export interface Flip {
  readonly vector: Point;
  readonly x: number;
  readonly y: number;
  readonly isLegal: boolean;
}

/** How far inside another disk's rim a flip ends that is to pin it just so. */
const JUST_PINNING_UM = 500;

export const degreesOf = (dx: number, dy: number): number => ((Math.atan2(dx, dy) * 180) / Math.PI + 360) % 360;

/** Return the landing of one flip from a place. A flying disk only has to land legally at its last flip (R8.7). */
export function landingOf(
  board: BoardState,
  option: diskwars.Option,
  disk: number,
  from: Point,
  vector: Point,
  isLast = true,
): Flip {
  const [x, y] = [from[0] + vector[0], from[1] + vector[1]];
  const areas = option.areas ?? [];
  const isFree =
    areas.length === 0 ||
    (!isLast && hasKeyword(board.profiles[board.disks[disk]?.profile ?? -1] ?? ({ keywords: [] } as never), "flying"));
  const at = { ...circleOf(board, disk), x, y };
  return { vector, x, y, isLegal: isOnField(board, at) && (isFree || isDiskInAnyArea(board, disk, x, y, areas)) };
}

/** Return the bearings at which a flip just touches or just pins a disk, meets its centre, or just touches an edge of the field. */
export function snapBearings(board: BoardState, disk: number, from: Point, length: number): number[] {
  const r = radiusOf(board, disk);
  const found: number[] = [];
  for (const other of stackedDisks(board)) {
    if (other.id === disk) continue;
    const [dx, dy] = [other.x - from[0], other.y - from[1]];
    const far = Math.hypot(dx, dy);
    if (far === 0 || far > length + other.r + r) continue;
    const straight = degreesOf(dx, dy);
    found.push(straight);
    for (const reach of [other.r + r, other.r + r - JUST_PINNING_UM]) {
      const cosine = (length * length + far * far - reach * reach) / (2 * length * far);
      if (Math.abs(cosine) > 1) continue;
      const turn = (Math.acos(cosine) * 180) / Math.PI;
      found.push((straight + turn + 360) % 360, (straight - turn + 360) % 360);
    }
  }
  const { x1, y1 } = fieldOf(board);
  for (const [part, along] of [
    [r - from[0], "x"],
    [x1 - r - from[0], "x"],
    [r - from[1], "y"],
    [y1 - r - from[1], "y"],
  ] as const) {
    if (Math.abs(part) > length) continue;
    const rest = Math.sqrt(length * length - part * part);
    for (const other of [rest, -rest]) found.push(along === "x" ? degreesOf(part, other) : degreesOf(other, part));
  }
  return found;
}

/** Return the nearest of some bearings within a tolerance, or the bearing itself. */
export function snapped(bearing: number, snaps: ReadonlyArray<number>, tolerance: number): number {
  const off = (one: number) => Math.abs(((one - bearing + 540) % 360) - 180);
  const best = [...snaps].sort((one, other) => off(one) - off(other))[0];
  return best !== undefined && off(best) <= tolerance ? best : bearing;
}

const VECTOR_SCALE = 1e9;

/** Return a flip at a bearing of any fraction of a degree; whole ones as the command line makes them. */
export function flipAt(bearing: number, length: number): Point {
  if (Number.isInteger(bearing)) return flipAtBearing(bearing, length);
  const angle = (bearing * Math.PI) / 180;
  return flipToward(Math.sin(angle) * VECTOR_SCALE, Math.cos(angle) * VECTOR_SCALE, length);
}

export function nearestVector(vectors: ReadonlyArray<Point>, dx: number, dy: number): Point | null {
  const size = Math.hypot(dx, dy);
  return (
    [...vectors].sort((one, other) => (other[0] * dx + other[1] * dy) / size - (one[0] * dx + one[1] * dy) / size)[0] ??
    null
  );
}

export const after = (start: Circle, path: ReadonlyArray<Flip>): Point => {
  const last = path.at(-1);
  return last ? [last.x, last.y] : [start.x, start.y];
};

/** A place where a flip lands. */
export type Landing = Pick<Flip, "x" | "y">;

/** Return the board on which a disk has landed at a place, above all others (R5.6). In flight it pins nothing and is on no ground (R8.7). */
export function boardAfter(board: BoardState, disk: number, { x, y }: Landing, isFlight = false): BoardState {
  const terrain = isFlight ? [] : piecesUnder(board, { ...circleOf(board, disk), x, y });
  const z = Math.max(0, ...board.disks.map((one) => one.z)) + 1;
  const pins = isFlight ? [] : pinsIfPlaced(board, disk, x, y).map((bottom) => ({ top: disk, bottom }));
  return {
    ...board,
    disks: board.disks.map((one) =>
      one.id === disk ? { ...one, place: "battlefield" as const, x, y, z, terrain } : one,
    ),
    pins: [...board.pins.filter(({ top, bottom }) => top !== disk && bottom !== disk), ...pins],
  };
}
