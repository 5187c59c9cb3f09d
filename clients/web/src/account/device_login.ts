// The code of a program that has no browser: what was looked up, what answers it, and what the answer means.

import type { DeviceLoginView } from "../protocol/types";
import type { AccountText } from "./texts";

/** A program that waits, with the code that it was looked up by. The field may hold another one by now. */
export interface WaitingProgram {
  readonly code: string;
  readonly view: DeviceLoginView;
}

/** Whether a program would be logged in like the player, and not only get a token for some things. */
export const wantsAll = ({ view }: WaitingProgram): boolean => !view.scopes?.length;

/** Return the request that lets a program in or refuses it. The password goes with it only where it is needed. */
export const answerTo = (program: WaitingProgram, approved: boolean, password: string) => ({
  type: "answer_device_login" as const,
  user_code: program.code,
  approved,
  ...(approved && wantsAll(program) ? { password } : {}),
});

/** Return what to say of an answer: another tab or device may have answered first, and otherwise. */
export function outcomeOf(status: DeviceLoginView["status"], approved: boolean | null): AccountText | null {
  if (status === "waiting") return null;
  if (status === "approved") return approved === true ? "account.code.approved" : "account.code.was_approved";
  return approved === false ? "account.code.denied" : "account.code.was_denied";
}
