// The five boards of a first match: which there are, and what the engine recorded of each.

import type { FigurePosition } from "../../../rules/figures";

export const LESSONS = ["turn", "land", "melee", "card", "score"] as const;
export type LessonId = (typeof LESSONS)[number];

/** What the engine answers to something that is tried with a disk. */
interface LessonRefusal {
  readonly disk: number;
  readonly code: string;
  readonly text: string;
  readonly rule?: string;
  readonly numbers?: Readonly<Record<string, number>>;
}
export interface LessonBoard {
  readonly id: LessonId;
  readonly refusal: LessonRefusal;
  /** Which of the recorded answers to the first question the arrow leads to. */
  readonly done: number;
  readonly position: FigurePosition;
}

const FILES = import.meta.glob<{ readonly default: LessonBoard }>("./boards/*.json");
export const loadLesson = async (id: LessonId): Promise<LessonBoard | null> =>
  (await FILES[`./boards/${id}.json`]?.())?.default ?? null;
