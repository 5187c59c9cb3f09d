// Reads a match from the server, as everybody may see it: without cookies and without a token.

import type { MatchScenes } from "./types";

export type FaultKind = "unknown" | "hidden" | "nothing" | "busy" | "away";
const KINDS: Readonly<Record<string, FaultKind>> = {
  unknown_match: "unknown",
  wrong_shape: "unknown",
  not_watchable: "hidden",
  locked: "hidden",
  no_board: "nothing",
  no_pictures: "nothing",
  busy: "busy",
  unavailable: "busy",
};
const MIN_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;

/** Why a match is not shown, and after how long it may be. */
export class Fault extends Error {
  constructor(
    readonly kind: FaultKind,
    readonly waitMs = MIN_WAIT_MS,
  ) {
    super(kind);
  }
}

export interface Shown {
  readonly scenes: MatchScenes;
  /** By seat; empty for a seat whose player has no name. */
  readonly players: ReadonlyArray<string>;
}

interface Summary {
  readonly seats: ReadonlyArray<{ readonly player?: string | null; readonly bot?: string | null }>;
}
interface Names {
  readonly players: ReadonlyArray<{ readonly player: string; readonly name: string }>;
}

async function read<Answer>(path: string): Promise<Answer> {
  let answer: Response;
  try {
    answer = await fetch(`/api/v1${path}`, { credentials: "omit" });
  } catch {
    throw new Fault("away");
  }
  if (answer.ok) return (await answer.json()) as Answer;
  const seconds = Number(answer.headers.get("Retry-After"));
  const waitMs = Math.min(Math.max(seconds * 1000 || MIN_WAIT_MS, MIN_WAIT_MS), MAX_WAIT_MS);
  const problem = (await answer.json().catch(() => ({}))) as { readonly code?: string };
  throw new Fault(answer.status === 429 ? "busy" : (KINDS[problem.code ?? ""] ?? "away"), waitMs);
}

/** Return a match. Raises Fault. Without names it is shown all the same. */
export async function fetchMatch(match: string): Promise<Shown> {
  const path = `/matches/${encodeURIComponent(match)}`;
  const [scenes, players] = await Promise.all([read<MatchScenes>(`${path}/scenes`), namesOf(path).catch(() => [])]);
  return { scenes, players };
}

async function namesOf(path: string): Promise<ReadonlyArray<string>> {
  const { seats } = await read<Summary>(path);
  const ids = seats.flatMap(({ player, bot }) => (player && !bot ? [player] : []));
  const query = ids.map((id) => `players=${encodeURIComponent(id)}`).join("&");
  const found = ids.length ? (await read<Names>(`/names?${query}`)).players : [];
  const known = new Map(found.map(({ player, name }) => [player, name]));
  return seats.map(({ player, bot }) => bot ?? known.get(player ?? "") ?? "");
}
