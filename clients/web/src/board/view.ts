// What the table shows of a Diskwars match: plain values, in millimetres, turned so that the own edge is at the bottom.

import type { BoardState, DiskState, MatchState } from "../client/records/match.js";
import { counterOf, movementOf, strengthOf, toughnessOf } from "../rulesets/diskwars/forecast/stats";
import { names, t } from "../messages";
import type { diskwars } from "../protocol/types";
import { disksOverlap } from "./geometry";

export const SEAT_LETTERS = ["a", "b", "c", "d"] as const;
export type SeatLetter = (typeof SEAT_LETTERS)[number];
export const letterOf = (seat: number): SeatLetter => SEAT_LETTERS[seat] ?? "a";

const RACES: Readonly<Record<string, string>> = {
  empire: "empire",
  "high-elf": "elves",
  "high-elves": "elves",
  chaos: "chaos",
  orc: "greens",
  "orcs-and-goblins": "greens",
  orcs: "greens",
  greenskin: "greens",
  dwarf: "dwarfs",
  dwarfs: "dwarfs",
  "dark-elf": "darkelves",
  "dark-elves": "darkelves",
  skaven: "skaven",
  lizardmen: "lizards",
  "wood-elf": "woodelves",
  "wood-elves": "woodelves",
  "vampire-counts": "undead",
  undead: "undead",
};
/** The first trait of a disk that is here gives its picture. */
const KINDS: ReadonlyArray<readonly [trait: string, kind: string]> = [
  ["monster", "mon"],
  ["machine", "mch"],
  ["cavalry", "cav"],
  ["caster", "mag"],
  ["priest", "pri"],
  ["missile", "msl"],
  ["daemon", "dae"],
  ["infantry", "inf"],
];

/** What the board has to know of a token, of whatever ruleset; a snippet of the ruleset draws it. */
export interface BoardToken {
  readonly id: number;
  readonly letter: SeatLetter;
  readonly short: string;
  readonly isEngaged: boolean;
  /** Whether so much of it is covered that it needs a sign beside the stack. */
  readonly isCovered: boolean;
  /** The number of the engagement that it is in, while engagements are resolved. */
  readonly engagement?: number | null;
  readonly x: number;
  readonly y: number;
  readonly r: number;
  readonly damage: number;
  /** Everything that is to know of it, as one sentence. */
  readonly label: string;
}

export interface DiskView extends BoardToken {
  readonly seat: number;
  readonly letter: SeatLetter;
  readonly name: string;
  readonly short: string;
  readonly race: string;
  readonly kind: string;
  readonly traits: string;
  readonly isHero: boolean;
  readonly isElite: boolean;
  readonly isActivated: boolean;
  readonly isEngaged: boolean;
  readonly isActive: boolean;
  /** How many disks lie under this one. */
  readonly depth: number;
  /** Whether so much of it is covered that it needs a sign beside the stack. */
  readonly isCovered: boolean;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly r: number;
  readonly movement: number;
  readonly strength: number;
  readonly counter: number;
  readonly toughness: number;
  readonly change: { readonly strength: number; readonly counter: number; readonly toughness: number };
  readonly damage: number;
  readonly wounds: number;
  readonly stamina: number;
  readonly empowered: boolean;
  readonly weakened: number;
  readonly poisoned: boolean;
  readonly label: string;
  readonly pins: ReadonlyArray<number>;
  readonly pinnedBy: ReadonlyArray<number>;
}

export interface TerrainView {
  readonly name: string;
  /** What it is called and does, in words. */
  readonly tooltip: string;
  readonly points: string;
  readonly corners: ReadonlyArray<readonly [x: number, y: number]>;
  readonly texture: string;
  readonly fill: string;
  readonly blocksSight: boolean;
  readonly icons: ReadonlyArray<string>;
}

export interface ZoneView {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly letter: SeatLetter;
}

export interface PinView {
  readonly top: number;
  readonly bottom: number;
  /** The bearing of the lower disk from the upper one, in degrees. */
  readonly angle: number;
  /** The centres of the upper and the lower disk. */
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
  readonly isEnemy: boolean;
  /** Whether it belongs to the engagement that is chosen or resolved. */
  readonly isMarked: boolean;
}

/** A place of the picture where something would come to lie. */
export interface Ghost {
  readonly x: number;
  readonly y: number;
  readonly r: number;
  readonly label: string;
  readonly isLegal: boolean;
}

