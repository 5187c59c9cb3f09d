// What each seat scores: now, as the board stands (R17.3), and at the end, as the record of the scoring says.

import { isInside } from "../../../board/geometry";
import type { BoardState, RecordBody } from "../../../client/records/match.js";
import type { Reason } from "../../../protocol/types";
import { QUICK_OBJECTIVE, type ObjectivePart } from "./objective";
import { circleOf, gapOf, isFielded, profileOf } from "../forecast/position";

export interface PartScore {
  readonly part: ObjectivePart;
  readonly points: number;
}
export interface SeatObjective {
  /** The scenario card; empty in a quick set-up, where everybody scores the same. */
  readonly name: string;
  readonly parts: ReadonlyArray<ObjectivePart>;
}

/** Return what a seat scores by; null while its card is hidden from the reader. */
export function objectiveOf(board: BoardState, seat: number): SeatObjective | null {
  if (!board.layout.scenarios.length) return { name: "", parts: QUICK_OBJECTIVE };
  const id = board.sides[seat]?.objective;
  const card = board.layout.scenarios.find((one) => one.id === id);
  return card ? { name: card.name, parts: card.objective } : null;
}

/** Return what each part of an objective would score now. */
export function scoreNow(board: BoardState, seat: number, parts: ReadonlyArray<ObjectivePart>): PartScore[] {
  return parts.map((part) => ({ part, points: board.sides[seat]?.eliminated ? 0 : pointsOf(board, seat, part) }));
}

function pointsOf(board: BoardState, seat: number, part: ObjectivePart): number {
  const own = board.disks.filter((disk) => disk.seat === seat && isFielded(disk));
  // only disks in a casualty pile count as destroyed, and they count for each of their enemies.
  const fallen = board.disks
    .filter((disk) => disk.seat !== seat && disk.place === "casualty")
    .map(({ id }) => profileOf(board, id));
  const points = "points" in part ? part.points : 1;
  switch (part.type) {
    case "slay_units":
      return Math.floor(
        fallen.filter(({ kind }) => kind === "unit").reduce((sum, { cost = 0 }) => sum + cost, 0) / part.cost,
      );
    case "slay_heroes":
      return points * fallen.filter(({ kind }) => kind === "hero").length;
    case "slay_elite":
      return points * fallen.filter(({ elite }) => elite).length;
    case "hold_zones":
      return (
        points *
        own.filter(({ id }) => board.zones.some((zone) => zone.seat !== seat && isInside(circleOf(board, id), zone)))
          .length
      );
    case "hold_terrain":
      return points * board.terrain.filter((_, number) => controllerOf(board, number) === seat).length;
    case "hold_middle": {
      const middle = { x: Math.floor(board.field.width / 2), y: Math.floor(board.field.height / 2), r: 0 };
      return points * own.filter(({ id }) => gapOf(circleOf(board, id), middle) <= board.field.short).length;
    }
    case "survive":
      return points * own.length;
  }
}

/** R10.2: the only seat with disks on a piece controls it. */
function controllerOf(board: BoardState, number: number): number | null {
  const owners = new Set(
    board.disks.filter((disk) => isFielded(disk) && disk.terrain.includes(number)).map(({ seat }) => seat),
  );
  return owners.size === 1 ? ([...owners][0] ?? null) : null;
}

export interface SeatScore {
  /** Null while what the seat scores by is hidden. */
  readonly points: number | null;
  readonly parts: ReadonlyArray<PartScore>;
}

/** Return what each seat scored; where a match ended without a scoring, such as by an elimination, what the table would have given it. */
export function finalScores(board: BoardState, bodies: ReadonlyArray<RecordBody>): ReadonlyArray<SeatScore> {
  const scored = scoredParts(bodies);
  return board.sides.map((side, seat) => {
    const objective = objectiveOf(board, seat);
    if (!scored) {
      const parts = objective ? scoreNow(board, seat, objective.parts) : [];
      return { points: objective && parts.reduce((sum, { points }) => sum + points, 0), parts };
    }
    return {
      points: side.points,
      parts: (objective?.parts ?? []).map((part) => ({ part, points: scored.get(seat)?.[part.type] ?? 0 })),
    };
  });
}

/** Return what the scoring at the end gave each seat, by the type of a part; null before it. Parts of one type are added up. */
export function scoredParts(
  bodies: ReadonlyArray<RecordBody>,
): ReadonlyMap<number, Readonly<Record<string, number>>> | null {
  const scored = bodies.flatMap(({ events = [] }) => events).findLast((event) => event.type === "scored");
  if (scored?.type !== "scored") return null;
  return new Map(
    (scored.reasons as ReadonlyArray<Reason>).flatMap(({ numbers }) => {
      const { seat, ...parts } = (numbers ?? {}) as Record<string, number>;
      return seat === undefined ? [] : [[seat, parts] as const];
    }),
  );
}
