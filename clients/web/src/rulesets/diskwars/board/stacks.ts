// Stacks: disks that lie on one another, directly or through others.

import { disksOverlap, type Circle } from "../../../board/geometry";

interface Laid {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly r: number;
}

/** The picture is in millimetres. Only whole micrometres tell exactly whether disks overlap, or only touch (R5.3). */
const circleOf = ({ x, y, r }: Laid): Circle => ({
  x: Math.round(1000 * x),
  y: Math.round(1000 * y),
  r: Math.round(1000 * r),
});

/** Return every stack of two disks or more, the topmost disk of each first, the largest stack first. */
export function stacksOf<Disk extends Laid>(disks: ReadonlyArray<Disk>): Disk[][] {
  const circles = new Map(disks.map((disk) => [disk, circleOf(disk)] as const));
  const touch = (one: Disk, other: Disk): boolean => {
    const [here, there] = [circles.get(one), circles.get(other)];
    return here !== undefined && there !== undefined && disksOverlap(here, there);
  };
  const left = new Set(disks);
  const found: Disk[][] = [];
  for (const disk of disks) {
    if (!left.delete(disk)) continue;
    const stack = [disk];
    for (const member of stack) {
      for (const other of left) {
        if (touch(member, other)) {
          left.delete(other);
          stack.push(other);
        }
      }
    }
    if (stack.length > 1) found.push(stack.sort((one, other) => other.z - one.z));
  }
  return found.sort((one, other) => other.length - one.length);
}
