// What follows the pointer: one circle, and where it comes from. Everything else of a plan stays while this moves.

import type { Point } from "./geometry";

export interface Moving {
  /** Micrometres of the field. */
  readonly x: number;
  readonly y: number;
  readonly r: number;
  /** Where a line to it begins, if there is one. */
  readonly from: Point | null;
  readonly isLegal: boolean;
  readonly label: string;
  /** The disk whose face it shows, if it does. */
  readonly disk: number | null;
  /** What is said beside it: the direction, and what the landing would do. */
  readonly bubble?: ReadonlyArray<string>;
}
