// Where the label of a ring stands: on it, in view, and off the disks that are planned there.

interface Circle {
  readonly x: number;
  readonly y: number;
  readonly r: number;
}
interface Size {
  readonly width: number;
  readonly height: number;
}

/** Where on a ring a label may stand, the best first: on top, below, right, left. */
const WAYS = [[0, -1], [0, 1], [1, 0], [-1, 0]] as const;

/** Return the middle of the label; its top where nothing is free. All are millimetres of the picture, of which `viewBox` is in view. */
export function placeRingLabel({ x, y, r }: Circle, { width, height }: Size, viewBox: string, disks: ReadonlyArray<Circle>): [number, number] {
  const [left = 0, top = 0, across = 0, down = 0] = viewBox.split(" ").map(Number);
  const places = WAYS.map(([dx, dy]): [number, number] => [x + dx * r, y + dy * r]);
  const isFree = ([u, v]: [number, number]): boolean =>
    u - width / 2 >= left && u + width / 2 <= left + across && v - height / 2 >= top && v + height / 2 <= top + down
    && !disks.some((disk) => Math.abs(disk.x - u) < disk.r + width / 2 && Math.abs(disk.y - v) < disk.r + height / 2);
  return places.find(isFree) ?? (places[0] as [number, number]);
}
