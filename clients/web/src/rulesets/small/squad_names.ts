// Where the name of a squad is written: above or below its halo, or beside it, where it lies on no model and on no other name.

export interface SquadCircle {
  readonly x: number;
  readonly y: number;
  readonly r: number;
}
export interface SquadName extends SquadCircle {
  readonly text: string;
}
/** The middle of the foot of a text, in millimetres of the picture. */
export interface NamePlace {
  readonly x: number;
  readonly y: number;
}
interface Box extends NamePlace {
  readonly width: number;
  readonly height: number;
}

export const NAME_PX = 13;
/** Of a letter, on average, in parts of its size. */
const LETTER = 0.52;
const GAP_PX = 5;
/** What is out of the field is out of view on a phone. */
const OUTSIDE_WEIGHT = 3;

/** Return a place for each name; `px` are the millimetres of a pixel. */
export function placeSquadNames(
  squads: ReadonlyArray<SquadName>,
  models: ReadonlyArray<SquadCircle>,
  px: number,
  field: { readonly width: number; readonly height: number },
): NamePlace[] {
  const placed: Box[] = [];
  return squads.map((squad) => {
    const boxes = boxesAround(squad, px);
    const costs = boxes.map((box, rank) => costOf(box, models, placed, field) + 0.01 * rank);
    const best = boxes[costs.indexOf(Math.min(...costs))] ?? { x: squad.x, y: squad.y, width: 0, height: 0 };
    placed.push(best);
    return { x: best.x, y: best.y };
  });
}

/** Above is where a reader looks first. */
function boxesAround({ x, y, r, text }: SquadName, px: number): Box[] {
  const [width, height, gap] = [text.length * LETTER * NAME_PX * px, NAME_PX * px, GAP_PX * px];
  const beside = r + gap + width / 2;
  const feet: ReadonlyArray<readonly [number, number]> = [
    [x, y - r - gap],
    [x, y + r + gap + 0.8 * height],
    [x + beside, y + height / 3],
    [x - beside, y + height / 3],
  ];
  return feet.map(([footX, footY]) => ({ x: footX, y: footY, width, height }));
}

function costOf(
  box: Box,
  models: ReadonlyArray<SquadCircle>,
  placed: ReadonlyArray<Box>,
  field: { readonly width: number; readonly height: number },
): number {
  const onModels = models.reduce(
    (sum, { x, y, r }) => sum + overlap(box, { x, y: y + r, width: 2 * r, height: 2 * r }),
    0,
  );
  const onNames = placed.reduce((sum, one) => sum + overlap(box, one), 0);
  const inside = overlap(box, { x: field.width / 2, y: field.height, width: field.width, height: field.height });
  return onModels + onNames + OUTSIDE_WEIGHT * (box.width * box.height - inside);
}

/** The area that two boxes share; each is given by the middle of its foot. */
function overlap(one: Box, other: Box): number {
  const across =
    Math.min(one.x + one.width / 2, other.x + other.width / 2) -
    Math.max(one.x - one.width / 2, other.x - other.width / 2);
  const down = Math.min(one.y, other.y) - Math.max(one.y - one.height, other.y - other.height);
  return Math.max(0, across) * Math.max(0, down);
}
