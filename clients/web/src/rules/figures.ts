// Figures of the rules: positions that can be played. Which there are, what they show, and what the engine recorded of each.

import en from "../messages/en/parts/figures.json";
import { makeTexts } from "../messages/texts";
import type { diskwars } from "../protocol/types";
import index from "./figures/index.json";

/** What follows of an answer with these dice, and the number of the node that it leads to. */
export interface FigureOutcome {
  readonly events: ReadonlyArray<diskwars.Event>;
  readonly next: number;
}
/** A recorded answer; the first outcome is that of the example. */
export interface FigureAnswer {
  readonly action: diskwars.Action;
  readonly outcomes: ReadonlyArray<FigureOutcome>;
}
/** What is asked of whom, and which answers are recorded; at an end nothing is asked. */
export interface FigureNode {
  readonly seat?: number;
  readonly question?: diskwars.Decision["question"];
  readonly options?: diskwars.Options;
  readonly answers?: ReadonlyArray<FigureAnswer>;
}
export interface FigurePosition {
  readonly name: string;
  readonly board: diskwars.Board;
  readonly nodes: ReadonlyArray<FigureNode>;
  /** What is fought before the first question is asked. */
  readonly opening?: ReadonlyArray<diskwars.Event>;
}
export interface FigureFile {
  readonly id: string;
  readonly rules: ReadonlyArray<string>;
  readonly positions: ReadonlyArray<FigurePosition>;
}
export interface FigureSummary {
  readonly id: string;
  readonly rules: ReadonlyArray<string>;
  readonly variants: ReadonlyArray<string>;
}

type Key = keyof typeof en;
const texts = makeTexts("figures", en);

export const figureText = texts;
export const FIGURES: ReadonlyArray<FigureSummary> = index;

const FILES = import.meta.glob<{ readonly default: FigureFile }>(["./figures/*.json", "!./figures/index.json"]);

/** The variant of a worked example with the disks of the core set, which has a file of its own. */
export const CORE = "core";

/** Load the positions of a figure, in the order of its variants; null where there is none of that name. */
export async function loadFigure(id: string): Promise<FigureFile | null> {
  const summary = FIGURES.find((one) => one.id === id);
  if (!summary) return null;
  const names = summary.variants.includes(CORE) ? [id, `${id}-${CORE}`] : [id];
  const [file, core] = await Promise.all(
    names.map(async (name) => (await FILES[`./figures/${name}.json`]?.())?.default),
  );
  return file ? { ...file, positions: [...file.positions, ...(core?.positions ?? [])] } : null;
}

/** Worked examples have a number; set pieces are called by what they are about. */
export const isNumbered = (id: string): boolean => /^(F\d+|FAQ\d+)$/.test(id);

export function figureName(id: string): string {
  if (id.startsWith("FAQ")) return texts("name.faq");
  return isNumbered(id) ? texts("name.figure", { number: id.slice(1) }) : texts("name.piece");
}
export const figureTitle = (id: string): string => texts(`${id}.title` as Key);
export const figureCaption = (id: string): string => texts(`${id}.text` as Key);
export const variantName = (id: string, variant: string): string =>
  variant === CORE ? texts("variant.core") : texts(variant ? (`${id}.${variant}` as Key) : "variant.printed");

/** Return the figures that show a rule, a part of it, or the rule that it is a part of. */
export function figuresOf(rule: string): ReadonlyArray<FigureSummary> {
  return FIGURES.filter(({ id, rules }) => id === rule || rules.includes(rule));
}
