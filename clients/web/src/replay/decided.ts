// What decided a match: the chances of a seat over its records, and the deeds by which they changed most.

import type { BoardState, RecordBody } from "../client/records/match.js";
import type { diskwars } from "../protocol/types";
import { worth } from "./strength";

/** How a disk was lost: the damage of the deed, against which toughness, and by whom. */
interface Loss {
  readonly disk: number;
  readonly taken: number;
  readonly toughness: number;
  readonly by: ReadonlyArray<number>;
  readonly kind: diskwars.Cause["kind"] | "melee" | null;
}

/** An activation, an engagement, or what belongs to neither: all that happens until the next one begins. */
export interface Deed {
  /** The record in which it cost the first disk. */
  readonly seq: number;
  readonly kind: "activation" | "engagement" | "other";
  readonly round: number;
  readonly lost: ReadonlyArray<Loss>;
  /** The chance of the seat before it and after it, from 0 to 1. */
  readonly before: number;
  readonly after: number;
}

export interface Decided {
  /** Where the chance changes: the record, and the chance from there on. The first is the beginning. */
  readonly steps: ReadonlyArray<readonly [seq: number, chance: number]>;
  /** In the order in which they happened. */
  readonly moments: ReadonlyArray<Deed>;
}

export const MAX_MOMENTS = 3;
/** Less than this decides nothing. */
const LEAST_CHANGE = 0.005;

/**
 * Return the chance of winning that the strengths of all seats give one: its share of their squares. Twice as strong is four times
 * as likely. Places, objectives and cards are not looked at.
 */
export function chanceOf(strengths: ReadonlyArray<number>, seat: number): number {
  const sum = strengths.reduce((total, one) => total + one * one, 0);
  return sum ? (strengths[seat] ?? 0) ** 2 / sum : 1 / Math.max(1, strengths.length);
}

/** Return what decided a match for a seat: for a winner what raised its chance most, for others what lowered it. `board` is any board of it. */
export function decidedFor(
  bodies: ReadonlyArray<RecordBody>,
  board: BoardState,
  seat: number,
  isWinner: boolean,
): Decided {
  const strengths = board.sides.map((side) =>
    board.disks.filter((disk) => disk.seat === side.seat).reduce((sum, { id }) => sum + worth(board, id), 0),
  );
  const steps: (readonly [number, number])[] = [[1, chanceOf(strengths, seat)]];
  const deeds: Deed[] = [];
  let begun: Begun = begin("other");
  let round = 0;
  const withdraw = (seq: number, disks: ReadonlyArray<number>): number => {
    for (const disk of disks) {
      const of = board.disks[disk]?.seat ?? 0;
      strengths[of] = (strengths[of] ?? 0) - worth(board, disk);
    }
    const after = chanceOf(strengths, seat);
    if (steps.at(-1)?.[0] === seq) steps.pop();
    steps.push([seq, after]);
    return after;
  };
  const lose = (seq: number, disks: ReadonlyArray<number>) => {
    const before = chanceOf(strengths, seat);
    const after = withdraw(seq, disks);
    if (begun.deed !== null) deeds[begun.deed] = { ...(deeds[begun.deed] as Deed), after };
    else {
      begun.deed = deeds.length;
      deeds.push({ seq, kind: begun.kind, round, lost: [], before, after });
    }
    const deed = deeds[begun.deed] as Deed;
    deeds[begun.deed] = { ...deed, lost: [...deed.lost, ...disks.map((disk) => lossOf(disk, begun.hits))] };
  };
  const undone = takenBack(bodies);
  for (const [place, { events = [] }] of bodies.entries()) {
    if (undone.has(place + 1)) continue;
    for (const event of events as ReadonlyArray<diskwars.Event>) {
      if (event.type === "round_began") [round, begun] = [event.round, begin("other")];
      else if (event.type === "activation_began") begun = begin("activation");
      else if (event.type === "engagement_began") begun = begin("engagement");
      else if (event.type === "phase_began" || event.type === "engagement_ended") begun = begin("other");
      else if (event.type === "damage_dealt") begun.hits.push(event);
      else if (event.type === "disks_removed" || event.type === "reserves_lost") lose(place + 1, event.disks);
      // Disks of a player who resigned leave too: that ended it, and decided nothing.
      else if (event.type === "disks_withdrawn") withdraw(place + 1, event.disks);
    }
  }
  const rise = ({ before, after }: Deed) => (isWinner ? after - before : before - after);
  const moments = deeds
    .filter((deed) => rise(deed) >= LEAST_CHANGE)
    .sort((one, other) => rise(other) - rise(one))
    .slice(0, MAX_MOMENTS)
    .sort((one, other) => one.seq - other.seq);
  return { steps, moments };
}

interface Begun {
  readonly kind: Deed["kind"];
  readonly hits: diskwars.DamageDealt[];
  /** Its place among the deeds, once it has cost a disk. */
  deed: number | null;
}
const begin = (kind: Deed["kind"]): Begun => ({ kind, hits: [], deed: null });

function lossOf(disk: number, hits: ReadonlyArray<diskwars.DamageDealt>): Loss {
  const own = hits.filter((hit) => hit.disk === disk);
  const last = own.at(-1);
  const by = own.flatMap(({ sources = [], cause }) =>
    sources.length ? sources : cause?.disk === undefined || cause.disk === null ? [] : [cause.disk],
  );
  return {
    disk,
    taken: own.reduce((sum, { taken }) => sum + taken, 0),
    toughness: last?.toughness ?? 0,
    by: [...new Set(by)],
    kind: last ? (last.sources?.length ? "melee" : (last.cause?.kind ?? null)) : null,
  };
}

/** Return the records that were taken back. */
function takenBack(bodies: ReadonlyArray<RecordBody>): ReadonlySet<number> {
  const undone = new Set<number>();
  for (const [place, { taken_back_to: back }] of bodies.entries())
    if (back !== undefined) for (let seq = back + 1; seq <= place; seq += 1) undone.add(seq);
  return undone;
}
