// How ratings and results are written.

import { session } from "../page/session.svelte";

/** Write a rating, which the server gives in thousandths. */
export const ratingText = (thousandths: number): string =>
  new Intl.NumberFormat(session.language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(
    thousandths / 1000,
  );

/** Return the share of games that were won, in whole percent. */
export const percentOf = (wins: number, games: number): number => (games ? Math.round((100 * wins) / games) : 0);
