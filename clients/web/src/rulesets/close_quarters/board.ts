// The board of close quarters as the page has it, and queries that several modules make on it.

import type { BattleTask, close_quarters } from "../../protocol/types";

type Combat = Required<close_quarters.CombatState>;
export type Board = Required<
  Omit<close_quarters.Board, "active_unit" | "barricade" | "combat" | "models" | "task" | "units">
> & {
  readonly units: ReadonlyArray<Required<close_quarters.Unit>>;
  readonly models: ReadonlyArray<Required<close_quarters.Model>>;
  readonly combat: Combat | null;
  readonly active_unit: number | null;
  readonly barricade: close_quarters.Barricade | null;
  readonly task: BattleTask | null;
};
export type Model = Board["models"][number];

export const isStanding = ({ status }: Model) => status === "standing";
export const modelsOf = (board: Board, unit: number) =>
  board.models.filter((one) => one.unit === unit && isStanding(one));
export const profileOf = (board: Board, unit: number) =>
  board.profiles[board.units[unit]?.profile ?? 0] as close_quarters.UnitProfile;
