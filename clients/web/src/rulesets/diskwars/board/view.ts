// What the table shows of a Diskwars match: plain values, in millimetres, turned so that the own edge is at the bottom.

import type { Badge } from "../../../board/badges";
import { disksOverlap } from "../../../board/geometry";
import { Projection } from "../../../board/projection";
import type { DiskView, PinView, TerrainView, ZoneView } from "../../../board/view";
import type { BoardState, DiskState, MatchState } from "../../../client/records/match.js";
import { letterOf } from "../../../client/records/seats";
import { kindOf, raceOf } from "../../../lists/races";
import { capital, names, t } from "../../../messages";
import type { diskwars } from "../../../protocol/types";
import { counterOf, movementOf, strengthOf, toughnessOf } from "../forecast/stats";
import { diskName } from "../names";

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

/** Return the numbers of the engagements that are left, with the disks that still lie in them. */
export function makeBadges(
  { engagements, phase }: BoardState,
  chosen: number | null,
  legal: ReadonlyArray<number> | null,
): Badge[] {
  if (phase !== "melee") return [];
  return engagements.flatMap(({ links, resolved }, number) => {
    if (resolved) return [];
    const state = number === chosen ? "chosen" : legal && !legal.includes(number) ? "waits" : "open";
    return [{ number: number + 1, state, disks: links.flatMap(({ attacker, defender }) => [attacker, defender]) }];
  });
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
