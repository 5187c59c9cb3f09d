// Which of a player's devices gives the nonces and the secret choices of a seat: the one that made its newest chain.

import type { Decision, MatchState } from "./records/match.js";

/** Questions whose answers carry a nonce or a secret: they are answered on the device in control. */
const SECRET_QUESTIONS = new Set<string>(["command_card", "ready", "secret_orders"]);
/** Their answers: the server refuses them where another device has taken over. */
export const SECRET_ACTIONS = new Set<string>(["lock_card", "lock_orders", "ready"]);
export const asksForSecret = ({ question }: Decision): boolean => SECRET_QUESTIONS.has(question.type);

/** Return whether a seat has still to give nonces. Games without secret choices ask for one at the beginning only. */
export function needsControl(state: MatchState, seat: number): boolean {
  if (state.status === "ended" || state.seats[seat]?.resigned) return false;
  if (state.status === "open" || state.ruleset === "diskwars") return true;
  return "secret_orders" in state.settings && state.settings.secret_orders === true;
}
