// Places for the disks that are still to be deployed: beside what the player has laid, and on no disk of theirs.

import type { BoardState } from "../../../client/records/match.js";
import type { diskwars } from "../../../protocol/types";
import { isInside } from "../../../board/geometry";
import { INCH_UM, isDiskInArea, radiusOf } from "../forecast/position";

type Placement = diskwars.Placement;

/** What a deployment allows: how many disks in all, how many of them in each area, and which of them have to be there. */
export interface DeploymentRoom {
  readonly areas: ReadonlyArray<diskwars.Area>;
  readonly limits: ReadonlyMap<number, number>;
  readonly count: number;
  readonly disks: ReadonlyArray<number>;
  readonly required: ReadonlyArray<number>;
  /** A legal deployment by the rules: its places are taken first. */
  readonly example: ReadonlyArray<Placement>;
}

const STEP_UM = 0.25 * INCH_UM;

/** Return what is laid, and places for as many others as there is room for. */
export function suggestPlaces(
  board: BoardState,
  room: DeploymentRoom,
  laid: ReadonlyArray<Placement>,
): ReadonlyArray<Placement> {
  const close = lay(board, room, laid, room.example);
  if (close.length === room.count) return close;
  // The places of the example may leave gaps: without them the disks stand closer, the largest first.
  const packed = lay(board, room, laid, []);
  return packed.length > close.length ? packed : close;
}

function lay(
  board: BoardState,
  room: DeploymentRoom,
  laid: ReadonlyArray<Placement>,
  example: ReadonlyArray<Placement>,
): ReadonlyArray<Placement> {
  const placed = [...laid];
  const rank = (disk: number): number =>
    (room.required.includes(disk) ? 0 : 1000) +
    (example.length ? (example.findIndex((one) => one.disk === disk) + 1000) % 1000 : 0);
  const order = room.disks
    .filter((disk) => !laid.some((one) => one.disk === disk))
    .sort((a, b) => rank(a) - rank(b) || radiusOf(board, b) - radiusOf(board, a));
  for (const disk of order) {
    if (placed.length >= room.count) break;
    const own = example.filter((one) => one.disk === disk);
    const found =
      [...own, ...example].find(({ x, y }) => isFree(board, room, placed, { disk, x, y })) ??
      firstFree(board, room, placed, disk);
    if (found) placed.push({ disk, x: found.x, y: found.y });
  }
  return placed;
}

function isFree(
  board: BoardState,
  room: DeploymentRoom,
  placed: ReadonlyArray<Placement>,
  { disk, x, y }: Placement,
): boolean {
  const r = radiusOf(board, disk);
  if (placed.some((one) => Math.hypot(one.x - x, one.y - y) < r + radiusOf(board, one.disk))) return false;
  const area = room.areas.find((one) => isDiskInArea(board, disk, x, y, one));
  if (!area) return false;
  const there = placed.filter((one) => isInside({ x: one.x, y: one.y, r: radiusOf(board, one.disk) }, area));
  return there.length < (area.zone === undefined ? 0 : (room.limits.get(area.zone) ?? 0));
}

/** Walk through each area from its lower left, in rows. */
function firstFree(
  board: BoardState,
  room: DeploymentRoom,
  placed: ReadonlyArray<Placement>,
  disk: number,
): Placement | null {
  const r = radiusOf(board, disk);
  for (const { x0, y0, x1, y1 } of room.areas)
    for (let y = y0 + r; y <= y1 - r; y += STEP_UM)
      for (let x = x0 + r; x <= x1 - r; x += STEP_UM) {
        const at = { disk, x: Math.round(x), y: Math.round(y) };
        if (isFree(board, room, placed, at)) return at;
      }
  return null;
}
