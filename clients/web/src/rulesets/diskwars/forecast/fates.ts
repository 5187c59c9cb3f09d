// What a plan brings the disks of each side, at its worst: one line for both where there is room for no more.

import type { BoardState } from "../../../client/records/match.js";
import { t } from "../../../messages";
import type { Note } from "./forecast";
import { toughnessOf } from "./stats";
import type { Fate } from "./wounds";

/** What becomes of a disk that is struck; `tokens` is the damage on it then. */
export interface DiskFate {
  readonly disk: number;
  readonly fate: Fate;
  readonly tokens: number;
}
export interface SideFate {
  readonly seat: number;
  readonly text: string;
  /** The name in the text, which may be cut where there is no room for all of it; empty where it has none. */
  readonly name: string;
  readonly fate: Fate;
}

const RANK: Readonly<Record<Fate, number>> = { unharmed: 0, damaged: 1, wounded: 2, destroyed: 3 };

/** Return the worst that befalls each side, `ownSeat` first; empty where nobody is struck for certain. */
export function sideFates(board: BoardState, ownSeat: number | null, notes: ReadonlyArray<Note>): SideFate[] {
  const worst = new Map<number, DiskFate>();
  for (const fate of notes.flatMap(({ fates = [] }) => fates)) {
    const known = worst.get(fate.disk);
    if (!known || RANK[fate.fate] >= RANK[known.fate]) worst.set(fate.disk, fate);
  }
  const fates = [...worst.values()];
  if (!fates.some(({ fate }) => fate !== "unharmed")) return [];
  const seatOf = ({ disk }: DiskFate) => board.disks[disk]?.seat ?? 0;
  const seats = [...new Set(fates.map(seatOf))].sort(
    (one, other) => Number(other === ownSeat) - Number(one === ownSeat) || one - other,
  );
  return seats.map((seat) => {
    const ofSeat = fates
      .filter((one) => seatOf(one) === seat)
      .sort((one, other) => RANK[other.fate] - RANK[one.fate] || other.tokens - one.tokens);
    return { seat, fate: ofSeat[0]?.fate ?? "unharmed", ...fateText(board, ofSeat) };
  });
}

function fateText(board: BoardState, fates: ReadonlyArray<DiskFate>): { readonly text: string; readonly name: string } {
  const [worst] = fates;
  if (!worst || worst.fate === "unharmed") return { text: t("fates.unhurt"), name: "" };
  const alike = fates.filter(({ fate }) => fate === worst.fate);
  if (worst.fate !== "damaged" && alike.length > 1)
    return { text: t(`fates.${worst.fate}.many`, { count: alike.length }), name: "" };
  const profile = board.profiles[board.disks[worst.disk]?.profile ?? -1];
  const name = profile?.short_name ?? profile?.name ?? "";
  const text = t(`fates.${worst.fate}`, { name, tokens: worst.tokens, toughness: toughnessOf(board, worst.disk) });
  return { text, name };
}
