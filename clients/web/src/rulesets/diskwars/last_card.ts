// The last card of a hand, which the page locks by itself: everybody sees that one is left, so nothing is chosen.
// The server does not: a lock opens the next link of the player's chain, which takes part in the dice.

import type { diskwars } from "../../protocol/types";

/** Return the cards that may be locked now. */
export const lockableCards = ({ actions = [] }: diskwars.Options): ReadonlyArray<string> =>
  actions.flatMap((action) => (action.type === "lock_card" && typeof action.card === "string" ? [action.card] : []));

/** Return the only card that may be locked; null where there is a choice, or none. */
export function lastCardOf(options: diskwars.Options): string | null {
  const [card, ...others] = lockableCards(options);
  return card === undefined || others.length ? null : card;
}

/** Locks the last card once for each decision: after a refusal it is the player who tries again. */
export class LastCardLock {
  private triedDecision = "";

  /** Return the card to lock now; null while something else is being sent: ask again once that is answered. */
  take(decision: string, options: diskwars.Options, isSending: boolean): string | null {
    const card = lastCardOf(options);
    if (card === null || isSending || decision === this.triedDecision) return null;
    this.triedDecision = decision;
    return card;
  }
}
