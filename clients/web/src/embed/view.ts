// The part of the table that is shown: what a scene is about, with some room around it, and everything once nothing is.

import type { MatchScenes, Piece, Placed, Scene } from "./types";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The least part of the table that is shown, of its longer side. */
const MIN_SHARE = 0.42;
/** Room around what is shown, in radii of a piece. */
const ROOM = 2.5;

/** Return the box of the whole table. */
const tableOf = ({ width, height }: MatchScenes): Box => ({ x: 0, y: 0, width, height });

/** Return the box around some places of pieces; null for none. */
function around(placed: ReadonlyArray<Placed>, pieces: ReadonlyMap<number, Piece>, room: number): Box | null {
  if (!placed.length) return null;
  const edges = placed.map(([id, x, y]) => {
    const reach = (pieces.get(id)?.radius ?? 0) * room;
    return [x - reach, y - reach, x + reach, y + reach] as const;
  });
  const [left, top, right, bottom] = [0, 1, 2, 3].map((side) =>
    Math[side < 2 ? "min" : "max"](...edges.map((edge) => edge[side] ?? 0)),
  ) as [number, number, number, number];
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Return what has changed from one scene to the next: where pieces are that have moved, were hurt or lost, or act. */
export function changedIn(scene: Scene, before: Scene | undefined): ReadonlyArray<Placed> {
  const earlier = new Map(before?.placed.map((one) => [one[0], one]));
  const acting = new Set(scene.actor?.pieces);
  const later = scene.placed.filter((one) => {
    const old = earlier.get(one[0]);
    return !old || acting.has(one[0]) || old[1] !== one[1] || old[2] !== one[2] || old[4] !== one[4];
  });
  const left = (before?.placed ?? []).filter(
    ([id]) => scene.lost?.includes(id) || later.some(([moved]) => moved === id),
  );
  return [...later, ...left];
}

/** Return a box of a shape, `wide` times as wide as high, that holds another and lies on the table where it can. */
export function fitted(box: Box, wide: number, table: Box): Box {
  const [width, height] = [Math.max(box.width, box.height * wide), Math.max(box.height, box.width / wide)];
  const place = (start: number, length: number, size: number, all: number) => {
    const middle = start + length / 2 - size / 2;
    return size >= all ? (all - size) / 2 : Math.min(Math.max(middle, 0), all - size);
  };
  return {
    x: place(box.x, box.width, width, table.width),
    y: place(box.y, box.height, height, table.height),
    width,
    height,
  };
}

const holds = (one: Box, other: Box): boolean =>
  one.x <= other.x &&
  one.y <= other.y &&
  one.x + one.width >= other.x + other.width &&
  one.y + one.height >= other.y + other.height;

/** Return the view of a scene; `now` stays where it shows everything of it. */
export function viewOf(
  match: MatchScenes,
  pieces: ReadonlyMap<number, Piece>,
  place: number,
  wide: number,
  now: Box | null,
): Box {
  const table = tableOf(match);
  const scene = match.scenes[place];
  const isLocal = scene?.kind === "activation" || scene?.kind === "melee";
  const about = scene && isLocal ? around(changedIn(scene, match.scenes[place - 1]), pieces, ROOM) : null;
  if (!about) {
    return fitted(within(around(scene?.placed ?? [], pieces, ROOM) ?? table, table), wide, table);
  }
  if (now && holds(now, within(about, table)) && now.width < table.width * 0.9) return now;
  const least = MIN_SHARE * Math.max(table.width, table.height);
  return fitted(grown(within(about, table), least, Math.min(least, table.height)), wide, table);
}

function within(box: Box, table: Box): Box {
  const [x, y] = [Math.max(0, box.x), Math.max(0, box.y)];
  return {
    x,
    y,
    width: Math.max(1, Math.min(table.width, box.x + box.width) - x),
    height: Math.max(1, Math.min(table.height, box.y + box.height) - y),
  };
}

function grown(box: Box, width: number, height: number): Box {
  const [wide, high] = [Math.max(box.width, width), Math.max(box.height, height)];
  return { x: box.x - (wide - box.width) / 2, y: box.y - (high - box.height) / 2, width: wide, height: high };
}
