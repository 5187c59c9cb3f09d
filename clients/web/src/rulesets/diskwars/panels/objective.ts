// What an objective scores, for the panel beside the table.

import { t } from "../../../messages";
import type { diskwars } from "../../../protocol/types";

export type ObjectivePart = diskwars.Scenario["objective"][number];

/** R20.2: what a quick set-up scores; no card of the match names it. */
export const QUICK_OBJECTIVE: ReadonlyArray<ObjectivePart> = [
  { type: "slay_units", cost: 1 },
  { type: "slay_heroes", points: 5 },
  { type: "hold_zones", points: 1 },
];

/** Return one sentence for a part of an objective. */
export function objectiveText(part: ObjectivePart): string {
  if (part.type === "slay_units") return t("objective.slay_units", { cost: part.cost });
  return t(`objective.${part.type}`, { points: part.points });
}
