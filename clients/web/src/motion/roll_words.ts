// Dice in words: what they show, and how likely what was needed was.

import type { BoardState, RecordBody } from "../client/records/match.js";
import { decimal, names, t, type MessageKey } from "../messages";
import { luckReport } from "../replay/luck";
import type { DiceRoll } from "./beats";

/** The kinds of the luck report, by the event that rolls. Scatter is left out: whether a hit was wanted depends on whom it strikes. */
const LUCK_KINDS: Readonly<Record<string, string>> = {
  initiative_rolled: "initiative",
  shot_fired: "ranged_attack",
  impact_rolled: "impact",
  guard_rolled: "guard",
  danger_rolled: "danger_spared",
};

/** Say what the dice show: how many of each symbol, or the numbers and their sum. */
export function resultWords({ draws }: DiceRoll, board: BoardState): string {
  return draws
    .map(({ kind, results }) => {
      if (kind !== "symbol_dice")
        return results.length > 1
          ? `${results.join(" + ")} = ${results.reduce((sum, one) => sum + one, 0)}`
          : String(results[0] ?? "");
      const counts = new Map<string, number>();
      for (const face of results)
        counts.set(
          board.battle_die[face - 1] ?? String(face),
          (counts.get(board.battle_die[face - 1] ?? String(face)) ?? 0) + 1,
        );
      return names(
        [...counts].map(([symbol, count]) => t("roll.count", { count, symbol: t(`die.${symbol as "hit"}`) })),
      );
    })
    .join("; ");
}

export interface RollOdds {
  /** Faces of the die that were wanted, of all of its faces. */
  readonly wanted: number;
  readonly faces: number;
  readonly hits: number;
}

/** Return how likely each die was to show what was needed; null where every face counts. */
export function oddsOf({ event, draws }: DiceRoll): RollOdds | null {
  const needed = new Set("needed" in event ? (event.needed ?? []) : []);
  const draw = draws.at(-1);
  if (needed.size === 0 || !draw) return null;
  return { wanted: needed.size, faces: draw.size, hits: draw.results.filter((face) => needed.has(face)).length };
}

/** Say whose rolls of this kind came to what in the match up to here, and what was to be expected; "" where that is not counted. */
export function luckWords(
  { seq, event, disk }: DiceRoll,
  bodies: ReadonlyArray<RecordBody>,
  board: BoardState,
  seats: ReadonlyArray<string>,
): string {
  const kind = LUCK_KINDS[event.type];
  const seat = disk === null ? null : board.disks[disk]?.seat;
  if (!kind || seat === null || seat === undefined) return "";
  const line = luckReport(bodies.slice(0, seq)).find((one) => one.kind === kind && one.seat === seat);
  return line
    ? t("roll.luck", {
        kind: t(`luck.${kind}` as MessageKey),
        name: seats[seat] ?? "",
        rolled: line.rolled,
        expected: decimal(line.expected),
      })
    : "";
}