/** Why a disk is drawn with a ring, or pale. */
export type Mark = "acting" | "choice" | "dim" | "own_choice" | "own_target" | "ready" | "selected" | "target";
/** The mark of a target, with a warning where it is an own disk that would be harmed. */
export const targetMark = (isChosen: boolean, isOwn: boolean): Mark =>
  isOwn ? (isChosen ? "own_target" : "own_choice") : isChosen ? "target" : "choice";

/** Where the own edge is; the table is turned by this much, so that it is at the bottom. */
export type Turn = 0 | 90 | 180 | 270;

/** Maps places of the field (micrometres, y up) to places of the picture (millimetres, y down), and back. */
export class Projection {
  constructor(
    private readonly field: Pick<diskwars.Field, "height" | "width">,
    readonly turn: Turn,
  ) {}

  get width(): number {
    return (this.turn % 180 === 0 ? this.field.width : this.field.height) / 1000;
  }
  get height(): number {
    return (this.turn % 180 === 0 ? this.field.height : this.field.width) / 1000;
  }

  equals(other: Projection): boolean {
    return this.turn === other.turn && this.width === other.width && this.height === other.height;
  }

  toPicture(x: number, y: number): [x: number, y: number] {
    const { width, height } = this.field;
    const turned: [number, number] =
      this.turn === 0
        ? [x, height - y]
        : this.turn === 180
          ? [width - x, y]
          : this.turn === 90
            ? [y, x]
            : [height - y, width - x];
    return [turned[0] / 1000, turned[1] / 1000];
  }

  toField(px: number, py: number): [x: number, y: number] {
    const { width, height } = this.field;
    const [x, y] = [Math.round(px * 1000), Math.round(py * 1000)];
    return this.turn === 0
      ? [x, height - y]
      : this.turn === 180
        ? [width - x, y]
        : this.turn === 90
          ? [y, x]
          : [width - y, height - x];
  }
}

const TURN_OF_EDGE: Readonly<Record<string, Turn>> = { south: 0, north: 180, west: 270, east: 90 };

export function makeProjection(board: BoardState, seat: number | null): Projection {
  const zone = board.zones.find((one) => one.seat === seat);
  const edge = seat === null ? "south" : (board.layout.edges[seat] ?? zone?.edge ?? edgeOf(zone, board.field));
  return new Projection(board.field, TURN_OF_EDGE[edge] ?? 0);
}

function edgeOf(zone: diskwars.Zone | undefined, field: diskwars.Field): string {
  return zone && (zone.y0 + zone.y1) / 2 > field.height / 2 ? "north" : "south";
}

/** The names of the disks of a match, which never change: its boards share their profiles. */
const namesOf = new WeakMap<object, ReadonlyArray<string>>();

export const diskName = (board: BoardState, id: number): string => {
  let known = namesOf.get(board.profiles);
  if (known?.length !== board.disks.length) {
    known = nameDisks(board);
    namesOf.set(board.profiles, known);
  }
  return known[id] ?? `#${id}`;
};

/** Disks of a side that are alike are numbered. */
function nameDisks({ disks, profiles }: BoardState): string[] {
  return disks.map((disk, id) => {
    const name = profiles[disk.profile]?.name ?? `#${id}`;
    const alike = disks.filter((one) => one.seat === disk.seat && one.profile === disk.profile);
    return alike.length > 1 ? `${name} ${alike.indexOf(disk) + 1}` : name;
  });
}

export const cardName = (board: BoardState, id: string): string =>
  board.cards.find((card) => card.id === id)?.name ?? id;

export function raceOf(profile: diskwars.Profile | undefined): string {
  const race = profile?.race ?? "";
  return RACES[race] ?? Object.entries(RACES).find(([word]) => race.includes(word))?.[1] ?? "empire";
}

export const kindOf = (profile: diskwars.Profile | undefined): string =>
  KINDS.find(([trait]) => profile?.traits?.some((one) => one.includes(trait)))?.[1] ?? "inf";

const circleOf = (board: BoardState, disk: DiskState) => ({
  x: disk.x,
  y: disk.y,
  r: board.profiles[disk.profile]?.radius ?? 0,
});

