// Shapes printed on disks, moved and scaled in numbers: a transform would make each a piece of its own for the compositor.

const PAIR = /(-?\d*\.?\d+)[ ,](-?\d*\.?\d+)/g;
const round = (value: number): number => Math.round(value * 10) / 10;

/** Shapes at the places and scales of a few zooms: all disks share them. */
const MAX_KNOWN = 512;
const known = new Map<string, string>();

/** Move a path to a place and scale it there. It is written in absolute pairs of coordinates only: M, L, C, Z. */
export function printed(path: string, x: number, y: number, scale: number): string {
  const key = `${x} ${y} ${scale} ${path}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  if (known.size >= MAX_KNOWN) known.clear();
  const moved = path.replace(
    PAIR,
    (_, a: string, b: string) => `${round(x + scale * Number(a))} ${round(y + scale * Number(b))}`,
  );
  known.set(key, moved);
  return moved;
}
