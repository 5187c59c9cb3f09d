// How far a disk gets and how far it shoots, as rings from rim to rim.

import type { Circle } from "../../../board/geometry";
import type { BoardState } from "../../../client/records/match.js";
import { decimal, t } from "../../../messages";
import { INCH_UM, REACHES, circleOf, inches, isFielded, lengthOf, profileOf, type Reach } from "./position";
import type { Shape } from "../../../board/shapes";
import { hasKeyword, movementOf, shotOf } from "./stats";

/** Return the ring that no flip of a move gets beyond, around the place where its flips begin; none without flips. */
export function moveRing({ x, y, r }: Circle, flips: number, length: number): Shape[] {
  if (flips < 1 || length <= 0) return [];
  const reach = flips * length;
  return [
    { kind: "ring", x, y, r: r + reach, label: t("reach.move", { flips, distance: inches(reach) }), isDashed: false },
  ];
}

/** Return the ring of a range around a disk; none for siege, which reaches everything. */
export function rangeRing(board: BoardState, { x, y, r }: Circle, reach: Reach): Shape[] {
  if (reach === "siege") return [];
  const length = lengthOf(board, reach);
  return [
    {
      kind: "ring",
      x,
      y,
      r: r + length,
      label: t("shot.ring", { reach: t(`reach.${reach}`), distance: inches(length) }),
      isDashed: reach === "medium",
    },
  ];
}

/** Return the ring of the farthest range that a disk shoots to. */
export function shotRing(board: BoardState, disk: number): Shape[] {
  const reaches = (profileOf(board, disk).shots ?? []).flatMap((_, number) => shotOf(board, disk, number)?.reach ?? []);
  const farthest = REACHES.findLast((reach) => reaches.includes(reach));
  return farthest ? rangeRing(board, circleOf(board, disk), farthest) : [];
}

/** Return how far a disk on the table moves and shoots; it may belong to any seat. */
export function reachRings(board: BoardState, disk: number): Shape[] {
  if (!isFielded(board.disks[disk])) return [];
  const at = circleOf(board, disk);
  const flips = hasKeyword(profileOf(board, disk), "emplace") ? 0 : movementOf(board, disk);
  return [...moveRing(at, flips, 2 * at.r), ...shotRing(board, disk)];
}

/** Write a length exactly, in millimetres. */
export const millimetres = (length: number): string => decimal(length / 1000, 3);
export const tenthOfInch = (length: number): string => decimal(length / INCH_UM);
