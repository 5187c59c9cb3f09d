// Where the signs of pins go: on the line from the upper disk to the lower one at its rim, or beside that where a number is.

import type { Spot } from "./figures";
import type { PinView } from "./view";

interface Laid {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly r: number;
}
export interface PinSign {
  readonly pin: PinView;
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** Half of what a sign takes, drawn at a scale of 1. */
export const SIGN_MM = 11;
const LEAST_SCALE = 0.62;
const SCALE_PX = 0.9;
/** How much of the radius of the upper disk half a sign takes at most: drawn larger, it hides which disks lie there. */
const MOST_OF_DISK = 0.6;
/** How far from the middle of the upper disk, in radii, and at which angle from the line: the usual place first. */
const DISTANCES = [0.86, 0.68, 0.5, 1.04] as const;
const TURNS = [0, 14, -14, 28, -28, 42, -42].map((degrees) => (degrees * Math.PI) / 180);
/** How much overlap, in radii of the sign, a place is worth that is one such radius nearer to the usual one. */
const NEARNESS = 0.2;

/** Return a sign for each pin. `disks` lie from below to above; `spotsOn` are the numbers of one, in hundredths of its radius. */
export function placePinSigns<Token extends Laid>(
  pins: ReadonlyArray<PinView>,
  disks: ReadonlyArray<Token>,
  px: number,
  spotsOn: (disk: Token) => ReadonlyArray<Spot>,
): PinSign[] {
  if (pins.length === 0) return [];
  const taken = disks.flatMap((disk, place) =>
    spotsOn(disk)
      .map((spot) => onTable(disk, spot))
      .filter((spot) => isSeen(spot, disks.slice(place + 1))),
  );
  const radii = new Map(disks.map((disk) => [disk.id, disk.r]));
  return pins.map((pin) => {
    const radius = radii.get(pin.top) ?? 0;
    const scale = Math.min(Math.max(LEAST_SCALE, SCALE_PX * px), (MOST_OF_DISK * radius) / SIGN_MM);
    const r = SIGN_MM * scale;
    const places = placesOf(pin, radius);
    const [usual] = places;
    const costs = places.map(
      (at) =>
        taken.reduce((sum, spot) => sum + overlapOf(at, r, spot), 0) +
        (usual ? NEARNESS * Math.hypot(at.x - usual.x, at.y - usual.y) : 0),
    );
    const at = places[costs.indexOf(Math.min(...costs))] ?? { x: pin.from[0], y: pin.from[1] };
    taken.push({ x: at.x, y: at.y, r });
    return { pin, x: at.x, y: at.y, scale };
  });
}

const onTable = ({ x, y, r }: Laid, spot: Spot): Spot => ({
  x: x + (spot.x * r) / 100,
  y: y + (spot.y * r) / 100,
  r: (spot.r * r) / 100,
});
const isSeen = ({ x, y }: Spot, above: ReadonlyArray<Laid>): boolean =>
  !above.some((disk) => Math.hypot(disk.x - x, disk.y - y) < disk.r);

function placesOf({ from: [x, y], angle }: PinView, r: number): { readonly x: number; readonly y: number }[] {
  const bearing = (angle * Math.PI) / 180;
  return DISTANCES.flatMap((distance) =>
    TURNS.map((turn) => ({
      x: x + Math.cos(bearing + turn) * r * distance,
      y: y + Math.sin(bearing + turn) * r * distance,
    })),
  );
}

/** How far a sign reaches into a spot. */
const overlapOf = ({ x, y }: { readonly x: number; readonly y: number }, r: number, spot: Spot): number =>
  Math.max(0, r + spot.r - Math.hypot(spot.x - x, spot.y - y));
