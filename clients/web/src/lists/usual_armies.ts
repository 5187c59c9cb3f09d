// What is played where nobody has chosen an army: as many regiments as the server's settings say, and a starter army.

import type { diskwars } from "../protocol/types";

/** Starter armies that are offered first, one for each side. */
export const DEFAULT_ARMY = "reikland-host";
const DEFAULT_OPPOSING_ARMY = "everchosen-host";

/** Return the armies that play against another one where nobody has chosen: of its size, and another where there is one. */
export function opposingArmies(
  armies: ReadonlyArray<diskwars.CatalogueArmy>,
  regiments: number,
  own: string,
): ReadonlyArray<diskwars.CatalogueArmy> {
  const alike = armies.filter((one) => one.regiments.length === regiments);
  const others = alike.filter(({ id }) => id !== own);
  const first = others.filter(({ id }) => id === DEFAULT_OPPOSING_ARMY);
  return others.length ? [...first, ...others.filter(({ id }) => id !== DEFAULT_OPPOSING_ARMY)] : alike;
}

/** Return how many regiments an army has in a match whose settings do not say; lists leave the usual number out. */
export function usualRegiments(catalogue: Pick<diskwars.Catalogue, "settings"> | null): number {
  return Number(catalogue?.settings.find(({ id }) => id === "regiments")?.default ?? 2);
}
