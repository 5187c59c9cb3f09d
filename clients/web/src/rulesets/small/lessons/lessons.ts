// The boards of the smaller games: which there are, and what the engine recorded of each.

import type { Decision } from "../../../client/records/match.js";
import en from "../../../messages/en/parts/small_lessons.json";
import { makeTexts } from "../../../messages/texts";
import type { Action } from "../game";

/** A recorded answer, and what follows of it. */
export interface LessonAnswer {
  readonly action: Action;
  readonly events: ReadonlyArray<object>;
}
export interface SmallLessonBoard {
  readonly id: string;
  readonly ruleset: string;
  /** What the engine answers to something that is tried with or on a piece. */
  readonly refusal: { readonly piece: number; readonly code: string; readonly text: string; readonly rule?: string };
  /** Which of the answers the arrow leads to. */
  readonly done: number;
  readonly board: object;
  readonly seat: number;
  readonly question: Decision["question"];
  readonly options: object;
  readonly answers: ReadonlyArray<LessonAnswer>;
}

export const smallLessonText = makeTexts("small_lessons", en);
export type SmallLessonText = keyof typeof en;

/** Boards of each game. */
const BOARDS_OF_A_GAME = 2;
export const lessonsOf = (ruleset: string): ReadonlyArray<string> =>
  Array.from({ length: BOARDS_OF_A_GAME }, (_, k) => `${ruleset}-${k + 1}`);

const FILES = import.meta.glob<{ readonly default: SmallLessonBoard }>("./boards/*.json");
export const loadSmallLesson = async (id: string): Promise<SmallLessonBoard | null> =>
  (await FILES[`./boards/${id}.json`]?.())?.default ?? null;
