// Which boards of a first match were done on this device, those of all rulesets together.

const KEY = "diskwars.lessons";

/** Return those of these boards that were done. */
export function lessonsDone<Id extends string>(lessons: ReadonlyArray<Id>): ReadonlySet<Id> {
  const kept = keptDone();
  return new Set(lessons.filter((id) => kept.includes(id)));
}

export function keepLessonDone(id: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify([...new Set([...keptDone(), id])]));
  } catch {
    // A browser may forbid its storage; then the boards are done as long as the page is open.
  }
}

function keptDone(): ReadonlyArray<string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}
