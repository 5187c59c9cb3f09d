// Texts of challenges, in the language of the reader.

import { clockName, gameName } from "../lists/words";
import { t } from "../messages";
import en from "../messages/en/parts/challenges.json";
import { makeTexts } from "../messages/texts";
import type { Challenge, ClockSummary } from "../protocol/types";

export const challengeText = makeTexts("challenges", en);

/** Return what a challenge is for: the game, its size, its clock, and what else is not usual. */
export function termsText({ ruleset, settings, match_options: options }: Challenge): string {
  const { regiments } = settings as { regiments?: number };
  return [
    gameName(ruleset),
    ...(ruleset === "diskwars" && regiments ? [t("new.army.regiments", { count: regiments })] : []),
    clockName(options.clock as ClockSummary | undefined),
    ...(options.rated ? [t("new.rated")] : []),
  ].join(" · ");
}
