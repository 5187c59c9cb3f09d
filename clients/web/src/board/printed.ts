// Shapes printed on disks, moved and scaled in numbers: a transform would make each a piece of its own for the compositor.

const PAIR = /(-?\d*\.?\d+)[ ,](-?\d*\.?\d+)/g;
const round = (value: number): number => Math.round(value * 10) / 10;

/** Move a path to a place and scale it there. It is written in absolute pairs of coordinates only: M, L, C, Z. */
export function printed(path: string, x: number, y: number, scale: number): string {
  return path.replace(PAIR, (_, a: string, b: string) => `${round(x + scale * Number(a))} ${round(y + scale * Number(b))}`);
}
