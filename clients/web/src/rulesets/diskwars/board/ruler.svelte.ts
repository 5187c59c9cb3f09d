// The ruler: two ends, each a disk or a place, the gap between their rims, the range it falls into, and whether one disk sees the other.

import type { Circle } from "../../../board/geometry";
import { diskName } from "../names";
import type { BoardState } from "../../../client/records/match.js";
import { names, t } from "../../../messages";
import { millimetres, rangeRing, tenthOfInch } from "../forecast/reach";
import { REACHES, circleOf, gapOf, isFielded, lengthOf, stackedDisks, type Reach } from "../forecast/position";
import type { Shape } from "../../../board/shapes";
import { sightBetween, type SightReport } from "../forecast/sight";

type End = { readonly disk: number } | { readonly x: number; readonly y: number };

/** An end that comes so near to a rim belongs to its disk. */
const SNAP_PX = 10;

export interface Measured {
  /** In micrometres, rounded up: what the rules compare with a range. */
  readonly gap: number;
  readonly reach: Reach;
  /** Null unless both ends are disks. */
  readonly sight: SightReport | null;
  readonly names: readonly [string, string];
}

export class Ruler {
  isOn = $state(false);
  private from = $state.raw<End | null>(null);
  private to = $state.raw<End | null>(null);

  constructor(
    private readonly find: () => BoardState | null,
    private readonly pixelUm: () => number,
  ) {}

  toggle(): void {
    this.isOn = !this.isOn;
    this.from = this.to = null;
  }

  /** Begin at a place, or at the disk that is there. */
  press(x: number, y: number, disk: number | null): void {
    this.from = disk === null ? { x, y } : { disk };
    this.to = null;
  }
  /** Bring the other end to a place; `isFree` keeps it from snapping to disks. */
  stretch(x: number, y: number, isFree = false): void {
    if (this.from === null) return;
    const disk = isFree ? null : this.diskAt(x, y);
    const isStart = disk !== null && "disk" in this.from && this.from.disk === disk;
    this.to = isStart ? null : disk === null ? { x, y } : { disk };
  }
  /** Take one disk after the other, as keys and clicks do. */
  pick(disk: number): void {
    const isOpen = this.from !== null && this.to === null && !("disk" in this.from && this.from.disk === disk);
    if (isOpen) this.to = { disk };
    else this.press(0, 0, disk);
  }

  /** Take a place as the next end. */
  pickPlace(x: number, y: number): void {
    if (this.from !== null && this.to === null) this.stretch(x, y);
    else this.press(x, y, null);
  }

  private diskAt(x: number, y: number): number | null {
    const board = this.find();
    if (!board) return null;
    const near = stackedDisks(board).map((disk) => ({ ...disk, off: Math.hypot(disk.x - x, disk.y - y) - disk.r }));
    const inside = near.filter(({ off }) => off <= 0).sort((one, other) => other.z - one.z)[0];
    const rim = near.filter(({ off }) => off <= SNAP_PX * this.pixelUm()).sort((one, other) => one.off - other.off)[0];
    return (inside ?? rim)?.id ?? null;
  }

  private circle(board: BoardState, end: End): Circle | null {
    if (!("disk" in end)) return { x: Math.round(end.x), y: Math.round(end.y), r: 0 };
    return isFielded(board.disks[end.disk]) ? circleOf(board, end.disk) : null;
  }
  private readonly ends = $derived.by(() => {
    const board = this.find();
    if (!this.isOn || !board || !this.from) return null;
    const one = this.circle(board, this.from);
    const other = this.to && this.circle(board, this.to);
    return one ? { board, one, other: other ?? null } : null;
  });
  readonly measured = $derived.by((): Measured | null => {
    const { ends, from, to } = this;
    if (!ends?.other || !from || !to) return null;
    const { board, one, other } = ends;
    const gap = gapOf(one, other);
    const name = (end: End) => ("disk" in end ? diskName(board, end.disk) : t("ruler.place"));
    return {
      gap,
      reach: REACHES.find((reach) => gap <= lengthOf(board, reach)) ?? "siege",
      sight: "disk" in from && "disk" in to ? sightBetween(board, from.disk, to.disk) : null,
      names: [name(from), name(to)],
    };
  });

  /** What is measured, in a sentence. */
  readonly text = $derived.by((): string => {
    const { measured } = this;
    if (!measured) return t("ruler.help");
    const [from, to] = measured.names;
    const parts = [
      t("ruler.gap", {
        from,
        to,
        distance: tenthOfInch(measured.gap),
        exact: millimetres(measured.gap),
        reach: t(`reach.${measured.reach}`),
      }),
    ];
    if (measured.sight) parts.push(this.sightText(measured.sight));
    return parts.join(" ");
  });
  private sightText({ isSeen, hiding, isFromHeight }: SightReport): string {
    if (isSeen) return t(isFromHeight ? "ruler.sight.high" : "ruler.sight");
    return t("ruler.hidden", { names: pieceNames(this.find(), hiding) });
  }

  readonly shapes = $derived.by((): ReadonlyArray<Shape> => {
    const { ends, from, measured } = this;
    if (!ends || !from) return [];
    const { board, one, other } = ends;
    const rings = "disk" in from ? REACHES.flatMap((reach) => rangeRing(board, one, reach)) : [];
    if (!other || !measured) return rings;
    const label = t("shot.ray", { distance: tenthOfInch(measured.gap), band: t(`reach.${measured.reach}`) });
    const far = Math.hypot(other.x - one.x, other.y - one.y) || 1;
    const rim = ({ x, y, r }: Circle, to: Circle): readonly [number, number] => [
      x + ((to.x - x) * r) / far,
      y + ((to.y - y) * r) / far,
    ];
    return [
      ...rings,
      ...(measured.sight ? sightShapes(measured.sight) : []),
      { kind: "line", from: rim(one, other), to: rim(other, one), tone: "range", label },
    ];
  });
}

/** Return a line of sight, or the way on which it is blocked with a cross on the edge that blocks it. */
export function sightShapes({ line, isSeen, blockedAt }: SightReport): Shape[] {
  return [
    { kind: "ray", from: line[0], to: line[1], isClear: isSeen },
    ...(blockedAt ? [{ kind: "cross" as const, x: blockedAt[0], y: blockedAt[1] }] : []),
  ];
}

export const pieceNames = (board: BoardState | null, pieces: ReadonlyArray<number>): string =>
  names([...new Set(pieces.flatMap((number) => board?.terrain[number]?.terrain.name ?? []))]);
