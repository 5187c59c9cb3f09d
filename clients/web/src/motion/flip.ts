// A flip as it looks from above: the disk turns about the tangent at the edge that stays on the table, and lands one diameter away.

import type { Point } from "../board/geometry";

const FRAMES = 12;
/** How much nearer the disk is to the eye where it stands on its edge. */
const LIFT = 0.14;
/** How far its shadow falls then, in parts of the radius. */
const SHADOW = 0.55;

/** Return transforms of a disk about its own middle, in px: first lying where it was, in the middle on edge, at last where it lands. */
export function flipTransforms(from: Point, to: Point): string[] {
  return frames((share) => {
    const { x, y, angle, width, height } = turned(from, to, share);
    const lift = 1 + LIFT * height;
    return `translate(${round(x)}px, ${round(y)}px) rotate(${angle}rad) scale(${round(width * lift)}, ${round(lift)}) rotate(${-angle}rad)`;
  });
}

/** Return transforms of its shadow: beside it while it stands, beneath it when it lands. */
export function shadowTransforms(from: Point, to: Point): string[] {
  const r = Math.hypot(to[0] - from[0], to[1] - from[1]) / 2;
  return frames((share) => {
    const { x, y, angle, width, height } = turned(from, to, share);
    const off = SHADOW * r * height;
    return `translate(${round(x + 0.5 * off)}px, ${round(y + off)}px) rotate(${angle}rad) scale(${round(Math.max(0.12, width))}, 1) rotate(${-angle}rad)`;
  });
}

const frames = (at: (share: number) => string): string[] =>
  Array.from({ length: FRAMES + 1 }, (_, k) => at(k / FRAMES));
const round = (value: number): number => Math.round(value * 1000) / 1000;

function turned(from: Point, to: Point, share: number) {
  const turn = Math.PI * share;
  // The middle of the disk goes over the edge in a half circle: seen from above, as the cosine.
  const along = (1 - Math.cos(turn)) / 2;
  return {
    x: from[0] + (to[0] - from[0]) * along,
    y: from[1] + (to[1] - from[1]) * along,
    angle: Math.atan2(to[1] - from[1], to[0] - from[0]),
    width: Math.abs(Math.cos(turn)),
    height: Math.sin(turn),
  };
}
