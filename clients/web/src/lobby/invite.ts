// The link of a match, and invites for locked ones.

import { tryCopy } from "../page/copying";
import { session } from "../page/session.svelte";

/** The invite of a match that was opened on this page: its code, where it is locked, and whether its link was copied. */
interface PreparedInvite {
  readonly match: string;
  readonly code: string;
  readonly isCopied: boolean;
}
let prepared: PreparedInvite | null = null;

/** Return the invite of a match that this page has just opened; null for others. */
export const preparedInvite = (match: string): PreparedInvite | null => (prepared?.match === match ? prepared : null);

/** The address of a match; with the code of an invite it also opens a locked one. */
export const linkOf = (match: string, code = ""): string =>
  `${location.origin}/m/${match}${code ? `?invite=${encodeURIComponent(code)}` : ""}`;

/**
 * Make an invite for a match that was just opened, and copy its link where the browser allows that. That of a match for
 * the members of a club invites nobody.
 */
export async function prepareInvite(match: string, isFor: "all" | "members" | "password"): Promise<void> {
  const code = isFor === "password" ? await makeInvite(match) : "";
  prepared = { match, code, isCopied: isFor !== "members" && (await tryCopy(linkOf(match, code))) };
}

/** Make an invite for a locked match. Returns its code, or nothing where the match is open to all. */
async function makeInvite(match: string): Promise<string> {
  const answer = await session.client.request({ type: "create_invite", match });
  return answer.type === "invite_created" ? answer.code : "";
}
