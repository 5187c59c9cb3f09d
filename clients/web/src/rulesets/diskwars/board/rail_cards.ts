// The deployment cards that lie on the rail, each beside the zone that it makes.

import type { Projection } from "../../../board/projection";
import type { RailCard } from "../../../board/view";
import type { BoardState } from "../../../client/records/match.js";
import { letterOf } from "../../../client/records/seats";

const GAP_UM = 3_000;
const DEPTH_UM = 24_000;

export function makeRailCards(board: BoardState, projection: Projection): RailCard[] {
  const { width, height } = board.field;
  return board.layout.laid_cards.flatMap(({ seat, card, face, offset }) => {
    const found = board.layout.deployments.find(({ id }) => id === card);
    const shown = found?.faces[face === 1 ? 1 : 0];
    const edge = board.layout.edges[seat];
    if (!found || !shown || !edge) return [];
    const along = offset + found.width / 2;
    const off = GAP_UM + DEPTH_UM / 2;
    const middle = {
      south: [along, -off],
      north: [along, height + off],
      west: [-off, along],
      east: [width + off, along],
    }[edge];
    const [x, y] = projection.toPicture(middle[0] ?? 0, middle[1] ?? 0);
    const isUpright = x < 0 || x > projection.width;
    return [
      {
        id: card,
        name: found.name,
        value: shown.value,
        abilities: shown.abilities ?? [],
        letter: letterOf(seat),
        x,
        y,
        length: found.width / 1000,
        depth: DEPTH_UM / 1000,
        turn: !isUpright ? 0 : x < 0 ? -90 : 90,
      } as const,
    ];
  });
}
