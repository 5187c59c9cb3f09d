// Which matches have a picture of their board that everybody may see.

import { isKnown } from "../lists/words";
import type { MatchSummary } from "../protocol/types";

/** Matches that ended before they had begun. */
const WITHOUT_BOARD = new Set(["abandoned", "closed"]);

/** Return the path of the picture of an ended match after its last record; null where the server has none for everybody. */
export function picturePath({
  match,
  ruleset,
  status,
  records,
  result,
  is_locked: isLocked,
  match_options: { watchers },
}: MatchSummary): string | null {
  const isOpen = !isLocked && ["live", "round_later", "after_end"].includes(watchers ?? "live");
  if (status !== "ended" || !records || !isOpen || !isKnown(ruleset) || WITHOUT_BOARD.has(result?.end_reason ?? ""))
    return null;
  return `/matches/${match}/board.svg?seq=${records}`;
}
