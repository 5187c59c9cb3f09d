// Questions about a board that a plan asks: who lies where, what a disk would come to lie on, and how far disks are apart.

import { disksOverlap, isInside, type Circle, type Rectangle } from "../../../board/geometry";
import type { BoardState, DiskState } from "../../../client/records/match.js";
import { decimal } from "../../../messages";
import type { diskwars } from "../../../protocol/types";
import { diskOverlapsPolygon, pinnedFromTop, type Polygon, type StackedDisk } from "../../../board/plane";

export type Reach = "long" | "medium" | "short" | "siege";
export const REACHES: ReadonlyArray<Reach> = ["short", "medium", "long", "siege"];
export const INCH_UM = 25_400;

const NO_PROFILE: diskwars.Profile = {
  id: "",
  name: "",
  kind: "unit",
  faction: "order",
  size: "small",
  radius: 0,
  movement: 0,
  strength: 0,
  counter_strength: 0,
  toughness: 0,
};

export const profileOf = (board: BoardState, disk: number): diskwars.Profile =>
  board.profiles[board.disks[disk]?.profile ?? -1] ?? NO_PROFILE;
export const radiusOf = (board: BoardState, disk: number): number => profileOf(board, disk).radius;
export const isFielded = (disk: DiskState | undefined): boolean => disk?.place === "battlefield";
export const areEnemies = (board: BoardState, one: number, other: number): boolean =>
  board.disks[one]?.seat !== board.disks[other]?.seat;

export const circleOf = (board: BoardState, disk: number): Circle => ({
  x: board.disks[disk]?.x ?? 0,
  y: board.disks[disk]?.y ?? 0,
  r: radiusOf(board, disk),
});

export function stackedDisks(board: BoardState): StackedDisk[] {
  return board.disks
    .filter(isFielded)
    .map((disk) => ({ id: disk.id, x: disk.x, y: disk.y, z: disk.z, r: radiusOf(board, disk.id) }));
}

/** Return the disks that a disk would pin at a place, lying above all others. */
export function pinsIfPlaced(board: BoardState, disk: number, x: number, y: number): number[] {
  const others = stackedDisks(board).filter(({ id }) => id !== disk);
  return pinnedFromTop({ x, y, r: radiusOf(board, disk) }, others, board.settings.pins ?? "strict");
}

export function overlappedDisks(board: BoardState, disk: number, x: number, y: number): number[] {
  const at = { x, y, r: radiusOf(board, disk) };
  return stackedDisks(board)
    .filter((other) => other.id !== disk && disksOverlap(at, other))
    .map(({ id }) => id);
}

/** Return the numbers of the pieces that a disk at a place would overlap. */
export const piecesUnder = (board: BoardState, at: Circle): number[] =>
  board.terrain.flatMap(({ corners }, number) => (diskOverlapsPolygon(at, corners) ? [number] : []));

export const hasGround = (
  board: BoardState,
  pieces: ReadonlyArray<number>,
  keyword: diskwars.TerrainKeyword["id"],
): boolean => pieces.some((number) => board.terrain[number]?.terrain.keywords?.some(({ id }) => id === keyword));

export const fieldOf = (board: BoardState): Rectangle => ({
  x0: 0,
  y0: 0,
  x1: board.field.width,
  y1: board.field.height,
});
export const isOnField = (board: BoardState, at: Circle): boolean => isInside(at, fieldOf(board));

// ---------------------------------------------------------------- distances

/** Return the distance between the edges of two disks in micrometres, rounded up; 0 where they overlap. */
export const gapOf = (one: Circle, other: Circle): number =>
  Math.max(0, ceilRoot((one.x - other.x) ** 2 + (one.y - other.y) ** 2) - one.r - other.r);

/** Return the direction from one centre to another, in whole degrees clockwise from north. */
export const bearingOf = (from: Pick<Circle, "x" | "y">, to: Pick<Circle, "x" | "y">): number =>
  (Math.round((Math.atan2(to.x - from.x, to.y - from.y) * 180) / Math.PI) + 360) % 360;

/** Return the root of a square below 2^53, rounded up. */
function ceilRoot(square: number): number {
  let root = Math.ceil(Math.sqrt(square));
  if ((root - 1) ** 2 >= square) root -= 1;
  return root;
}

export const lengthOf = (board: BoardState, reach: Reach): number =>
  reach === "siege" ? Number.POSITIVE_INFINITY : board.field[reach];

export const isWithin = (board: BoardState, one: number, other: number, reach: Reach): boolean =>
  gapOf(circleOf(board, one), circleOf(board, other)) <= lengthOf(board, reach);

export const bandOf = (board: BoardState, one: number, other: number): Reach =>
  bandAt(board, circleOf(board, one), other);

/** Return the range of a disk from a place. */
export const bandAt = (board: BoardState, at: Circle, other: number): Reach =>
  REACHES.find((reach) => gapOf(at, circleOf(board, other)) <= lengthOf(board, reach)) ?? "siege";

/** Write a length in inches, with one decimal where it is not whole. */
export const inches = (length: number): string => decimal(length / INCH_UM, 1, 0);

// ---------------------------------------------------------------- areas of options

const zoneCorners = ({ x0, y0, x1, y1 }: diskwars.Zone): Polygon => [
  [x0, y0],
  [x1, y0],
  [x1, y1],
  [x0, y1],
];

/** Whether a disk with its centre at a place meets every condition of an area. */
export function isDiskInArea(board: BoardState, disk: number, x: number, y: number, area: diskwars.Area): boolean {
  const at = { x, y, r: radiusOf(board, disk) };
  if (!isInside(at, area)) return false;
  const piece = area.piece === undefined ? undefined : board.terrain[area.piece];
  if (piece && !diskOverlapsPolygon(at, piece.corners)) return false;
  if (area.near !== undefined && area.reach !== undefined && gapOf(at, circleOf(board, area.near)) > area.reach)
    return false;
  const seat = board.disks[disk]?.seat;
  if (
    area.outside_enemy_zones &&
    board.zones.some((zone) => zone.seat !== seat && diskOverlapsPolygon(at, zoneCorners(zone)))
  )
    return false;
  const onto = area.onto ?? [];
  const enemies = area.enemies ?? "any";
  if (onto.length === 0 && enemies === "any") return true;
  const under = overlappedDisks(board, disk, x, y);
  if (onto.length > 0 && !onto.some((other) => under.includes(other))) return false;
  const touched = enemies === "not_pinned" ? pinsIfPlaced(board, disk, x, y) : under;
  return enemies === "any" || !touched.some((other) => areEnemies(board, disk, other));
}

export const isDiskInAnyArea = (
  board: BoardState,
  disk: number,
  x: number,
  y: number,
  areas: ReadonlyArray<diskwars.Area>,
): boolean => areas.some((area) => isDiskInArea(board, disk, x, y, area));
