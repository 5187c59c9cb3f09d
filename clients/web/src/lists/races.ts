// The pictures of races and kinds of disks.

import type { diskwars } from "../protocol/types";

const RACES: Readonly<Record<string, string>> = {
  empire: "empire",
  "high-elf": "elves",
  "high-elves": "elves",
  chaos: "chaos",
  orc: "greens",
  "orcs-and-goblins": "greens",
  orcs: "greens",
  greenskin: "greens",
  dwarf: "dwarfs",
  dwarfs: "dwarfs",
  "dark-elf": "darkelves",
  "dark-elves": "darkelves",
  skaven: "skaven",
  lizardmen: "lizards",
  "wood-elf": "woodelves",
  "wood-elves": "woodelves",
  "vampire-counts": "undead",
  undead: "undead",
};
/** The first trait of a disk that is here gives its picture. */
const KINDS: ReadonlyArray<readonly [trait: string, kind: string]> = [
  ["monster", "mon"],
  ["machine", "mch"],
  ["cavalry", "cav"],
  ["caster", "mag"],
  ["priest", "pri"],
  ["missile", "msl"],
  ["daemon", "dae"],
  ["infantry", "inf"],
];

export function raceOf(profile: diskwars.Profile | undefined): string {
  const race = profile?.race ?? "";
  return RACES[race] ?? Object.entries(RACES).find(([word]) => race.includes(word))?.[1] ?? "empire";
}

export const kindOf = (profile: diskwars.Profile | undefined): string =>
  KINDS.find(([trait]) => profile?.traits?.some((one) => one.includes(trait)))?.[1] ?? "inf";
