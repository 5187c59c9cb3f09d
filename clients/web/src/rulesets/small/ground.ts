// The ground of a scenario and its task, as the small games show them: areas of the table, and a sentence.

import type { BattleTask, ScenarioArea } from "../../protocol/types";
import { smallText } from "./texts";

/** A rectangle of the table in millimetres: a wall, a hill, or the place of the task. */
export interface Ground {
  readonly kind: "hill" | "task" | "wall";
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** Return areas of cells of `scale` millimetres as areas of the table. */
export const cellGround = (kind: Ground["kind"], areas: ReadonlyArray<ScenarioArea>, scale: number): Ground[] =>
  areas.map(({ x0, y0, x1, y1 }) => ({
    kind,
    x0: x0 * scale,
    y0: y0 * scale,
    x1: (x1 + 1) * scale,
    y1: (y1 + 1) * scale,
  }));

/** Return areas between points of `scale` millimetres as areas of the table. */
export const pointGround = (kind: Ground["kind"], areas: ReadonlyArray<ScenarioArea>, scale: number): Ground[] =>
  areas.map(({ x0, y0, x1, y1 }) => ({ kind, x0: x0 * scale, y0: y0 * scale, x1: x1 * scale, y1: y1 * scale }));

export const areasOf = (task: BattleTask | null): ScenarioArea[] => (task?.zone ? [task.zone] : []);

/** Return what the task of a scenario asks of whom; `sides` are the names of the two sides, `piece` that of a rescue. */
export function taskText(task: BattleTask | null, sides: ReadonlyArray<string>, piece: string, noun: string): string {
  if (!task) return "";
  const [side, count] = [task.side ?? 0, task.count ?? 1];
  return smallText(`task.${task.kind}`, { side: sides[side] ?? "", other: sides[1 - side] ?? "", count, piece, noun });
}
