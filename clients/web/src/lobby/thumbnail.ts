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
      const board = state.board;
      const there = board.fighters.filter(({ status }) => status !== "incapacitated" && status !== "withdrawn");
      return {
        width: board.width,
        height: board.height,
        dots: there.map((one) => ({
          x: one.x + 0.5,
          y: board.height - one.y - 0.5,
          r: 0.45,
          letter: letterOf(one.seat),
        })),
      };
    }
    case "close_quarters": {
      const board = state.board;
      const there = board.models.filter(({ status }) => (status ?? "standing") === "standing");
      return {
        width: board.width,
        height: board.height,
        dots: there.map((one) => ({
          x: one.x,
          y: board.height - one.y,
          r: 60,
          letter: letterOf(board.units[one.unit]?.seat ?? 0),
        })),
      };
    }
    case "regiments": {
      const board = state.board;
      const there = board.units.filter(({ status }) => status === "steady" || status === "fleeing");
      return {
        width: board.width,
        height: board.height,
        dots: there.map((one) => ({
          x: one.x + 0.5,
          y: board.height - one.y - 0.5,
          r: 0.42,
          letter: letterOf(one.seat),
        })),
      };
    }
    default:
      return null;
  }
}

/** The round that is played, or the turn; nothing before the match begins. */
export function roundOf(state: AnyMatchState | null): number | null {
  if (!state?.board) return null;
  return "round" in state.board ? state.board.round : state.board.turn;
}
