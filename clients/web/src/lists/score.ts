// How scores are written.

import { language } from "../messages";

/** Write a score as players count it: that of regiments is stored in thousandths of a unit, of which none is left out, because one can decide. */
export const scoreText = (ruleset: string, score: number): string =>
  new Intl.NumberFormat(language(), { maximumFractionDigits: 3 }).format(
    ruleset === "regiments" ? score / 1000 : score,
  );
