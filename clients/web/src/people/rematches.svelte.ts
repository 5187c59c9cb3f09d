// What the other players of ended matches have said to playing again, as the server pushes it.

import type { Rematch, RematchChanged } from "../protocol/types";

/** How far it is; `seat` is the one that is meant for this player. */
type RematchState = Pick<Rematch, "agreed" | "declined" | "next_match" | "seat">;

const MAX_KEPT = 64;

class Rematches {
  private known = $state.raw<ReadonlyMap<string, RematchState>>(new Map());

  of(match: string): RematchState | null {
    return this.known.get(match) ?? null;
  }

  take(changed: Rematch | RematchChanged): void {
    const next = new Map(this.known).set(changed.match, changed);
    for (const match of [...next.keys()].slice(0, -MAX_KEPT)) next.delete(match);
    this.known = next;
  }
}

export const rematches = new Rematches();
