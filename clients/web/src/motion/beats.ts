// What of a record is shown as motion: its events as beats, in their order. Everything is taken from facts, nothing from rules.

import type { Point } from "../board/geometry";
import type { BoardState, RecordBody } from "../client/records/match.js";
import type { Draw, diskwars } from "../protocol/types";

const FLIP_MS = 300;
const NEXT_FLIP_MS = 250;
/** The flips of one disk in one record take no longer than that together. */
export const PATH_MS = 1_200;
const DAMAGE_MS = 500;
const PIN_MS = 200;
const REMOVAL_MS = 420;
const SHOT_MS = 180;
const DICE_MS = 740;
const REVEAL_MS = 940;
/** In place of all motion that is reduced, except for what has to be read. */
export const FADE_MS = 120;

/** Cards that are turned up cover the table so long, unless they are closed. */
const REVEAL_HOLD_MS = 2_500;

interface Timed {
  readonly seq: number;
  readonly ms: number;
  readonly holdMs?: number;
}
interface FlipBeat extends Timed {
  readonly kind: "flip";
  readonly disk: number;
  readonly from: Point;
  readonly to: Point;
  readonly r: number;
}
interface Hit {
  readonly x: number;
  readonly y: number;
  readonly r: number;
  readonly amount: number;
}
export type MotionBeat =
  | FlipBeat
  | (Timed & { readonly kind: "damage"; readonly hits: ReadonlyArray<Hit> })
  | (Timed & {
      readonly kind: "pins";
      readonly places: ReadonlyArray<{ readonly from: Point; readonly to: Point; readonly r: number }>;
    })
  | (Timed & {
      readonly kind: "removal";
      readonly disks: ReadonlyArray<{
        readonly disk: number;
        readonly x: number;
        readonly y: number;
        readonly r: number;
      }>;
    })
  | (Timed & {
      readonly kind: "arrival";
      readonly disk: number;
      readonly x: number;
      readonly y: number;
      readonly r: number;
    })
  | (Timed & { readonly kind: "shot"; readonly from: Point; readonly to: Point })
  | (Timed & { readonly kind: "dice"; readonly roll: DiceRoll })
  | (Timed & {
      readonly kind: "reveal";
      readonly cards: ReadonlyArray<diskwars.RevealedCard>;
      readonly rules: ReadonlyArray<string>;
    })
  | (Timed & { readonly kind: "banner"; readonly round: number | null; readonly phase: string | null })
  | (Timed & {
      readonly kind: "fade";
      readonly disks: ReadonlyArray<{
        readonly disk: number;
        readonly x: number;
        readonly y: number;
        readonly r: number;
      }>;
    });

/** Dice that were rolled: for what, by whom, at whom, and what came of it. */
export interface DiceRoll {
  readonly seq: number;
  readonly event: diskwars.Event;
  readonly draws: ReadonlyArray<Draw>;
  readonly disk: number | null;
  readonly target: number | null;
}

type Places = Map<number, { x: number; y: number }>;

const radius = (board: BoardState, disk: number): number =>
  board.profiles[board.disks[disk]?.profile ?? -1]?.radius ?? 0;

/** Return the beats of a record. `board` is the board before it. */
export function beatsOf(seq: number, { events = [] }: Pick<RecordBody, "events">, board: BoardState): MotionBeat[] {
  const beats: MotionBeat[] = [];
  const places: Places = new Map(
    board.disks.flatMap(({ id, x, y, place }) => (place === "battlefield" ? [[id, { x, y }]] : [])),
  );
  const flips = events.filter(({ type }) => type === "disk_flipped").length;
  const flipMs = (isFirst: boolean) => Math.min(isFirst ? FLIP_MS : NEXT_FLIP_MS, PATH_MS / Math.max(1, flips));
  let isFirst = true;
  for (const event of events) {
    if (event.type === "disk_flipped") {
      const from = places.get(event.disk);
      if (from)
        beats.push({
          kind: "flip",
          seq,
          ms: flipMs(isFirst),
          disk: event.disk,
          from: [from.x, from.y],
          to: [event.x, event.y],
          r: radius(board, event.disk),
        });
      isFirst = false;
      places.set(event.disk, { x: event.x, y: event.y });
      beats.push(...pinBeats(seq, board, places, event.pins_gained));
    } else if (event.type === "disk_reinforced") {
      beats.push({
        kind: "arrival",
        seq,
        ms: FLIP_MS,
        disk: event.disk,
        x: event.x,
        y: event.y,
        r: radius(board, event.disk),
      });
      places.set(event.disk, { x: event.x, y: event.y });
    } else if (event.type === "damage_dealt") addHit(beats, seq, board, places, event);
    else beats.push(...otherBeats(seq, event, board, places));
  }
  return beats;
}

function pinBeats(seq: number, board: BoardState, places: Places, pins: ReadonlyArray<diskwars.Pin>): MotionBeat[] {
  const shown = pins.flatMap(({ top, bottom }) => {
    const [from, to] = [places.get(top), places.get(bottom)];
    return from && to ? [{ from: [from.x, from.y] as const, to: [to.x, to.y] as const, r: radius(board, top) }] : [];
  });
  return shown.length ? [{ kind: "pins", seq, ms: PIN_MS, places: shown }] : [];
}

