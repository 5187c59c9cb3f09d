// How strong each army is after each record: the points of its disks that are not lost.

import type { BoardState, RecordBody } from "../client/records/match.js";

export interface StrengthLine {
  readonly seat: number;
  /** Where it changes: the record, and the points that are left from there on. The first is the beginning. */
  readonly steps: ReadonlyArray<readonly [seq: number, points: number]>;
}

/** Return the points of a disk in its army. */
export const worth = (board: BoardState, disk: number): number => {
  const profile = board.profiles[board.disks[disk]?.profile ?? -1];
  return (profile?.cost ?? 0) + (profile?.points ?? 0);
};

/** Return a line for each seat. `board` is any board of the match: disks and their owners never change. */
export function strengthLines(bodies: ReadonlyArray<RecordBody>, board: BoardState): StrengthLine[] {
  let lost: { seq: number; disk: number }[] = [];
  for (const [place, body] of bodies.entries()) {
    const back = body.taken_back_to;
    if (back !== undefined) lost = lost.filter(({ seq }) => seq <= back);
    for (const event of body.events ?? []) {
      if (event.type === "disks_removed" || event.type === "disks_withdrawn" || event.type === "reserves_lost")
        lost.push(...event.disks.map((disk) => ({ seq: place + 1, disk })));
    }
  }
  return board.sides.map(({ seat }) => {
    let left = board.disks.filter((disk) => disk.seat === seat).reduce((sum, { id }) => sum + worth(board, id), 0);
    const steps: (readonly [number, number])[] = [[1, left]];
    for (const { seq, disk } of lost) {
      if (board.disks[disk]?.seat !== seat) continue;
      left -= worth(board, disk);
      if (steps.at(-1)?.[0] === seq) steps.pop();
      steps.push([seq, left]);
    }
    return { seat, steps };
  });
}
