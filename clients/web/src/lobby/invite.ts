// The link of a match, and invites for locked ones.

import { session } from "../page/session.svelte";

/** The address of a match; with the code of an invite it also opens a locked one. */
export const linkOf = (match: string, code = ""): string =>
  `${location.origin}/m/${match}${code ? `?invite=${encodeURIComponent(code)}` : ""}`;

/** Make an invite for a locked match. Returns its code, or nothing where the match is open to all. */
export async function makeInvite(match: string): Promise<string> {
  const answer = await session.client.request({ type: "create_invite", match });
  return answer.type === "invite_created" ? answer.code : "";
}
