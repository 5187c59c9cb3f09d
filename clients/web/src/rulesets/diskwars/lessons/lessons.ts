// The five boards of a first match: which there are, what the engine recorded of each, and how far the reader of this device is.

import en from "../../../messages/en/parts/lessons.json";
import { makeTexts } from "../../../messages/texts";
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

export const lessonText = makeTexts("lessons", en);
export type LessonText = keyof typeof en;

const FILES = import.meta.glob<{ readonly default: LessonBoard }>("./boards/*.json");
export const loadLesson = async (id: LessonId): Promise<LessonBoard | null> =>
  (await FILES[`./boards/${id}.json`]?.())?.default ?? null;

const KEY = "diskwars.lessons";

/** Return the boards that were done on this device. */
export function lessonsDone(): ReadonlySet<LessonId> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return new Set(LESSONS.filter((id) => Array.isArray(kept) && kept.includes(id)));
  } catch {
    return new Set();
  }
}

export function keepLessonsDone(done: ReadonlySet<LessonId>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify([...done]));
  } catch {
    // A browser may forbid its storage; then the boards are done as long as the page is open.
  }
}
