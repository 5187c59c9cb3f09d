// Where the name of a terrain piece goes: inside of the piece, off the disks; beside it where they leave no room, and above them where there is none either.

export interface NamedPiece {
  readonly name: string;
  /** In millimetres of the picture. */
  readonly corners: ReadonlyArray<readonly [x: number, y: number]>;
  readonly icons: ReadonlyArray<string>;
}
export interface TerrainName {
  readonly lines: ReadonlyArray<string>;
  /** The middle of the block of text and icons, in millimetres of the picture. */
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly iconSize: number;
  /** Whether disks lie where it is written, so that it has to be drawn over them. */
  readonly isAbove: boolean;
}

interface Round {
  readonly x: number;
  readonly y: number;
  readonly r: number;
}

const SIZES_PX = [14, 12, 10] as const;
/** Of a letter in bold Alegreya, on average, in parts of its size. */
const LETTER = 0.53;
const LINE = 1.08;
const ICON_PX = 14;
const STEPS = 12;
const EDGE_PX = 4;
/** How far from a piece its name may be. */
const BESIDE_PX = 24;
const BESIDE_STEP_PX = 4;

/** Names that are kept: pieces of a table at a few zooms. */
const MAX_KNOWN = 64;
const known = new Map<string, TerrainName>();

/** Return where the name of a piece is written and how large; no lines where only its icons fit. `px` are the millimetres of a pixel. */
export function placeName(piece: NamedPiece, disks: ReadonlyArray<Round>, px: number): TerrainName {
  const near = disksOver(piece, disks);
  const around = disksOver(piece, disks, BESIDE_PX * px + piece.name.length * LETTER * SIZES_PX[0] * px);
  // A replay draws the same pieces again and again, and few of them have disks that moved.
  const key = `${px} ${piece.name} ${piece.corners.join(" ")} ${around.map(({ x, y, r }) => `${x} ${y} ${r}`).join(" ")}`;
  const found = known.get(key) ?? findPlace(piece, near, around, px);
  known.delete(key);
  known.set(key, found);
  for (const oldest of [...known.keys()].slice(0, -MAX_KNOWN)) known.delete(oldest);
  return found;
}

/** Return the disks that lie over the box of a piece, or less than `margin` beside it. */
function disksOver({ corners }: NamedPiece, disks: ReadonlyArray<Round>, margin = 0): Round[] {
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  return disks.filter(
    ({ x, y, r }) => x + r > x0 - margin && x - r < x1 + margin && y + r > y0 - margin && y - r < y1 + margin,
  );
}

function findPlace(
  { name, corners, icons }: NamedPiece,
  near: ReadonlyArray<Round>,
  around: ReadonlyArray<Round>,
  px: number,
): TerrainName {
  const layouts = layoutsOf(name);
  const iconSize = ICON_PX * px;
  for (const [lying, hasIcons] of [
    [near, true],
    [near, false],
    [[], false],
  ] as const) {
    for (const size of SIZES_PX) {
      for (const lines of layouts) {
        const marks = hasIcons ? icons.length : 0;
        const width =
          Math.max(Math.max(...lines.map((line) => line.length)) * LETTER * size * px, marks * iconSize * 1.15) +
          EDGE_PX * px;
        const height = lines.length * LINE * size * px + (marks ? iconSize * 1.2 : 0);
        const place = roomiest(corners, lying, width, height);
        if (!place) continue;
        const isAbove = lying !== near && covers(near, place, width, height);
        return (
          (isAbove && placeBeside(name, corners, around, px)) || {
            lines,
            x: place[0],
            y: place[1],
            size: size * px,
            iconSize: hasIcons ? iconSize : 0,
            isAbove,
          }
        );
      }
    }
  }
  for (const size of SIZES_PX) {
    const place =
      roomiest(corners, near, icons.length * size * px * 1.15, size * px) ??
      roomiest(corners, [], icons.length * size * px * 1.15, size * px);
    if (place) return { lines: [], x: place[0], y: place[1], size: 0, iconSize: size * px, isAbove: false };
  }
  return { lines: [], x: 0, y: 0, size: 0, iconSize: 0, isAbove: false };
}