/** Return the figures of a disk that are in force, and by how much they differ from the printed ones. */
function figures(board: BoardState, { id }: DiskState, profile: diskwars.Profile) {
  const [strength, counter, toughness] = [strengthOf(board, id), counterOf(board, id), toughnessOf(board, id)];
  const change = {
    strength: strength - profile.strength,
    counter: counter - profile.counter_strength,
    toughness: toughness - profile.toughness,
  };
  return { movement: movementOf(board, id), strength, counter, toughness, change };
}

export function makeDisks(
  match: MatchState,
  projection: Projection,
  seatNames: ReadonlyArray<string>,
  own: number | null,
): DiskView[] {
  const { board } = match;
  if (!board) return [];
  const engaged = new Set(
    board.pins.flatMap(({ top, bottom }) =>
      board.disks[top]?.seat === board.disks[bottom]?.seat ? [] : [top, bottom],
    ),
  );
  const laid = board.disks.filter((disk) => disk.place === "battlefield").sort((one, other) => one.z - other.z);
  return laid.map((disk) => diskView(board, disk, projection, laid, engaged, seatNames, own));
}

/** Replace what looks as before by the former object, so that nothing of it is drawn again. */
export function keepSame(before: ReadonlyArray<DiskView>, now: ReadonlyArray<DiskView>): DiskView[] {
  const known = new Map(before.map((disk) => [disk.id, disk]));
  return now.map((disk) => {
    const former = known.get(disk.id);
    return former && JSON.stringify(former) === JSON.stringify(disk) ? former : disk;
  });
}

/** Return a disk of a side as it would look on the table, wherever it is. */
export function faceOf(
  board: BoardState,
  id: number,
  seatNames: ReadonlyArray<string> = [],
  own: number | null = null,
): DiskView | null {
  const disk = board.disks[id];
  return disk ? diskView(board, disk, new Projection(board.field, 0), [], new Set(), seatNames, own) : null;
}

function diskView(
  board: BoardState,
  disk: DiskState,
  projection: Projection,
  laid: ReadonlyArray<DiskState>,
  engaged: ReadonlySet<number>,
  seatNames: ReadonlyArray<string>,
  own: number | null,
): DiskView {
  const profile = board.profiles[disk.profile] as diskwars.Profile;
  const circle = circleOf(board, disk);
  const touching = laid.filter((other) => other !== disk && disksOverlap(circle, circleOf(board, other)));
  const above = touching.filter((other) => other.z > disk.z);
  const pins = board.pins.filter(({ top }) => top === disk.id).map(({ bottom }) => bottom);
  const pinnedBy = board.pins.filter(({ bottom }) => bottom === disk.id).map(({ top }) => top);
  const [x, y] = projection.toPicture(disk.x, disk.y);
  const numbers = figures(board, disk, profile);
  const name = diskName(board, disk.id);
  return {
    id: disk.id,
    seat: disk.seat,
    letter: letterOf(disk.seat),
    name,
    short: profile.short_name ?? profile.name,
    race: raceOf(profile),
    kind: kindOf(profile),
    traits: (profile.traits ?? []).map(capital).join(" · "),
    isHero: profile.kind === "hero",
    isElite: profile.elite ?? false,
    isActivated: disk.activated,
    isEngaged: engaged.has(disk.id),
    engagement: engagementOf(board, disk.id),
    isActive: board.active_disk === disk.id,
    depth: touching.length - above.length,
    isCovered: above.some((other) => covers(circleOf(board, other), circle)),
    x,
    y,
    z: disk.z,
    r: profile.radius / 1000,
    ...numbers,
    damage: disk.damage,
    wounds: disk.wounds,
    stamina: profile.stamina ?? 0,
    empowered: disk.empowered,
    weakened: disk.weakened,
    poisoned: disk.poisoned,
    pins,
    pinnedBy,
    label: label(board, disk, name, numbers.toughness, pins, pinnedBy, seatNames, own),
  };
}

function engagementOf({ engagements }: BoardState, disk: number): number | null {
  const found = engagements.findIndex(
    ({ links, resolved }) =>
      !resolved && links.some(({ attacker, defender }) => attacker === disk || defender === disk),
  );
  return found < 0 ? null : found;
}

function covers(top: { x: number; y: number; r: number }, bottom: { x: number; y: number; r: number }): boolean {
  return Math.hypot(top.x - bottom.x, top.y - bottom.y) < top.r * 0.75;
}

