// What a plan draws over the table: plain shapes in micrometres of the field, each with what it means.

import type { Point } from "./geometry";
import type { Polygon } from "./plane";

type Tone = "blocked" | "enemy" | "illegal" | "legal" | "own" | "plan" | "range";

export type Shape =
  | { readonly kind: "area"; readonly corners: Polygon; readonly tone: Tone; readonly label?: string }
  | { readonly kind: "halo"; readonly corners: Polygon; readonly reach: number }
  | {
      readonly kind: "ghost";
      readonly x: number;
      readonly y: number;
      readonly r: number;
      readonly tone: Tone;
      readonly label: string;
      readonly disk?: number;
      /** Whether the disk comes to lie here: then it is drawn with its face. */ readonly isLast?: boolean;
    }
  | {
      readonly kind: "dial";
      readonly x: number;
      readonly y: number;
      readonly r: number;
      readonly bearings: ReadonlyArray<number>;
    }
  | {
      readonly kind: "ring";
      readonly x: number;
      readonly y: number;
      readonly r: number;
      readonly label: string;
      readonly isDashed: boolean;
    }
  | { readonly kind: "ray"; readonly from: Point; readonly to: Point; readonly isClear: boolean }
  | { readonly kind: "cross"; readonly x: number; readonly y: number }
  | { readonly kind: "bubble"; readonly x: number; readonly y: number; readonly text: string; readonly rule: string }
  | { readonly kind: "line"; readonly from: Point; readonly to: Point; readonly tone: Tone; readonly label?: string };

export const rectangle = ({
  x0,
  y0,
  x1,
  y1,
}: {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}): Polygon => [
  [x0, y0],
  [x1, y0],
  [x1, y1],
  [x0, y1],
];
