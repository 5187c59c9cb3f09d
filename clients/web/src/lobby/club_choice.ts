// The club that a match is opened for: only one of the own, and no other one than was asked for.

import type { ClubSummary } from "../protocol/types";

interface ClubChoice {
  readonly club: string;
  /** The club that was asked for is none of the own: the match is for no club until the player chooses one. */
  readonly isForeign: boolean;
}

/** Return the club to offer: that which is wanted, or the first; `isAsked` where the match would be for it. */
export function chooseClub(wanted: string, own: ReadonlyArray<ClubSummary>, isAsked: boolean): ClubChoice {
  const isOwn = own.some(({ club }) => club === wanted);
  return { club: isOwn ? wanted : (own[0]?.club ?? ""), isForeign: isAsked && !isOwn };
}
