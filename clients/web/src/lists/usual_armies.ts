// What is played where nobody has chosen an army: as many regiments as the server's settings say, and a starter army.

import type { diskwars } from "../protocol/types";

/** Starter armies that are offered first, one for each side. */
export const DEFAULT_ARMY = "reikland-host";
export const DEFAULT_OPPOSING_ARMY = "everchosen-host";

/** Return how many regiments an army has in a match whose settings do not say; lists leave the usual number out. */
export function usualRegiments(catalogue: Pick<diskwars.Catalogue, "settings"> | null): number {
  return Number(catalogue?.settings.find(({ id }) => id === "regiments")?.default ?? 2);
}