/** Damage that is dealt at once is shown at once: that of a volley, and all blows of a speed. */
function addHit(
  beats: MotionBeat[],
  seq: number,
  board: BoardState,
  places: Places,
  { disk, taken }: diskwars.DamageDealt,
): void {
  const at = places.get(disk);
  if (!at || taken === 0) return;
  const hit: Hit = { ...at, r: radius(board, disk), amount: taken };
  const last = beats.at(-1);
  if (last?.kind === "damage" && !last.hits.some(({ x, y }) => x === at.x && y === at.y))
    beats[beats.length - 1] = { ...last, hits: [...last.hits, hit] };
  else beats.push({ kind: "damage", seq, ms: DAMAGE_MS, hits: [hit] });
}

function otherBeats(seq: number, event: diskwars.Event, board: BoardState, places: Places): MotionBeat[] {
  const pointOf = (disk: number): Point | null => {
    const at = places.get(disk);
    return at ? [at.x, at.y] : null;
  };
  switch (event.type) {
    case "disks_removed":
    case "disks_withdrawn": {
      const disks = event.disks.flatMap((disk) => {
        const at = places.get(disk);
        places.delete(disk);
        return at ? [{ disk, ...at, r: radius(board, disk) }] : [];
      });
      return disks.length ? [{ kind: "removal", seq, ms: REMOVAL_MS, disks }] : [];
    }
    case "cards_revealed":
      return [
        {
          kind: "reveal",
          seq,
          ms: REVEAL_MS,
          holdMs: REVEAL_HOLD_MS,
          cards: event.cards,
          rules: event.reasons.map(({ rule }) => rule),
        },
      ];
    case "round_began":
      return [{ kind: "banner", seq, ms: 0, round: event.round, phase: null }];
    case "phase_began":
      return event.phase === "setup" ? [] : [{ kind: "banner", seq, ms: 0, round: null, phase: event.phase }];
    case "shot_fired": {
      const [from, to] = [pointOf(event.attack.shooter), pointOf(event.attack.target)];
      return [...(from && to ? [{ kind: "shot" as const, seq, ms: SHOT_MS, from, to }] : []), ...diceBeats(seq, event)];
    }
    default:
      return diceBeats(seq, event);
  }
}

function diceBeats(seq: number, event: diskwars.Event): MotionBeat[] {
  const roll = rollOf(seq, event);
  return roll ? [{ kind: "dice", seq, ms: DICE_MS, roll }] : [];
}

/** Return the dice of an event; null where it rolled none. */
function rollOf(seq: number, event: diskwars.Event): DiceRoll | null {
  switch (event.type) {
    case "initiative_rolled":
      return { seq, event, draws: [event.dice], disk: null, target: null };
    case "shot_fired":
      return {
        seq,
        event,
        draws: [...(event.strength_dice ? [event.strength_dice] : []), event.dice],
        disk: event.attack.shooter,
        target: event.attack.target,
      };
    case "shot_scattered":
      return event.dice
        ? { seq, event, draws: [event.dice], disk: event.attack.shooter, target: event.disk ?? null }
        : null;
    case "ability_used": {
      const draws = [event.dice, event.unstable_dice].flatMap((draw) => draw ?? []);
      return draws.length ? { seq, event, draws, disk: event.disk, target: event.target ?? null } : null;
    }
    case "trigger_resolved":
      return event.dice
        ? { seq, event, draws: [event.dice], disk: event.trigger.disk, target: event.target ?? event.trigger.enemy }
        : null;
    case "impact_rolled":
      return event.dice
        ? { seq, event, draws: [event.dice], disk: event.disk, target: event.targets[0] ?? null }
        : null;
    case "guard_rolled":
      return event.dice ? { seq, event, draws: [event.dice], disk: event.disk, target: event.enemy } : null;
    case "danger_rolled":
      return { seq, event, draws: [event.dice], disk: event.disk, target: null };
    default:
      return null;
  }
}

/** Return the beats where motion is reduced: where something moved or left, what was there fades once; what is to be read stays. */
export function reducedBeats(beats: ReadonlyArray<MotionBeat>): MotionBeat[] {
  const gone = new Map<number, { disk: number; x: number; y: number; r: number }>();
  for (const beat of beats) {
    const left =
      beat.kind === "flip"
        ? [{ disk: beat.disk, x: beat.from[0], y: beat.from[1], r: beat.r }]
        : beat.kind === "removal"
          ? beat.disks
          : [];
    for (const one of left) if (!gone.has(one.disk)) gone.set(one.disk, one);
  }
  const [first] = beats;
  const read = beats.filter(
    ({ kind }) => kind === "banner" || kind === "damage" || kind === "dice" || kind === "reveal",
  );
  return [
    ...(first && gone.size ? [{ kind: "fade" as const, seq: first.seq, ms: FADE_MS, disks: [...gone.values()] }] : []),
    ...read.map((beat) => (beat.kind === "damage" ? beat : { ...beat, ms: Math.min(beat.ms, FADE_MS) })),
  ];
}
