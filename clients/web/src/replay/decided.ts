// What decided a match: the chances of a seat over its records, and the deeds by which they changed most.

import type { BoardState, RecordBody } from "../client/records/match.js";
import type { diskwars } from "../protocol/types";
import { worth } from "./strength";

/** How a disk was lost: the damage of the deed and that of before, against which toughness, and by whom. */
export interface Loss {
  readonly disk: number;
  readonly taken: number;
  readonly before: number;
  readonly toughness: number;
  readonly by: ReadonlyArray<number>;
  /** Null without damage in this deed: then `without` says why. */
  readonly kind: diskwars.Cause["kind"] | null;
  /** It never left the reserve, it was wounded or weakened by an ability, or what raised its toughness is gone. */
  readonly without: "ability" | "reserve" | "toughness" | null;
}
type Leaving = diskwars.DisksRemoved | diskwars.ReservesLost;

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
      const owner = board.disks[disk]?.seat ?? 0;
      strengths[owner] = (strengths[owner] ?? 0) - worth(board, disk);
    }
    const after = chanceOf(strengths, seat);
    if (steps.at(-1)?.[0] === seq) steps.pop();
    steps.push([seq, after]);
    return after;
  };
  const lose = (seq: number, event: Leaving) => {
    const { disks } = event;
    const before = chanceOf(strengths, seat);
    const after = withdraw(seq, disks);
    if (begun.deed !== null) deeds[begun.deed] = { ...(deeds[begun.deed] as Deed), after };
    else {
      begun.deed = deeds.length;
      deeds.push({ seq, kind: begun.kind, round, lost: [], before, after });
    }
    const deed = deeds[begun.deed] as Deed;
    deeds[begun.deed] = { ...deed, lost: [...deed.lost, ...disks.map((disk) => lossOf(disk, begun.hits, event))] };
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
      else if (event.type === "disks_removed" || event.type === "reserves_lost") lose(place + 1, event);
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

function lossOf(disk: number, hits: ReadonlyArray<diskwars.DamageDealt>, event: Leaving): Loss {
  const own = hits.filter((hit) => hit.disk === disk);
  const last = own.at(-1);
  if (!last) return lossWithout(disk, event);
  const by = own.flatMap(({ sources = [], cause }) =>
    sources.length ? sources : cause?.disk === undefined || cause.disk === null ? [] : [cause.disk],
  );
  const taken = own.reduce((sum, hit) => sum + hit.taken, 0);
  return {
    disk,
    taken,
    before: Math.max(0, last.tokens - taken),
    toughness: last.toughness,
    by: [...new Set(by)],
    kind: last.sources?.length ? "melee" : (last.cause?.kind ?? null),
    without: null,
  };
}

/** Return how a disk was lost that nothing has hit in this deed. */
function lossWithout(disk: number, event: Leaving): Loss {
  const cause = event.type === "disks_removed" ? event.cause : undefined;
  const without =
    event.type === "reserves_lost" ? "reserve" : cause?.kind.endsWith("_ability") ? "ability" : "toughness";
  return {
    disk,
    taken: 0,
    before: 0,
    toughness: 0,
    by: without === "ability" && cause?.disk !== undefined ? [cause.disk] : [],
    kind: null,
    without,
  };
}

/** Return the records that were taken back. */
function takenBack(bodies: ReadonlyArray<RecordBody>): ReadonlySet<number> {
  const undone = new Set<number>();
  for (const [place, { taken_back_to: back }] of bodies.entries())
    if (back !== undefined) for (let seq = back + 1; seq <= place; seq += 1) undone.add(seq);
  return undone;
}
