// Typed orders of the pit, in the words of the terminal: `engage A1 4 5`, `move A1 4 5`, `attack B2`, `end`.

import type { pit } from "../../protocol/types";
import { findPiece, splitOrder, type NamedPieces, type Ordered } from "../small/typed_orders";
import { smallText } from "../small/texts";

export interface PitWords {
  readonly question: pit.Question["type"];
  readonly limits: ReadonlyArray<pit.Limits>;
  readonly pieces: NamedPieces;
  /** What a weapon may be called, in small letters. */
  readonly weaponWords: (weapon: string) => ReadonlyArray<string>;
}

/** The questions that an order answers. */
const ASKED: Readonly<Record<string, ReadonlyArray<pit.Question["type"]>>> = {
  engage: ["engagement"],
  move: ["movement"],
  attack: ["attack_declaration"],
  end: ["engagement", "movement"],
};
const FORMS: Readonly<Record<string, ReadonlyArray<string>>> = {
  engage: ["engage NAME 4 5"],
  move: ["move NAME 4 5"],
  attack: ["attack NAME", "attack NAME sword, NAME hammer"],
  end: ["end"],
};

/** Return the forms of the orders that answer a question. */
export const pitForms = (question: pit.Question["type"]): string[] =>
  Object.entries(ASKED).flatMap(([verb, questions]) => (questions.includes(question) ? (FORMS[verb] ?? []) : []));

export function pitOrder(line: string, words: PitWords): Ordered {
  const [verb, rest] = splitOrder(line);
  if (!ASKED[verb]) return null;
  if (!ASKED[verb].includes(words.question)) return smallText("cmd.notasked", { verb });
  if (verb === "end") return { type: "end_phase" };
  return verb === "attack" ? attackOrder(rest, words) : runOrder(verb === "engage" ? "engage" : "move", rest, words);
}

function runOrder(type: "engage" | "move", rest: string, { pieces }: PitWords): Ordered {
  const [, name, x, y] = /^(.+?)\s+(?:to\s+)?\(?(\d+)[\s,]+(\d+)\)?$/i.exec(rest) ?? [];
  if (name === undefined) return smallText("pit.order.where", { verb: type });
  const fighter = findPiece(pieces, name);
  return typeof fighter === "string" ? fighter : { type, fighter, x: Number(x), y: Number(y) };
}

function attackOrder(rest: string, { limits: [limits], pieces, weaponWords }: PitWords): Ordered {
  const carried = limits?.weapons ?? [];
  const parts = rest
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
  if (!parts.length) return smallText("pit.order.whom");
  const attacks: pit.Attack[] = [];
  for (const part of parts) {
    // Of a sword and a great sword, the longer name is meant.
    const [armed] = carried
      .flatMap((weapon) =>
        weaponWords(weapon)
          .filter((word) => part.toLowerCase().endsWith(` ${word}`))
          .map((word) => ({ weapon, word })),
      )
      .sort((one, other) => other.word.length - one.word.length);
    const target = findPiece(pieces, armed ? part.slice(0, -armed.word.length) : part);
    if (typeof target === "string") return target;
    attacks.push({ target, ...(armed && { weapon: armed.weapon }) });
  }
  const [only] = attacks;
  if (only && attacks.length === 1 && only.weapon === undefined)
    return { type: "declare_attacks", attacks: allOn(only.target, carried, limits?.attacks ?? 1) };
  return {
    type: "declare_attacks",
    attacks: attacks.map((one) =>
      one.weapon === undefined && carried[0] !== undefined ? { ...one, weapon: carried[0] } : one,
    ),
  };
}

/** Every attack on one target, with each weapon at least once. */
function allOn(target: number, carried: ReadonlyArray<string>, count: number): pit.Attack[] {
  const weapons: ReadonlyArray<string | undefined> = carried.length ? [...new Set(carried)] : [undefined];
  const all = [...Array<string | undefined>(Math.max(0, count - weapons.length)).fill(weapons[0]), ...weapons];
  return all.map((weapon) => ({ target, ...(weapon === undefined ? {} : { weapon }) }));
}
