// What the seats of one match are called at its table: bots of one kind by their armies, where each leads another one.

interface NamedSeat {
  readonly player?: string | null;
  readonly loadout?: { readonly army?: unknown } | null;
}

/** Return the name of a starter army, as its id has it; empty for an army that somebody has put together. */
const starterName = (army: unknown): string =>
  typeof army === "string" && /^[a-z]+(-[a-z]+)*$/.test(army)
    ? army.replace(/(^|-)([a-z])/g, (_, gap: string, letter: string) => (gap && " ") + letter.toUpperCase())
    : "";

/** Return the kind of bot in a seat; empty for a person. */
const kindOf = ({ player }: NamedSeat): string => /^bot-(.+)-[a-d]$/.exec(player ?? "")?.[1] ?? "";

/**
 * Return the names of the seats. `nameOf` names a player alone; `numbered` are the names that numbers tell apart, which stay where
 * armies do not.
 */
export function namesWithArmies(
  seats: ReadonlyArray<NamedSeat>,
  numbered: ReadonlyArray<string>,
  nameOf: (player: string | null | undefined, seat: number) => string,
): string[] {
  const armies = seats.map(({ loadout }) => starterName(loadout?.army));
  return numbered.map((name, place) => {
    const kind = seats[place] ? kindOf(seats[place]) : "";
    const same = seats.flatMap((seat, other) => (kind && kindOf(seat) === kind ? [armies[other]] : []));
    if (same.length < 2 || new Set(same).size < same.length || same.includes("")) return name;
    return `${nameOf(seats[place]?.player, place)} (${armies[place]})`;
  });
}
