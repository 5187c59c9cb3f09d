// What the camera of a small game frames: all pieces, or what a question is about. Nothing of it is ever out of view.

import type { Frame, Scales } from "../../board/framing";
import type { Asked, Context, Draft, Token } from "./game";

const INCH_MM = 25.4;
const INCH_PX = 32;
const CELL_PX = 64;
/** A cell that a finger hits. */
const FINGER_PX = 44;
/** Round a frame on a phone: enough to see that the table goes on. */
const CELLS_AROUND_ON_PHONES = 0.2;
/** Round a frame: a neighbouring cell, and without cells the range in which squads meet. */
const CELLS_AROUND = 1;
const INCHES_AROUND = 2.5;
/** With less, the rail and a row of cells would be lost for nothing. */
const WORTHWHILE = 1.25;

interface Box {
  readonly x: number;
  readonly y: number;
  readonly r: number;
}

/** Return the frame of what is asked; null for the whole table. */
export function framedBy(
  asked: Asked,
  draft: Draft,
  tokens: ReadonlyArray<Token>,
  cell: number | null,
  { toPicture }: Pick<Context, "toPicture">,
): Frame | null {
  // Where any place may be chosen, none is left out.
  if (asked.onPlace || !tokens.length) return null;
  const acting = draft.selected ?? asked.focus;
  const isTarget = (id: number) => (asked.tokens.get(id)?.action ?? null) !== null;
  const spots = asked.spots.map((spot): Box => {
    const [x, y] = toPicture(spot.x, spot.y);
    return { x, y, r: (cell ?? 0) / 2 };
  });
  const concerned = tokens.filter(({ id }) => id === acting || isTarget(id));
  const boxes: ReadonlyArray<Box> =
    acting !== null && concerned.length + spots.length > 1 ? [...spots, ...concerned] : tokens;
  return {
    x0: Math.min(...boxes.map(({ x, r }) => x - r)),
    x1: Math.max(...boxes.map(({ x, r }) => x + r)),
    y0: Math.min(...boxes.map(({ y, r }) => y - r)),
    y1: Math.max(...boxes.map(({ y, r }) => y + r)),
    isSubject: false,
    scales: scalesOf(cell),
  };
}

const scalesOf = (cell: number | null): Scales => ({
  least: 0,
  worthwhile: WORTHWHILE,
  ...(cell === null
    ? { margin: INCHES_AROUND * INCH_MM, most: INCH_PX / INCH_MM }
    : {
        margin: CELLS_AROUND * cell,
        most: CELL_PX / cell,
        finger: { least: FINGER_PX / cell, margin: CELLS_AROUND_ON_PHONES * cell },
      }),
});
