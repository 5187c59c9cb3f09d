// What the server says of tournaments without being asked: that the one in view has changed, and own matches.

import type { TournamentChanged } from "../protocol/types";

class Followed {
  /** Counts changes; what shows a tournament asks for it again with each. */
  changes = $state(0);
  /** The last match for which this player was paired, until they go there or put it away. */
  pairing = $state.raw<TournamentChanged | null>(null);

  take(message: TournamentChanged): void {
    this.changes += 1;
    if (message.match) this.pairing = message;
  }
}

export const followed = new Followed();
