// Where the numbers of engagements go: at the outer rim of a stack, at its freest bearing, and off one another.

export interface Badge {
  readonly number: number;
  readonly state: "chosen" | "open" | "waits";
  /** The disks of which one carries it. */
  readonly disks: ReadonlyArray<number>;
}
export interface PlacedBadge extends Badge {
  readonly x: number;
  readonly y: number;
}
interface Round {
  readonly x: number;
  readonly y: number;
  readonly r: number;
}
interface Laid extends Round {
  readonly id: number;
}

export const BADGE_PX = 14;
const BEARINGS = 24;
/** The upper right first, where no figure of a disk is. */
const FIRST = -Math.PI / 4;
/** How much worse it is to cover another number than a disk, and how little another bearing matters. */
const BADGE_WEIGHT = 6;
const TURN_WEIGHT = 0.02;

/** Return a place for each badge that has a disk on the table; `px` are the millimetres of a pixel. */
export function placeBadges(badges: ReadonlyArray<Badge>, disks: ReadonlyArray<Laid>, px: number): PlacedBadge[] {
  const r = BADGE_PX * px;
  const placed: PlacedBadge[] = [];
  for (const badge of badges) {
    const places = disks.filter(({ id }) => badge.disks.includes(id)).flatMap((disk) => placesAround(disk, r));
    const costs = places.map(({ x, y, turn }) => {
      const onDisks = disks.reduce((sum, disk) => sum + depthOf({ x, y, r }, disk), 0);
      const onBadges = placed.reduce((sum, one) => sum + depthOf({ x, y, r }, { ...one, r }), 0);
      return onDisks + BADGE_WEIGHT * onBadges + TURN_WEIGHT * turn * r;
    });
    const best = places[costs.indexOf(Math.min(...costs))];
    if (best) placed.push({ ...badge, x: best.x, y: best.y });
  }
  return placed;
}

/** Return the places at the rim of a disk, half of a badge beyond it. */
const placesAround = (disk: Round, r: number) =>
  Array.from({ length: BEARINGS }, (_, step) => {
    const bearing = FIRST + (2 * Math.PI * step) / BEARINGS;
    const far = disk.r + 0.5 * r;
    return {
      x: disk.x + Math.cos(bearing) * far,
      y: disk.y + Math.sin(bearing) * far,
      turn: Math.min(step, BEARINGS - step),
    };
  });

/** How far two circles reach into each other. */
const depthOf = (one: Round, other: Round): number =>
  Math.max(0, one.r + other.r - Math.hypot(one.x - other.x, one.y - other.y));
