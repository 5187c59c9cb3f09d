// A small board: the pieces of a match as dots of their seats, for lists.

import { letterOf } from "../client/records/seats";
import { makeProjection } from "../board/projection";
import type { AnyMatchState } from "../client/records/match.js";

export interface Thumbnail {
  readonly width: number;
  readonly height: number;
  readonly dots: ReadonlyArray<{ readonly x: number; readonly y: number; readonly r: number; readonly letter: string }>;
}

/** Return the small board of a match as a seat sees it at the table, its edge below; null before it begins. */
export function thumbnailOf(state: AnyMatchState | null, seat: number | null = null): Thumbnail | null {
  if (!state?.board) return null;
  switch (state.ruleset) {
    case "diskwars": {
      const { disks, profiles } = state.board;
      const projection = makeProjection(state.board, seat);
      const dots = disks
        .filter(({ place }) => place === "battlefield")
        .map((one) => {
          const [x, y] = projection.toPicture(one.x, one.y);
          return { x, y, r: (profiles[one.profile]?.radius ?? 0) / 1000, letter: letterOf(one.seat) };
        });
      return { width: projection.width, height: projection.height, dots };
    }
    case "pit": {
      const { board } = state;
      const fighters = board.fighters.filter(({ status }) => status !== "incapacitated" && status !== "withdrawn");
      return flatBoard(board, fighters, 0.45, 0.5);
    }
    case "close_quarters": {
      const { board } = state;
      const models = board.models.filter(({ status }) => status === "standing");
      const placed = models.map(({ x, y, unit }) => ({ x, y, seat: board.units[unit]?.seat ?? 0 }));
      return flatBoard(board, placed, 60, 0);
    }
    case "regiments": {
      const { board } = state;
      const units = board.units.filter(({ status }) => status === "steady" || status === "fleeing");
      return flatBoard(board, units, 0.42, 0.5);
    }
    default:
      return null;
  }
}

/** Return pieces of radius `r` on a board that is never turned; `middle` is from where a piece is to its middle. */
function flatBoard(
  { width, height }: { readonly width: number; readonly height: number },
  pieces: ReadonlyArray<{ readonly x: number; readonly y: number; readonly seat: number }>,
  r: number,
  middle: number,
): Thumbnail {
  const dots = pieces.map(({ x, y, seat }) => ({ x: x + middle, y: height - y - middle, r, letter: letterOf(seat) }));
  return { width, height, dots };
}

/** The round that is played, or the turn; nothing before the match begins. */
export function roundOf(state: AnyMatchState | null): number | null {
  if (!state?.board) return null;
  return "round" in state.board ? state.board.round : state.board.turn;
}
