// The puzzles that came with the page: one a day, and which of them were solved on this device.

import { readFile } from "../client/records/records.js";
import { MatchStream } from "../client/stream";

/** An answer to the question of a puzzle, and the part of its play-outs that the seat won with it, per mille. */
interface PuzzleChoice {
  readonly action: unknown;
  readonly wins: number;
}

/** A position, the seat that has to act, and the answers among which one is far better than the others. */
export interface Puzzle {
  readonly puzzle: string;
  readonly ruleset: string;
  readonly seat: number;
  readonly choices: ReadonlyArray<PuzzleChoice>;
  readonly play_outs: number;
  readonly error: number;
  /** A match file that ends at the position. */
  readonly file: string;
}

const FILES: Readonly<Record<string, string>> = import.meta.glob(
  "../../../../server/diskwars_content/puzzles/files/*.json",
  { query: "?url", import: "default", eager: true },
);
const FIRST_DAY = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
const KEPT_KEY = "diskwars.puzzles";

const idOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1, -".json".length);
const numberOf = (id: string): string => id.slice(id.lastIndexOf("-") + 1);
const PATHS = new Map(Object.keys(FILES).map((path) => [idOf(path), path]));

/** The ids of all puzzles in the order of their days: the games take turns. */
export const PUZZLES: ReadonlyArray<string> = [...PATHS.keys()].sort((one, other) =>
  numberOf(one) === numberOf(other) ? (one < other ? -1 : 1) : numberOf(one) < numberOf(other) ? -1 : 1,
);

/** The puzzle of a day in UTC, which is the same for everybody. */
export function puzzleOfDay(nowMs: number): string {
  const day = Math.floor((nowMs - FIRST_DAY) / DAY_MS);
  return PUZZLES[((day % PUZZLES.length) + PUZZLES.length) % PUZZLES.length] ?? "";
}

export const gameOf = (id: string): string => id.slice(0, id.lastIndexOf("-")).replaceAll("-", "_");
export const puzzleAfter = (id: string): string => PUZZLES[(PUZZLES.indexOf(id) + 1) % PUZZLES.length] ?? "";

/** Return a puzzle; null where there is none of this id. Throws where it cannot be loaded. */
export async function loadPuzzle(id: string): Promise<Puzzle | null> {
  const path = PATHS.get(id);
  if (path === undefined) return null;
  const answer = await fetch(FILES[path] ?? "");
  if (!answer.ok) throw new Error(`puzzle ${id}: ${answer.status}`);
  return (await answer.json()) as Puzzle;
}

/** The position of a puzzle, as the match in which it came up. */
export function positionOf({ file, seat }: Puzzle): MatchStream {
  const read = readFile(new TextEncoder().encode(file));
  if (!read.header) throw new Error("a puzzle has no header");
  const stream = MatchStream.ofFile({ ...read, header: read.header });
  stream.seat = seat;
  return stream;
}

/** The place of the answer that wins most often. */
export const bestOf = ({ choices }: Puzzle): number =>
  choices.reduce((best, { wins }, place) => (wins > (choices[best]?.wins ?? 0) ? place : best), 0);

export type Outcome = "failed" | "solved";

/** How the puzzles ended that were tried on this device; the first answer counts. */
export function triedPuzzles(): Readonly<Record<string, Outcome>> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT_KEY) ?? "{}");
    const entries = Object.entries(kept ?? {}).filter(
      ([id, outcome]) => PATHS.has(id) && (outcome === "failed" || outcome === "solved"),
    );
    return Object.fromEntries(entries) as Record<string, Outcome>;
  } catch {
    return {};
  }
}

export function keepOutcome(id: string, outcome: Outcome): void {
  const before = triedPuzzles();
  if (before[id]) return;
  try {
    localStorage.setItem(KEPT_KEY, JSON.stringify({ ...before, [id]: outcome }));
  } catch {
    // Without storage it is asked again.
  }
}
