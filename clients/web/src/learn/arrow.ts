// Where the sentence of a step stands, and the arrow from it to the thing that it speaks of.

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
export interface Placed {
  /** The upper left corner of the sentence. */
  readonly x: number;
  readonly y: number;
  /** The arrow as a path, and where and in which direction it ends. */
  readonly path: string;
  readonly tip: readonly [x: number, y: number];
  readonly degrees: number;
  /** The middle of the thing. */
  readonly at: readonly [x: number, y: number];
}

const BEARINGS = 16;
const DISTANCES: ReadonlyArray<number> = [56, 84, 120, 170];
/** Between the sentence and the edges of the stage. */
const MARGIN = 10;
/** Between the arrow and the thing. */
const GAP = 8;
const BEND = 0.16;

const overlap = (one: Box, other: Box): number =>
  Math.max(0, Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x)) *
  Math.max(0, Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y));

const grown = ({ x, y, width, height }: Box, by: number): Box => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
});

/**
 * Place a sentence of this size in the stage, near the target and never over it, and over as little as possible of what must be seen.
 * All in pixels of the window.
 */
export function placeArrow(
  target: Box,
  size: { readonly width: number; readonly height: number },
  stage: Box,
  seen: ReadonlyArray<Box>,
): Placed {
  const [cx, cy] = [target.x + target.width / 2, target.y + target.height / 2];
  const clear = grown(target, GAP);
  let best: { readonly box: Box; readonly cost: number } | null = null;
  for (const distance of DISTANCES) {
    for (let k = 0; k < BEARINGS; k += 1) {
      const angle = (2 * Math.PI * k) / BEARINGS;
      const reach = distance + Math.max(target.width, target.height) / 2;
      const box = within(
        {
          x: cx + Math.cos(angle) * (reach + size.width / 2) - size.width / 2,
          y: cy + Math.sin(angle) * (reach + size.height / 2) - size.height / 2,
          ...size,
        },
        stage,
      );
      const covered = seen.reduce((sum, one) => sum + overlap(grown(box, GAP), one), 0);
      const cost = 1e6 * Math.sign(overlap(box, clear)) + 50 * covered + distance;
      if (!best || cost < best.cost) best = { box, cost };
    }
  }
  const box = best?.box ?? { x: stage.x, y: stage.y, ...size };
  return { x: box.x, y: box.y, ...arrowOf(box, target) };
}

function within(box: Box, stage: Box): Box {
  const right = stage.x + stage.width - MARGIN - box.width;
  const bottom = stage.y + stage.height - MARGIN - box.height;
  return {
    ...box,
    x: Math.max(stage.x + MARGIN, Math.min(right, box.x)),
    y: Math.max(stage.y + MARGIN, Math.min(bottom, box.y)),
  };
}

function arrowOf(box: Box, target: Box): Pick<Placed, "at" | "degrees" | "path" | "tip"> {
  const [cx, cy] = [target.x + target.width / 2, target.y + target.height / 2];
  const from: readonly [number, number] = [
    Math.max(box.x, Math.min(box.x + box.width, cx)),
    Math.max(box.y, Math.min(box.y + box.height, cy)),
  ];
  const [dx, dy] = [cx - from[0], cy - from[1]];
  const length = Math.max(1, Math.hypot(dx, dy));
  // A disk is round; a button is met at its nearest edge.
  const isWide = target.width > 1.5 * target.height;
  const rim = isWide
    ? Math.min(Math.abs(target.width / 2 / (dx / length || 1e-6)), Math.abs(target.height / 2 / (dy / length || 1e-6)))
    : target.width / 2;
  const left = Math.max(4, length - rim - GAP);
  const tip: readonly [number, number] = [from[0] + (dx / length) * left, from[1] + (dy / length) * left];
  const bend: readonly [number, number] = [
    (from[0] + tip[0]) / 2 - (dy / length) * left * BEND,
    (from[1] + tip[1]) / 2 + (dx / length) * left * BEND,
  ];
  const degrees = (Math.atan2(tip[1] - bend[1], tip[0] - bend[0]) * 180) / Math.PI;
  return {
    path: `M${from[0].toFixed(1)} ${from[1].toFixed(1)}Q${bend[0].toFixed(1)} ${bend[1].toFixed(1)} ${tip[0].toFixed(1)} ${tip[1].toFixed(1)}`,
    tip,
    degrees,
    at: [cx, cy],
  };
}
