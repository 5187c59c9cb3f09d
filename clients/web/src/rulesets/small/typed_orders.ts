// What typed orders of the small games have in common: pieces by mark or name, with the words of the terminal.

import { letterOf } from "../../client/records/seats";
import { names } from "../../messages";
import type { Action } from "./game";
import { smallText } from "./texts";

/** What a line means: an answer, why it is none, or null where it is no order here. */
export type Ordered = Action | string | null;

/** The pieces in play, and the marks and names of all pieces by id. */
export interface NamedPieces {
  readonly ids: ReadonlyArray<number>;
  readonly marks: ReadonlyArray<string>;
  readonly names: ReadonlyArray<string>;
}

/** Return the mark of each piece, as on the map of the terminal: the letter of its seat, and its number among those of the seat from 1. */
export function seatMarks(seats: ReadonlyArray<number>): string[] {
  return seats.map(
    (seat, at) => `${letterOf(seat).toUpperCase()}${seats.slice(0, at + 1).filter((one) => one === seat).length}`,
  );
}

/** Return the pieces with this mark or name; a part of a name is enough. */
export function findPieces({ ids, marks, names: all }: NamedPieces, name: string): number[] {
  const wanted = name.trim().toLowerCase();
  const exact = ids.filter((id) => [marks[id], all[id]].some((known) => known?.toLowerCase() === wanted));
  return exact.length ? exact : ids.filter((id) => wanted.length > 1 && all[id]?.toLowerCase().includes(wanted));
}

/** Return the one piece that is called this, or why there is none. */
export function findPiece(pieces: NamedPieces, name: string): number | string {
  const found = findPieces(pieces, name);
  if (found.length === 1) return found[0] as number;
  return found.length
    ? smallText("cmd.which", { name: name.trim(), names: names(found.map((id) => pieces.names[id] ?? "")) })
    : smallText("cmd.nobody", { name: name.trim() });
}

/** Return the first word of a line, in small letters, and what follows it. */
export function splitOrder(line: string): readonly [verb: string, rest: string] {
  const [, verb = "", rest = ""] = /^(\S+)\s*(.*)$/.exec(line.trim()) ?? [];
  return [verb.toLowerCase(), rest];
}
