// Typed orders of close quarters, in the words of the terminal: `advance 6 0`, `fire K2 at NAME`, `pick M2 M3`, `engage`, `break off`.

import type { close_quarters } from "../../protocol/types";
import type { Action } from "../small/game";
import { findPiece, splitOrder, type NamedPieces, type Ordered } from "../small/typed_orders";
import { smallText } from "../small/texts";

type Question = close_quarters.Question["type"];
type Way = "advance" | "consolidate" | "double";
type Limits = close_quarters.Limits;

export interface CloseQuartersWords {
  readonly question: Question;
  readonly limits: ReadonlyArray<Limits>;
  readonly units: NamedPieces;
  /** The mark of each model by its id. */
  readonly marks: ReadonlyArray<string>;
  /** The plan in which all models of a unit go so far right and up, in hundredths of an inch. */
  readonly shift: (limits: Limits, right: number, up: number) => ReadonlyArray<close_quarters.ModelMove>;
}

/** The letters of units on the terminal's map; those of the seats are left out. */
const LETTERS = "KLMNOPQRSTUVWXYZEFGHIJ";
const WAYS: ReadonlySet<string> = new Set<Way>(["advance", "consolidate", "double"]);
const PICKS: ReadonlySet<string> = new Set(["pick_casualties", "split_hits"]);
const NUMBER = String.raw`-?\d+(?:[.,]\d{1,2})?`;
const VECTOR = new RegExp(String.raw`^(?:by\s+)?(${NUMBER})[\s,]+(${NUMBER})$`);
const MOVE = new RegExp(String.raw`^(\S+)\s+(?:to\s+)?(${NUMBER})\s+(${NUMBER})$`);

/** Return the mark of each model: the letter of its unit on the terminal's map, and its number in the unit from 1. */
export function modelMarks(models: ReadonlyArray<{ readonly unit: number }>): string[] {
  return models.map(
    ({ unit }, at) =>
      `${LETTERS[unit % LETTERS.length]}${models.slice(0, at + 1).filter((one) => one.unit === unit).length}`,
  );
}

export function closeQuartersOrder(line: string, words: CloseQuartersWords): Ordered {
  const [verb, rest] = splitOrder(line);
  const way = wayOf(line, words.limits);
  if (way) return wayOrder(way.verb, way.rest, words);
  switch (verb) {
    case "hold":
      return rest ? null : holdOrder(words.question);
    case "engage":
      return rest ? null : manoeuvre(words.question, "engage");
    case "break":
      return rest.toLowerCase() === "off" || !rest ? manoeuvre(words.question, "break_off") : null;
    case "fire":
      return fireOrder(rest, words);
    case "pick":
      return pickOrder(rest, words);
    default:
      return WAYS.has(verb) ? smallText("cmd.notasked", { verb }) : null;
  }
}

/** Return the forms of the orders that answer a question. */
export function closeQuartersForms(question: Question, limits: ReadonlyArray<Limits>): string[] {
  const ways = limits.flatMap(({ example: { type } }) => (WAYS.has(type) ? [`${type} 6 0`, `${type} K1 12 5.5`] : []));
  switch (question) {
    case "unit_action":
      return [...ways, "hold"];
    case "consolidation":
      return [...ways, "engage", "hold", "break off"];
    case "shooting":
      return ["fire K2 at NAME, K3 at NAME", "hold"];
    case "defensive_fire":
      return ["fire at NAME", "hold"];
    case "hit_split":
    case "allocation":
    case "casualties":
      return limits.some(({ example: { type } }) => PICKS.has(type)) ? ["pick M2 M3"] : [];
    default:
      return [];
  }
}

/** Return the way to go that a line begins with, by its English word or the one of the reader's language. */
function wayOf(line: string, limits: ReadonlyArray<Limits>): { readonly verb: Way; readonly rest: string } | null {
  const typed = line.trim().toLowerCase();
  for (const {
    example: { type },
  } of limits) {
    if (!WAYS.has(type)) continue;
    const word = [type, smallText(`cq.${type}` as never).toLowerCase()].find(
      (one) => typed === one || typed.startsWith(`${one} `),
    );
    if (word !== undefined) return { verb: type as Way, rest: typed.slice(word.length).trim() };
  }
  return null;
}

function wayOrder(verb: Way, rest: string, { limits, marks, shift }: CloseQuartersWords): Ordered {
  const own = limits.find(({ example }) => example.type === verb);
  if (!own) return smallText("cmd.notasked", { verb });
  if (!rest) return own.example as Action;
  const [, right, up] = VECTOR.exec(rest) ?? [];
  if (right !== undefined && up !== undefined)
    return { type: verb, moves: shift(own, hundredths(right), hundredths(up)) } as Action;
  const moves: close_quarters.ModelMove[] = [];
  for (const part of rest.split(",")) {
    const [, mark, x, y] = MOVE.exec(part.trim()) ?? [];
    if (mark === undefined || x === undefined || y === undefined) return smallText("cq.order.where", { verb });
    const model = findModel(marks, mark);
    if (typeof model === "string") return model;
    moves.push({ model, x: hundredths(x), y: hundredths(y) });
  }
  return { type: verb, moves } as Action;
}

function holdOrder(question: Question): Ordered {
  switch (question) {
    case "defensive_fire":
      return { type: "hold_fire" };
    case "shooting":
      return { type: "shoot", shots: [] };
    case "consolidation":
      return { type: "consolidate_by", manoeuvre: "hold" };
    case "unit_action":
      return { type: "hold" };
    default:
      return smallText("cmd.notasked", { verb: "hold" });
  }
}

function manoeuvre(question: Question, by: "break_off" | "engage"): Ordered {
  return question === "consolidation"
    ? { type: "consolidate_by", manoeuvre: by }
    : smallText("cmd.notasked", { verb: by === "engage" ? "engage" : "break off" });
}

function fireOrder(rest: string, { question, units, marks }: CloseQuartersWords): Ordered {
  if (question === "defensive_fire") {
    const target = findPiece(units, rest.replace(/^at\s+/i, ""));
    return typeof target === "string" ? target : { type: "fire_at", target };
  }
  if (question !== "shooting") return smallText("cmd.notasked", { verb: "fire" });
  const shots: close_quarters.ModelShot[] = [];
  for (const part of rest.split(",")) {
    const [, mark, name] = /^(\S+)\s+at\s+(.+)$/i.exec(part.trim()) ?? [];
    if (mark === undefined || name === undefined) return smallText("cq.order.fire");
    const [model, target] = [findModel(marks, mark), findPiece(units, name)];
    if (typeof model === "string") return model;
    if (typeof target === "string") return target;
    shots.push({ model, target });
  }
  return { type: "shoot", shots };
}

function pickOrder(rest: string, { limits, marks }: CloseQuartersWords): Ordered {
  const type = limits.find(({ example }) => PICKS.has(example.type))?.example.type;
  if (type === undefined) return smallText("cmd.notasked", { verb: "pick" });
  const models: number[] = [];
  for (const mark of rest.split(/[\s,]+/).filter(Boolean)) {
    const model = findModel(marks, mark);
    if (typeof model === "string") return model;
    models.push(model);
  }
  return { type, models } as Action;
}

/** Return the model of this mark, which may have the star of a leader behind it, or why there is none. */
function findModel(marks: ReadonlyArray<string>, mark: string): number | string {
  const at = marks.findIndex((known) => known.toLowerCase() === mark.toLowerCase().replace(/\*+$/, ""));
  return at < 0 ? smallText("cmd.nobody", { name: mark }) : at;
}

const hundredths = (inches: string): number => Math.round(100 * Number(inches.replace(",", ".")));
