// The club of a new match: that of an address only where it is one of the own.

import { expect, it } from "vitest";

import { chooseClub } from "../../src/lobby/club_choice";
import type { ClubSummary } from "../../src/protocol/types";

const own = [{ club: "c1" }, { club: "c2" }] as unknown as ReadonlyArray<ClubSummary>;

it("puts no other club in the place of one that was asked for", () => {
  expect(chooseClub("c2", own, true)).toEqual({ club: "c2", isForeign: false });
  expect(chooseClub("c9", own, true)).toEqual({ club: "c1", isForeign: true });
  expect(chooseClub("c9", [], true)).toEqual({ club: "", isForeign: true });
  expect(chooseClub("", own, false)).toEqual({ club: "c1", isForeign: false });
});