function label(
  board: BoardState,
  disk: DiskState,
  name: string,
  toughness: number,
  pins: number[],
  pinnedBy: number[],
  seatNames: ReadonlyArray<string>,
  own: number | null,
): string {
  const list = (ids: number[]) => names(ids.map((id) => diskName(board, id)));
  return [
    name,
    disk.seat === own ? t("disk.owner.you") : t("disk.owner", { name: seatNames[disk.seat] ?? "" }),
    disk.activated && t("disk.activated"),
    disk.damage > 0 && t("disk.damage", { count: disk.damage, toughness }),
    disk.wounds > 0 && t("disk.wounds", { count: disk.wounds }),
    disk.empowered && t("disk.empowered"),
    disk.weakened > 0 && t("disk.weakened", { count: disk.weakened }),
    disk.poisoned && t("disk.poisoned"),
    pins.length > 0 && t("disk.pins", { names: list(pins) }),
    pinnedBy.length > 0 && t("disk.pinned", { names: list(pinnedBy) }),
  ]
    .filter(Boolean)
    .join(", ");
}

export function makePins(board: BoardState, projection: Projection, engagement: number | null = null): PinView[] {
  const links = engagement === null ? [] : (board.engagements[engagement]?.links ?? []);
  return board.pins.flatMap(({ top, bottom }) => {
    const [upper, lower] = [board.disks[top], board.disks[bottom]];
    if (!upper || !lower) return [];
    const [ux, uy] = projection.toPicture(upper.x, upper.y);
    const [lx, ly] = projection.toPicture(lower.x, lower.y);
    const angle = Math.atan2(ly - uy, lx - ux);
    return [
      {
        top,
        bottom,
        angle: (angle * 180) / Math.PI,
        from: [ux, uy],
        to: [lx, ly],
        isEnemy: upper.seat !== lower.seat,
        isMarked: links.some(({ attacker, defender }) => attacker === top && defender === bottom),
      },
    ];
  });
}

export function makeZones(board: BoardState, projection: Projection): ZoneView[] {
  return board.zones.map(({ x0, y0, x1, y1, seat }) => {
    const [ax, ay] = projection.toPicture(x0, y0);
    const [bx, by] = projection.toPicture(x1, y1);
    return {
      x: Math.min(ax, bx),
      y: Math.min(ay, by),
      width: Math.abs(ax - bx),
      height: Math.abs(ay - by),
      letter: letterOf(seat),
    };
  });
}

const GROUNDS: ReadonlyArray<readonly [word: string, texture: string, fill: string]> = [
  ["wood", "t-wood", "#3f5c37"],
  ["thorn", "t-wood", "#5d7a42"],
  ["mere", "t-water", "#3a6377"],
  ["water", "t-water", "#3a6377"],
  ["fissure", "t-fire", "#3b2745"],
  ["warp", "t-fire", "#3b2745"],
  ["windmill", "t-field", "#b18f52"],
  ["barrow", "t-field", "#83945a"],
  ["gully", "t-field", "#9a7b4c"],
  ["heights", "t-wood", "#5d7a42"],
  ["cave", "t-stone", "#57524c"],
];
const KEYWORD_ICONS: Readonly<Record<string, string>> = {
  blocks_sight: "eyeoff",
  cave: "cave",
  cover: "cover",
  dangerous: "danger",
  fortified: "fort",
  high_ground: "high",
  rough: "rough",
  windmill: "mill",
};

export function makeTerrain(board: BoardState, projection: Projection): TerrainView[] {
  return board.terrain.map(({ terrain, corners }) => {
    const points = corners.map(([x, y]) => projection.toPicture(x, y));
    const [, texture, fill] = GROUNDS.find(([word]) => terrain.id.includes(word)) ?? ["", "t-stone", "#8b8880"];
    const keywords = (terrain.keywords ?? []).map(({ id }) => id);
    return {
      name: terrain.name,
      points: points.map((point) => point.join(" ")).join(" "),
      corners: points,
      texture,
      fill,
      tooltip: [terrain.name, ...keywords.map((id) => t(`ground.${id}`))].join(", "),
      blocksSight: keywords.includes("blocks_sight"),
      icons: keywords.flatMap((id) => KEYWORD_ICONS[id] ?? []),
    };
  });
}

export const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1).replaceAll("-", " ");
