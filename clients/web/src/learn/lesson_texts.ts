// The texts of the boards of a first match, loaded with them.

import en from "../messages/en/parts/lessons.json";
import { makeTexts } from "../messages/texts";

export const lessonText = makeTexts("lessons", en);
export type LessonText = keyof typeof en;
