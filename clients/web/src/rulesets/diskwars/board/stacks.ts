// Stacks: disks that lie on one another, directly or through others.

interface Laid {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly r: number;
}

/** Disks that only touch are no stack: they overlap from 10 µm on (R5.3). */
const TOLERANCE_MM = 0.01;

const touch = (one: Laid, other: Laid): boolean =>
  Math.hypot(one.x - other.x, one.y - other.y) <= one.r + other.r - TOLERANCE_MM;

/** Return every stack of two disks or more, the topmost disk of each first, the largest stack first. */
export function stacksOf<Disk extends Laid>(disks: ReadonlyArray<Disk>): Disk[][] {
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
