// An army as text, in the form that the command line reads and writes too; and as a link.

import type { diskwars } from "../../../protocol/types";
import { asArmy, newId, type Army } from "../../../lists/army";

export interface Names {
  readonly disks: ReadonlyArray<{ readonly id: string; readonly name: string }>;
  readonly cards: ReadonlyArray<{ readonly id: string; readonly name: string }>;
}

export class ArmyTextError extends Error {
  constructor(
    readonly line: number,
    readonly word: string,
  ) {
    super(word);
  }
}

const MAX_COPIES = 40;
const PLAIN = /^[\p{L}][\p{L}\p{N} '’-]*$/u;
const quoted = (name: string) =>
  PLAIN.test(name) && !/ x\d+$/.test(name) && name !== "army" && name !== "cards" ? name : JSON.stringify(name);
const nameOf = (list: Names["disks"], id: string) => list.find((one) => one.id === id)?.name ?? id;

/** Write an army, one line for each regiment. */
export function writeArmy({ name, regiments, hand }: Army, names: Names): string {
  const disk = (id: string) => quoted(nameOf(names.disks, id));
  const lines = [
    ...(name ? [`army: ${quoted(name)}`] : []),
    ...regiments.map(({ hero, units }) =>
      `${disk(hero)}: ${counted(units)
        .map(([id, copies]) => (copies > 1 ? `${disk(id)} x${copies}` : disk(id)))
        .join(", ")}`.trimEnd(),
    ),
    ...(hand.length ? [`cards: ${hand.map((id) => quoted(nameOf(names.cards, id))).join(", ")}`] : []),
  ];
  return lines.join("\n");
}

/** Equal neighbours, counted: the order is that of the disks in a match. */
function counted(ids: ReadonlyArray<string>): Array<[id: string, copies: number]> {
  const runs: Array<[string, number]> = [];
  for (const id of ids) {
    const last = runs.at(-1);
    if (last?.[0] === id) last[1] += 1;
    else runs.push([id, 1]);
  }
  return runs;
}

/** Read an army from text. Throws ArmyTextError at the first name that nobody has. */
export function readArmy(text: string, names: Names): Army {
  let name = "";
  const regiments: Array<Required<diskwars.Regiment>> = [];
  let hand: string[] = [];
  const lines = text.split("\n").flatMap((line, k) =>
    line
      .replace(/(^|\s)#.*$/, "")
      .split(";")
      .map((clause) => ({ clause: clause.trim(), line: k + 1 })),
  );
  for (const { clause, line } of lines) {
    if (!clause) continue;
    const parts = /^("(?:[^"\\]|\\.)*"|[^:"]*):(.*)$/.exec(clause);
    if (!parts) throw new ArmyTextError(line, clause);
    const [head, tail] = [parts[1]?.trim() ?? "", parts[2] ?? ""];
    if (head === "army") name = plain(tail.trim());
    else if (head === "cards") hand = split(tail).flatMap((one) => many(names.cards, one, line));
    else
      regiments.push({
        hero: idOf(names.disks, plain(head), line),
        units: split(tail).flatMap((one) => many(names.disks, one, line)),
      });
  }
  if (!regiments.length) throw new ArmyTextError(1, text.slice(0, 40));
  return { id: newId(), name: name.slice(0, 60), regiments, hand };
}

const split = (tail: string) =>
  tail
    .split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/)
    .map((one) => one.trim())
    .filter(Boolean);

function plain(name: string): string {
  if (!name.startsWith('"')) return name;
  try {
    return String(JSON.parse(name));
  } catch {
    return name.replaceAll('"', "");
  }
}

function many(list: Names["disks"], word: string, line: number): string[] {
  const [, name = word, copies = "1"] = /^(.*?) ?[x×](\d{1,3})$/.exec(word) ?? [];
  const count = Number(copies);
  if (count < 1 || count > MAX_COPIES) throw new ArmyTextError(line, word);
  return Array.from({ length: count }, () => idOf(list, plain(name.trim()), line));
}

function idOf(list: Names["disks"], word: string, line: number): string {
  const wanted = word.toLowerCase();
  const found = list.find((one) => one.name.toLowerCase() === wanted || one.id.toLowerCase() === wanted);
  if (!found) throw new ArmyTextError(line, word);
  return found.id;
}

/** The part of a link behind # that holds an army. */
export function armyHash({ name, regiments, hand }: Army): string {
  const bytes = new TextEncoder().encode(JSON.stringify({ name, regiments, hand }));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Return the army of a link; null for anything else. */
export function armyOfHash(hash: string): Army | null {
  try {
    const bytes = Uint8Array.from(atob(hash.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
    return asArmy(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return null;
  }
}
