// The runner of bots: it asks a function for an answer to each decision until the match is over.

import type { Action } from "../client/client";
import type { MatchState } from "../client/records/match.js";
import type { Result } from "../protocol/types";
import { DiskwarsError } from "./errors";
import type { Decision, Match, Options } from "./match";

/** Refusals that only say that the match has moved on meanwhile. */
const TOO_LATE = new Set(["stale_decision", "not_your_turn", "match_ended", "paused", "no_offer", "already_agreed"]);

export interface Choice {
  readonly match: Match;
  readonly decision: Decision;
  readonly options: Options;
}
export type Chooser = (choice: Choice) => Action | Promise<Action>;

/** Return all answers of one decision in one list: those that are listed, and an example of each that has limits. */
export function offered(options: Options): ReadonlyArray<Action> {
  return [...(options.actions ?? []), ...(options.parametric ?? []).map(({ example }) => example)] as Action[];
}

/**
 * Answer every decision of the own seat until the match is over; take a seat first. Return the result.
 *
 * Offers to take back and to pause are accepted, a draw is not. Throws DiskwarsError, also where an answer is refused.
 */
export async function playBot(match: Match, choose: Chooser): Promise<Result> {
  await match.caughtUp();
  await unlessTooLate(match.takeControl());
  for (;;) {
    const { head, result } = match;
    if (result !== null) return result;
    if ((await answerOffer(match)) || (await answerDecision(match, choose))) continue;
    // What made an answer too late may have come before the refusal: no other change would follow it.
    if (match.head === head) await match.player.nextChange();
  }
}

async function answerDecision(match: Match, choose: Chooser): Promise<boolean> {
  const decision = match.openDecisions[0];
  if (!decision || (match.state as MatchState).paused) return false;
  return unlessTooLate(answer(match, decision, choose));
}

async function answer(match: Match, decision: Decision, choose: Chooser): Promise<void> {
  if (decision.question.type === "ready") return match.act(decision.id, { type: "ready", seat_nonce: "" });
  const options = await match.options(decision.id);
  await match.act(decision.id, await choose({ match, decision, options }));
}

async function answerOffer(match: Match): Promise<boolean> {
  const { offer } = match.state as MatchState;
  const { seat } = match;
  if (!offer || seat === null || offer.seat === seat || offer.agreed?.includes(seat)) return false;
  const agree = offer.offer.type !== "draw";
  return unlessTooLate(match.act(undefined, { type: "answer_offer", offer_id: offer.id, agree }));
}

/** Return whether something was done, and not refused because the match has moved on. */
async function unlessTooLate(done: Promise<unknown>): Promise<boolean> {
  try {
    await done;
    return true;
  } catch (fault) {
    if (fault instanceof DiskwarsError && TOO_LATE.has(fault.code)) return false;
    throw fault;
  }
}
