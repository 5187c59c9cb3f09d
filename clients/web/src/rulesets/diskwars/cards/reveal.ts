// Why cards are resolved in their order, in words: bold before steady, steady before devious, devious before bold, slow last (R7.17).

import type { diskwars } from "../../../protocol/types";

type Strategy = diskwars.CommandCard["strategy"];
export type OrderReason = "circle" | "same" | "same_slow" | "slow";

/** Each strategy goes before the one that follows it. */
const BEFORE: Readonly<Partial<Record<Strategy, Strategy>>> = { bold: "steady", steady: "devious", devious: "bold" };

/** Whether a card of the first strategy goes before one of the second; null where only the first player decides it. */
export function goesBefore(one: Strategy, other: Strategy): boolean | null {
  if (one === other) return null;
  if (one === "slow" || other === "slow") return other === "slow";
  return BEFORE[one] === other;
}

/** Return why the first of two cards goes before the second. */
export function orderReason(first: Strategy, second: Strategy): OrderReason {
  if (first === second) return first === "slow" ? "same_slow" : "same";
  return second === "slow" ? "slow" : "circle";
}