/** Write a name in one line below or above its piece, as near as the disks there let it; null where they leave no room. */
function placeBeside(
  name: string,
  corners: NamedPiece["corners"],
  around: ReadonlyArray<Round>,
  px: number,
): TerrainName | null {
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  const x = (Math.min(...xs) + Math.max(...xs)) / 2;
  const size = (SIZES_PX[1] ?? 0) * px;
  const [width, height] = [name.length * LETTER * size, LINE * size];
  for (let off = 0; off <= BESIDE_PX * px; off += BESIDE_STEP_PX * px) {
    for (const y of [Math.max(...ys) + height / 2 + off, Math.min(...ys) - height / 2 - off]) {
      if (!covers(around, [x, y], width, height)) return { lines: [name], x, y, size, iconSize: 0, isAbove: false };
    }
  }
  return null;
}

/** In one line, or in two that are about equally long. */
function layoutsOf(name: string): string[][] {
  const words = name.split(" ");
  if (words.length < 2) return [[name]];
  const splits = words
    .slice(1)
    .map((_, place) => [words.slice(0, place + 1).join(" "), words.slice(place + 1).join(" ")]);
  const longest = (lines: ReadonlyArray<string>) => Math.max(...lines.map((line) => line.length));
  return [[name], splits.sort((one, other) => longest(one) - longest(other))[0] ?? [name]];
}

const covers = (
  disks: ReadonlyArray<Round>,
  [x, y]: readonly [number, number],
  width: number,
  height: number,
): boolean =>
  disks.some((disk) => Math.abs(disk.x - x) < disk.r + width / 2 && Math.abs(disk.y - y) < disk.r + height / 2);

/** Return the place of a block with the most room beside it; null where it does not fit. */
function roomiest(
  corners: NamedPiece["corners"],
  disks: ReadonlyArray<Round>,
  width: number,
  height: number,
): [number, number] | null {
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [across, down] = [Math.max(...xs) - left, Math.max(...ys) - top];
  let best: [number, number] | null = null;
  let most = 0;
  for (let row = 1; row < STEPS; row += 1) {
    for (let column = 1; column < STEPS; column += 1) {
      const [x, y] = [left + (across * column) / STEPS, top + (down * row) / STEPS];
      let room =
        Math.min(widthAt(corners, x, y - height / 2), widthAt(corners, x, y), widthAt(corners, x, y + height / 2)) -
        width / 2;
      if (room < 0) continue;
      for (const disk of disks) room = Math.min(room, besideDisk(disk, x, y, height) - width / 2);
      // Of equal rooms the most central: less than a hundredth part of the piece is no difference.
      const worth = room - 0.02 * Math.hypot(x - left - across / 2, y - top - down / 2);
      if (room >= 0 && worth > most) [most, best] = [worth, [x, y]];
    }
  }
  return best;
}

/** Return how far a point is from the sides of a polygon to its left and right; negative outside. */
function widthAt(corners: NamedPiece["corners"], x: number, y: number): number {
  let [left, right, before] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0];
  for (let place = 0, last = corners.length - 1; place < corners.length; last = place, place += 1) {
    const [ax, ay] = corners[last] ?? [0, 0];
    const [bx, by] = corners[place] ?? [0, 0];
    if (ay > y === by > y) continue;
    const crossing = ax + ((y - ay) / (by - ay)) * (bx - ax);
    if (crossing <= x) {
      before += 1;
      left = Math.max(left, crossing);
    } else right = Math.min(right, crossing);
  }
  return before % 2 === 0 ? -1 : Math.min(x - left, right - x);
}

/** Return how far a block may reach to both sides before it meets a disk. */
function besideDisk(disk: Round, x: number, y: number, height: number): number {
  const off = Math.max(0, Math.abs(disk.y - y) - height / 2);
  return off >= disk.r ? Number.POSITIVE_INFINITY : Math.abs(disk.x - x) - Math.sqrt(disk.r ** 2 - off ** 2);
}
