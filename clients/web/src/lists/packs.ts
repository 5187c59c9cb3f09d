// What an army may be made of in a match that is played without some content packs.

import type { diskwars } from "../protocol/types";
import type { Army } from "./army";

export type StarterArmy = diskwars.Catalogue["armies"][number];

const isOf =
  (packs: ReadonlyArray<string>) =>
  ({ pack }: { readonly pack: string }) =>
    packs.includes(pack);

/** Return the starter armies of the packs that are played with. */
export const startersWithout = (
  catalogue: diskwars.Catalogue | null,
  leftOut: ReadonlyArray<string>,
): ReadonlyArray<StarterArmy> => (catalogue?.armies ?? []).filter((army) => !isOf(leftOut)(army));

/** Return the own armies that can be played: of some size, and without a disk or card of a pack that is left out. */
export function playableWithout(
  catalogue: diskwars.Catalogue | null,
  own: ReadonlyArray<Army>,
  leftOut: ReadonlyArray<string>,
): ReadonlyArray<Army> {
  const missing = new Set([
    ...(catalogue?.disks ?? []).filter(isOf(leftOut)).map(({ profile }) => profile.id),
    ...(catalogue?.cards ?? []).filter(isOf(leftOut)).map(({ card }) => card.id),
  ]);
  return own.filter(
    ({ regiments, hand }) =>
      regiments.length > 0 &&
      hand.length > 0 &&
      ![...hand, ...regiments.flatMap(({ hero, units }) => [hero, ...units])].some((id) => missing.has(id)),
  );
}
