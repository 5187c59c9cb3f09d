// The picture of a player, drawn from the seed that the server derives from their id: a disk with a field and a charge.

/** A drawing within a circle of radius 16 about the origin. */
export interface Avatar {
  readonly field: string;
  readonly charge: string;
  readonly path: string;
  /** In degrees. */
  readonly turn: number;
}

const HUES = 18;
const LIGHTNESS = [30, 42] as const;
const TURNS = [0, 45, 90, 135] as const;
/** Each within the circle, so that nothing has to be cut off. */
const PATHS = [
  "M0-15A15 15 0 0 1 0 15Z",
  "M0 0V-15A15 15 0 0 1 15 0ZM0 0V15A15 15 0 0 1-15 0Z",
  "M-14-5.4H14A15 15 0 0 1 14 5.4H-14A15 15 0 0 1-14-5.4Z",
  "M0-10A10 10 0 0 1 0 10 10 10 0 0 1 0-10ZM0-5A5 5 0 0 0 0 5 5 5 0 0 0 0-5Z",
  "M-12 4 0-9 12 4V9L0-3-12 9Z",
  "M0-13 8 0 0 13-8 0Z",
  "M0-12A4 4 0 0 1 0-4 4 4 0 0 1 0-12ZM-8 2A4 4 0 0 1-8 10 4 4 0 0 1-8 2ZM8 2A4 4 0 0 1 8 10 4 4 0 0 1 8 2Z",
  "M-3-14H3V-3H14V3H3V14H-3V3H-14V-3H-3Z",
  "M0-14 4-4 14 0 4 4 0 14-4 4-14 0-4-4Z",
] as const;

/** Return the picture of a seed, a whole number from 0: the same for everybody, for ever. */
export function avatarOf(seed: number): Avatar {
  let rest = Math.max(0, Math.floor(seed));
  const take = (count: number): number => {
    const part = rest % count;
    rest = Math.floor(rest / count);
    return part;
  };
  const hue = take(HUES);
  const path = PATHS[take(PATHS.length)] ?? PATHS[0];
  const turn = TURNS[take(TURNS.length)] ?? 0;
  const other = (hue + 4 + take(HUES - 7)) % HUES;
  const lightness = LIGHTNESS[take(LIGHTNESS.length)] ?? 30;
  return {
    field: `hsl(${(hue * 360) / HUES} 45% ${lightness}%)`,
    charge: `hsl(${(other * 360) / HUES} 62% 74%)`,
    path,
    turn,
  };
}
