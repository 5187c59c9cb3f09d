// The engagements as a graph in layers: a disk is drawn above the disks that it lies on.

import type { BoardState } from "../../../client/records/match.js";

export interface MeleeNode {
  readonly disk: number;
  readonly x: number;
  readonly y: number;
  /** How wide its name may be, which is written below it. */
  readonly room: number;
}
interface MeleeLink {
  readonly engagement: number;
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  /** Whether it carries the number of its engagement. */
  readonly isFirst: boolean;
}
export interface MeleeGraph {
  readonly nodes: ReadonlyArray<MeleeNode>;
  readonly links: ReadonlyArray<MeleeLink>;
  readonly height: number;
}

/** What a letter of a name takes at most, of the size in which names are written here. */
const LETTER = 6;
const LABEL_GAP = 4;

/** Return the width into which a name has to be squeezed; undefined where it fits as it is. */
export function squeezedWidth(name: string, { room }: Pick<MeleeNode, "room">): number | undefined {
  return name.length * LETTER > room - LABEL_GAP ? room - LABEL_GAP : undefined;
}

export function layersOf(
  { engagements, disks }: Pick<BoardState, "disks" | "engagements">,
  width: number,
  row: number,
): MeleeGraph {
  const pairs = engagements.flatMap(({ links }) => links);
  const depths = new Map<number, number>();
  // A pin leads from a higher disk to a lower one, so that this ends.
  const depthOf = (disk: number): number => {
    const known = depths.get(disk);
    if (known !== undefined) return known;
    depths.set(disk, 0);
    const depth = Math.max(
      0,
      ...pairs.filter(({ defender }) => defender === disk).map(({ attacker }) => depthOf(attacker) + 1),
    );
    depths.set(disk, depth);
    return depth;
  };
  const layers: number[][] = [];
  for (const disk of [...new Set(pairs.flatMap(({ attacker, defender }) => [attacker, defender]))].sort(
    (one, other) => (disks[one]?.x ?? 0) - (disks[other]?.x ?? 0),
  )) {
    (layers[depthOf(disk)] ??= []).push(disk);
  }
  const nodes = layers.flatMap((layer, depth) =>
    layer.map((disk, place) => ({
      disk,
      x: ((place + 0.5) * width) / layer.length,
      y: (depth + 0.5) * row - 4,
      room: width / layer.length,
    })),
  );
  const at = new Map(nodes.map((node) => [node.disk, node]));
  const links = engagements.flatMap((engagement, number) =>
    engagement.links.map(({ attacker, defender }, place) => ({
      engagement: number,
      isFirst: place === 0,
      x1: at.get(attacker)?.x ?? 0,
      y1: at.get(attacker)?.y ?? 0,
      x2: at.get(defender)?.x ?? 0,
      y2: at.get(defender)?.y ?? 0,
    })),
  );
  return { nodes, links, height: Math.max(1, layers.length) * row + 14 };
}
