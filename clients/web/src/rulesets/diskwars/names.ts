// What the disks and cards of a match are called.

import type { BoardState } from "../../client/records/match.js";

/** The names of the disks of a match, which never change: its boards share their profiles. */
const namesOf = new WeakMap<object, ReadonlyArray<string>>();

export const diskName = (board: BoardState, id: number): string => {
  let known = namesOf.get(board.profiles);
  if (known?.length !== board.disks.length) {
    known = nameDisks(board);
    namesOf.set(board.profiles, known);
  }
  return known[id] ?? `#${id}`;
};

/** Disks of a side that are alike are numbered. */
function nameDisks({ disks, profiles }: BoardState): string[] {
  return disks.map((disk, id) => {
    const name = profiles[disk.profile]?.name ?? `#${id}`;
    const alike = disks.filter((one) => one.seat === disk.seat && one.profile === disk.profile);
    return alike.length > 1 ? `${name} ${alike.indexOf(disk) + 1}` : name;
  });
}

export const cardName = (board: BoardState, id: string): string =>
  board.cards.find((card) => card.id === id)?.name ?? id;
