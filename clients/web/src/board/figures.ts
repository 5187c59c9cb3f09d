// Where numbers are printed on a disk, in a circle of radius 100, and how large.

import type { DiskView } from "./view";

export type Level = 0 | 1 | 2 | 3;
export type Place = readonly [x: number, y: number];
/** A round place that a number takes, in the units of what it is on. */
export interface Spot {
  readonly x: number;
  readonly y: number;
  readonly r: number;
}

export const STRENGTH: Place = [-71.9, 54.2];
export const TOUGHNESS: Place = [71.9, 54.2];
export const COUNTER: Place = [0, 90];
export const MOVEMENT: Place = [-89.9, 4.7];
export const DAMAGE: Place = [69.1, -62.2];
export const WOUNDS: Place = [94.5, -9.9];
export const FIGURE = 25;
/** Figures keep a readable size on disks that are drawn small: about 10 px. */
const LEAST_FIGURE_PX = 10.5;
const MOST_PLATE = 2.7;
const COUNTER_SPOT = 19;
const MOVEMENT_SPOT = 16.4;
const BADGE = 10;

/** Return how much larger than on a large disk strength and toughness are printed. `drawn` is the radius in px. */
export const plateScale = (drawn: number): number =>
  Math.min(MOST_PLATE, Math.max(1, LEAST_FIGURE_PX / (FIGURE * (drawn / 100))));
/** Return how much larger damage and other tokens are drawn. */
export const badgeScale = (level: Level): number => (level === 0 ? 3.4 : level === 1 ? 2.6 : 2.1);

/** Return the places of a disk's numbers. */
export function figuresOn(disk: DiskView, level: Level, drawn: number): Spot[] {
  const spot = ([x, y]: Place, r: number): Spot => ({ x, y, r });
  const token = BADGE * badgeScale(level);
  return [
    ...(level >= 1 ? [STRENGTH, TOUGHNESS].map((place) => spot(place, 0.8 * FIGURE * plateScale(drawn))) : []),
    ...(level >= 2 ? [spot(COUNTER, COUNTER_SPOT)] : []),
    ...(level === 3 ? [spot(MOVEMENT, MOVEMENT_SPOT)] : []),
    ...(disk.damage > 0 ? [spot(DAMAGE, token)] : []),
    ...(disk.wounds > 0 && (level >= 1 || disk.damage === 0) ? [spot(WOUNDS, token)] : []),
  ];
}
