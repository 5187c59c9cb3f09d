// What a player sends beside the questions of a match: offers, answers to them, and what becomes of their seat.

import type { Decision, MatchState } from "../client/records/match.js";
import type { diskwars } from "../protocol/types";

/** The same in every ruleset. */
export type Proposal = Extract<
  diskwars.Action,
  { type: "answer_offer" | "leave_seat" | "make_offer" | "resign" | "resume_play" | "take_back" | "take_seat_back" }
>;

/** What the row needs to know that offers to play here what is played on another device. */
export interface Controlled {
  readonly isElsewhere: boolean;
  readonly isSending: boolean;
  playHere(): Promise<void>;
}

/** What the row of offers needs to know of a table. */
export interface Proposing {
  readonly seat: number | null;
  readonly moment: number | null;
  readonly seatNames: ReadonlyArray<string>;
  readonly decision: Decision | null;
  /** Send it; whether it was taken. */
  propose(action: Proposal): Promise<boolean>;
}

/** Whether a match lets its players ask one another for something, now or later in it. */
export const mayAsk = ({ seat, moment }: Proposing, match: MatchState): boolean =>
  match.status === "running" &&
  seat !== null &&
  moment === null &&
  Boolean(match.match_options.takebacks || match.match_options.draws || match.match_options.pauses);
