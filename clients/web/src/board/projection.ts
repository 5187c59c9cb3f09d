// Where a place of the field is in the picture, which is turned so that the own edge is at the bottom.

import type { BoardState } from "../client/records/match.js";
import type { diskwars } from "../protocol/types";

/** Where the own edge is; the table is turned by this much, so that it is at the bottom. */
export type Turn = 0 | 90 | 180 | 270;

/** Maps places of the field (micrometres, y up) to places of the picture (millimetres, y down), and back. */
export class Projection {
  constructor(
    private readonly field: Pick<diskwars.Field, "height" | "width">,
    readonly turn: Turn,
  ) {}

  get width(): number {
    return (this.turn % 180 === 0 ? this.field.width : this.field.height) / 1000;
  }
  get height(): number {
    return (this.turn % 180 === 0 ? this.field.height : this.field.width) / 1000;
  }

  equals(other: Projection): boolean {
    return this.turn === other.turn && this.width === other.width && this.height === other.height;
  }

  toPicture(x: number, y: number): [x: number, y: number] {
    const { width, height } = this.field;
    const turned: [number, number] =
      this.turn === 0
        ? [x, height - y]
        : this.turn === 180
          ? [width - x, y]
          : this.turn === 90
            ? [y, x]
            : [height - y, width - x];
    return [turned[0] / 1000, turned[1] / 1000];
  }

  toField(px: number, py: number): [x: number, y: number] {
    const { width, height } = this.field;
    const [x, y] = [Math.round(px * 1000), Math.round(py * 1000)];
    return this.turn === 0
      ? [x, height - y]
      : this.turn === 180
        ? [width - x, y]
        : this.turn === 90
          ? [y, x]
          : [width - y, height - x];
  }
}

const TURN_OF_EDGE: Readonly<Record<string, Turn>> = { south: 0, north: 180, west: 270, east: 90 };

export function makeProjection(board: BoardState, seat: number | null): Projection {
  const zone = board.zones.find((one) => one.seat === seat);
  const edge = seat === null ? "south" : (board.layout.edges[seat] ?? zone?.edge ?? edgeOf(zone, board.field));
  return new Projection(board.field, TURN_OF_EDGE[edge] ?? 0);
}

function edgeOf(zone: diskwars.Zone | undefined, field: diskwars.Field): string {
  return zone && (zone.y0 + zone.y1) / 2 > field.height / 2 ? "north" : "south";
}
