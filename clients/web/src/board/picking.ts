// Which disk a click means where several lie on one another.

import type { Mark } from "./view";

const CHOOSABLE: ReadonlySet<Mark | undefined> = new Set<Mark>([
  "choice",
  "own_choice",
  "own_target",
  "ready",
  "selected",
  "target",
]);

/**
 * Return the disk that a click means; null where none lies. `under` are those at its place, the topmost first, and `last`
 * is the disk that a click at the same place meant before, if there was one: then it is the next one below.
 *
 * Only disks that can be chosen are meant, if there are any. What acts is never passed over for one that cannot be chosen.
 */
export function pickDisk(
  under: ReadonlyArray<number>,
  marks: ReadonlyMap<number, Mark>,
  last: number | null,
): number | null {
  const choosable = under.filter((id) => CHOOSABLE.has(marks.get(id)));
  if (!choosable.length && marks.size) return under[0] ?? null;
  const meant = choosable.length ? choosable : under;
  const next = last === null ? 0 : meant.indexOf(last) + 1;
  return meant[next % meant.length] ?? null;
}
