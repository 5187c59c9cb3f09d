// What the server says of a match: `/api/v1/matches/MATCH/scenes`, its summary, and the names of its players.

/** x and y of each corner in turn. */
interface Area {
  readonly kind: "zone" | "terrain" | "wall" | "hill" | "task";
  readonly corners: ReadonlyArray<number>;
  readonly seat?: number | null;
  readonly name?: string;
}
export interface Piece {
  readonly id: number;
  readonly seat: number;
  readonly radius: number;
  readonly name: string;
  readonly letters: string;
  readonly shape?: "disk" | "block";
}
export type Placed = readonly [
  id: number,
  x: number,
  y: number,
  turn: number,
  hurt: number,
  marks: ReadonlyArray<string>,
  figures: ReadonlyArray<number>,
];
export interface Scene {
  readonly seq: number;
  readonly kind: "setup" | "round" | "activation" | "melee" | "end";
  readonly round: number;
  readonly scores: ReadonlyArray<number>;
  readonly placed: ReadonlyArray<Placed>;
  readonly links?: ReadonlyArray<readonly [first: number, second: number]>;
  readonly actor?: { readonly seat: number; readonly name?: string; readonly pieces?: ReadonlyArray<number> } | null;
  readonly lost?: ReadonlyArray<number>;
}
export interface MatchScenes {
  readonly ruleset: string;
  readonly records: number;
  readonly rounds: number;
  readonly width: number;
  readonly height: number;
  readonly grid: number;
  readonly areas: ReadonlyArray<Area>;
  readonly pieces: ReadonlyArray<Piece>;
  readonly scenes: ReadonlyArray<Scene>;
  readonly winners?: ReadonlyArray<number> | null;
}
