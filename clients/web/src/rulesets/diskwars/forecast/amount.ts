// Amounts of damage, as cards print them.

import { t } from "../../../messages";
import type { diskwars } from "../../../protocol/types";

/** Write an amount as printed: `3`, `d6` or `d6+1`; in German `W6`. */
export function amountText({ flat = 0, d6 = 0 }: diskwars.Amount): string {
  const dice = d6 === 0 ? "" : `${d6 === 1 ? "" : d6}${t("amount.d6")}`;
  return dice && flat ? `${dice}${flat < 0 ? "−" : "+"}${Math.abs(flat)}` : dice || String(flat);
}

/** Return an amount that no die decides; null for another. */
export const flatAmount = ({ flat = 0, d6 = 0 }: diskwars.Amount): number | null => (d6 === 0 ? flat : null);
