// Wounds and removals of a forecast: disks wounded by damage or by a fall of toughness, and pins that a removal uncovers.

import type { BoardState, DiskState } from "../../../client/records/match.js";
import { pinnedFromTop } from "../../../board/plane";
import { disksOverlap } from "../../../board/geometry";
import { isFielded, profileOf, stackedDisks } from "./position";
import { toughnessOf } from "./stats";

export type Fate = "damaged" | "destroyed" | "unharmed" | "wounded";
type Pin = BoardState["pins"][number];

/** A disk that is wounded because its toughness has fallen to its damage. */
export interface Fall {
  readonly disk: number;
  readonly damage: number;
  readonly toughness: number;
  readonly fate: "destroyed" | "wounded";
}
export interface Wounding {
  readonly board: BoardState;
  /** The pins that removals have laid bare, in order (R6.4). */
  readonly gained: ReadonlyArray<Pin>;
}

/** Whether this much damage wounds a disk that has just taken some (R13.4). */
export const isWounding = (board: BoardState, disk: number, damage: number): boolean =>
  damage >= toughnessOf(board, disk);

export const isDeadly = (board: BoardState, disk: number): boolean =>
  (board.disks[disk]?.wounds ?? 0) >= (profileOf(board, disk).stamina ?? 0);

/** Whether a disk is wounded if its toughness is what it is now: of a weakened one a setting may ask for more damage. */
export function isWoundDue(board: BoardState, { id, damage, weakened }: DiskState): boolean {
  const toughness = toughnessOf(board, id);
  return board.settings.weakened_wounds === "above_toughness" && weakened
    ? damage > toughness
    : damage > 0 && damage >= toughness;
}

/** Give each of these disks one wound, and remove all together those that have no stamina left (R13.5, R13.7). */
export function wound(board: BoardState, targets: ReadonlyArray<number>): Wounding {
  if (targets.length === 0) return { board, gained: [] };
  const dead = targets.filter((disk) => isDeadly(board, disk));
  const disks = board.disks.map((one): DiskState => {
    if (!targets.includes(one.id)) return one;
    return dead.includes(one.id) ? { ...one, place: "casualty" } : { ...one, damage: 0, wounds: one.wounds + 1 };
  });
  const pins = pinsWithout(
    { ...board, disks },
    stackedDisks(board).filter(({ id }) => dead.includes(id)),
  );
  const isNew = ({ top, bottom }: Pin) => !board.pins.some((one) => one.top === top && one.bottom === bottom);
  return { board: { ...board, disks, pins }, gained: pins.filter(isNew) };
}

/** Return all pins once disks have been removed: only those on or under a removed one can pin others now. */
function pinsWithout(board: BoardState, removed: ReturnType<typeof stackedDisks>): Pin[] {
  const left = board.pins.filter(({ top, bottom }) => isFielded(board.disks[top]) && isFielded(board.disks[bottom]));
  if (removed.length === 0) return left;
  const table = stackedDisks(board);
  const changed = table.filter((top) => removed.some((one) => disksOverlap(one, top)));
  const renewed = changed.flatMap((top) =>
    pinnedFromTop(
      top,
      table.filter(({ z }) => z < top.z),
      board.settings.pins ?? "strict",
    ).map((bottom) => ({ top: top.id, bottom })),
  );
  return [...left.filter(({ top }) => !changed.some(({ id }) => id === top)), ...renewed].sort(
    (one, other) => one.top - other.top || one.bottom - other.bottom,
  );
}

/** Wound the damaged disks whose toughness has fallen, until none is due: a wound may remove the bearer of another aura. */
export function settle(board: BoardState): Wounding & { readonly falls: ReadonlyArray<Fall> } {
  const falls: Fall[] = [];
  const gained: Pin[] = [];
  for (let now = board; ;) {
    const due = now.disks.filter((one) => isFielded(one) && isWoundDue(now, one));
    if (due.length === 0) return { board: now, falls, gained };
    for (const { id, damage } of due)
      falls.push({
        disk: id,
        damage,
        toughness: toughnessOf(now, id),
        fate: isDeadly(now, id) ? "destroyed" : "wounded",
      });
    const after = wound(
      now,
      due.map(({ id }) => id),
    );
    gained.push(...after.gained);
    now = after.board;
  }
}
