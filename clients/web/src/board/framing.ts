// Which part of the picture shows a frame, or the whole table: in millimetres of the picture and px of the stage.

const INCH_MM = 25.4;
/** Beyond the field, the rail is in view, with the deployment cards that lie on it. */
export const RAIL_MM = 36;
/** What is around a frame that the camera follows. */
const MARGIN_MM = 3 * INCH_MM;
/** The scales at which a frame is shown: 24 to 60 px an inch about one disk, less where all the disks of a question are shown. */
const LEAST_FOLLOWED = 24 / INCH_MM;
const MOST_FOLLOWED = 60 / INCH_MM;
const MOST_SURVEYED = 40 / INCH_MM;
/** By which part of the stage a view leans towards an aim. */
const LEAN = 6;
/** Around what is needed. */
const NEEDED_PX = 16;

/** How near a frame is shown, in px to a millimetre, and what is around it. */
export interface Scales {
  readonly margin: number;
  /** A frame that would be drawn smaller gives way to the whole table. */
  readonly least: number;
  readonly most: number;
  /** A frame that would be drawn at most this many times larger than the whole table gives way to it too. */
  readonly worthwhile: number;
  /** What a finger needs: where the whole table is drawn smaller, the margin may shrink, and any frame that is drawn larger is worth it. */
  readonly finger?: { readonly least: number; readonly margin: number };
}
interface Round {
  readonly x: number;
  readonly y: number;
  readonly r: number;
}
/** What a question is about, as a box of the picture. */
export interface Frame {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  /** Whether it is about one disk: then it is shown readably, even where not all of it fits. */
  readonly isSubject: boolean;
  /** What is whole in view whatever that takes: the disk that acts, where its plan ends, and what it would lie on. */
  readonly needed?: ReadonlyArray<Round>;
  /** Where it is aimed, as a direction of the picture of length 1. */
  readonly lean?: readonly [x: number, y: number];
  /** Other than those of disks. */
  readonly scales?: Scales;
}
/** The upper left corner of what is in view, and its width. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}
/** The stage in px, and the field. */
export interface Stage {
  readonly width: number;
  readonly height: number;
  readonly field: { readonly width: number; readonly height: number };
  /** The lower right corner that tools cover; as high as the stage where they stand in a column. */
  readonly covered?: { readonly width: number; readonly height: number };
}

/** Return the view that has a place in its middle; `scale` is in px to a millimetre. */
const around = ({ width, height }: Stage, x: number, y: number, scale: number): View => ({
  x: x - width / scale / 2,
  y: y - height / scale / 2,
  width: width / scale,
});

const wholeField = ({ field }: Stage): Bounds => ({ x0: 0, y0: 0, x1: field.width, y1: field.height });

/** Return the view of the whole table, none of it under the tools. */
export const wholeView = (stage: Stage): View => uncovered(stage, () => wholeField(stage), centredView);

function centredView(stage: Stage): View {
  const { width, height } = stage.field;
  return around(
    stage,
    width / 2,
    height / 2,
    Math.min(stage.width / (width + 2 * RAIL_MM), stage.height / (height + 2 * RAIL_MM)),
  );
}

/**
 * Return a view that leaves bounds clear of the tools: that of the whole stage where they are clear there anyhow, else the
 * larger one of those that use only what is left of the tools, or above them.
 */
function uncovered(stage: Stage, bounds: () => Bounds, viewOf: (stage: Stage) => View): View {
  const view = viewOf(stage);
  const { covered } = stage;
  if (!covered || isClear(stage, view, bounds())) return view;
  const left = viewOf({ ...stage, width: stage.width - covered.width });
  const beside = { ...left, width: (left.width * stage.width) / (stage.width - covered.width) };
  if (covered.height >= stage.height) return beside;
  const above = viewOf({ ...stage, height: stage.height - covered.height });
  return above.width <= beside.width ? above : beside;
}

/** Return whether bounds keep clear of the tools in a view. */
function isClear({ width, height, covered }: Stage, view: View, { x1, y1 }: Bounds): boolean {
  if (!covered) return true;
  const scale = width / view.width;
  return (x1 - view.x) * scale <= width - covered.width || (y1 - view.y) * scale <= height - covered.height;
}

/** Return the view of a frame; the whole table where there is none, and where a question would be partly out of view. */
export function followedView(stage: Stage, frame: Frame | null): View {
  if (!frame) return wholeView(stage);
  const bounds = frame.needed?.length ? boundsOf(frame.needed) : frame;
  const isWhole = (view: View) => view.width >= centredView(stage).width;
  const view = uncovered(
    stage,
    () => bounds,
    (part) => framedView(part, frame),
  );
  return isWhole(view) ? wholeView(stage) : view;
}

function framedView(stage: Stage, frame: Frame): View {
  const whole = centredView(stage);
  const { margin, least, most } = frame.scales ?? {
    margin: MARGIN_MM,
    least: LEAST_FOLLOWED,
    most: frame.isSubject ? MOST_FOLLOWED : MOST_SURVEYED,
  };
  const fits = (around: number): number =>
    Math.min(stage.width / (frame.x1 - frame.x0 + 2 * around), stage.height / (frame.y1 - frame.y0 + 2 * around));
  const wholeScale = stage.width / whole.width;
  const finger = frame.scales?.finger;
  const isSmall = finger !== undefined && wholeScale < finger.least;
  const fitting = isSmall ? Math.max(fits(margin), Math.min(finger.least, fits(finger.margin))) : fits(margin);
  if (fitting < least && !frame.isSubject) return whole;
  const needed = frame.needed?.length ? boundsOf(frame.needed) : null;
  const scale = Math.min(most, Math.max(least, fitting), needed ? scaleFor(stage, needed) : most);
  if (scale <= (isSmall ? 1.1 : (frame.scales?.worthwhile ?? 1)) * wholeScale) return whole;
  const [x, y] = [(frame.x0 + frame.x1) / 2, (frame.y0 + frame.y1) / 2];
  const [width, height] = [stage.width / scale, stage.height / scale];
  // The acting disk stays in its third of the stage, and more is in view of where it aims.
  const [lx, ly] = frame.lean ?? [0, 0];
  const [ax, ay] = [x + (lx * width) / LEAN, y + (ly * height) / LEAN];
  const [u, v] = needed
    ? [
        holding(ax, width, needed.x0 - NEEDED_PX / scale, needed.x1 + NEEDED_PX / scale),
        holding(ay, height, needed.y0 - NEEDED_PX / scale, needed.y1 + NEEDED_PX / scale),
      ]
    : [ax, ay];
  return around(stage, within(u, width, stage.field.width), within(v, height, stage.field.height), scale);
}

type Bounds = Pick<Frame, "x0" | "x1" | "y0" | "y1">;
export const boundsOf = (rounds: ReadonlyArray<Round>): Bounds => ({
  x0: Math.min(...rounds.map(({ x, r }) => x - r)),
  x1: Math.max(...rounds.map(({ x, r }) => x + r)),
  y0: Math.min(...rounds.map(({ y, r }) => y - r)),
  y1: Math.max(...rounds.map(({ y, r }) => y + r)),
});
const scaleFor = (stage: Stage, { x0, x1, y0, y1 }: Bounds): number =>
  Math.min((stage.width - 2 * NEEDED_PX) / (x1 - x0), (stage.height - 2 * NEEDED_PX) / (y1 - y0));
/** Move the middle of a view as little as brings a span into it. */
const holding = (middle: number, size: number, from: number, to: number): number =>
  Math.max(to - size / 2, Math.min(from + size / 2, middle));

/** Return a view that has bounds whole in it and clear of the tools, moved and widened as little as that takes. */
export const heldView = (stage: Stage, view: View, bounds: Bounds): View =>
  uncovered(
    stage,
    () => bounds,
    (part) => widenedView(part, partOf(stage, view, part), bounds),
  );

function widenedView(stage: Stage, view: View, bounds: Bounds): View {
  const scale = Math.min(stage.width / view.width, scaleFor(stage, bounds));
  const [width, height] = [stage.width / scale, stage.height / scale];
  const room = NEEDED_PX / scale;
  const [x, y] = [view.x + view.width / 2, view.y + (stage.height * view.width) / stage.width / 2];
  return around(
    stage,
    holding(x, width, bounds.x0 - room, bounds.x1 + room),
    holding(y, height, bounds.y0 - room, bounds.y1 + room),
    scale,
  );
}

/** Keep the middle of a view where it shows no more than the rail beyond the field. */
function within(middle: number, size: number, field: number): number {
  const [least, most] = [size / 2 - RAIL_MM, field + RAIL_MM - size / 2];
  return least > most ? field / 2 : Math.min(most, Math.max(least, middle));
}

/** Return whether bounds are in view, and clear of the tools. */
export function isInView(stage: Stage, view: View, bounds: Bounds): boolean {
  const { x0, y0, x1, y1 } = bounds;
  const bottom = view.y + (stage.height * view.width) / stage.width;
  const isInside = x0 >= view.x && x1 <= view.x + view.width && y0 >= view.y && y1 <= bottom;
  return isInside && isClear(stage, view, bounds);
}

/** Return the view moved as little as brings a place into it and clear of the tools, with some room around it. */
export const revealedView = (stage: Stage, view: View, x: number, y: number): View =>
  uncovered(
    stage,
    () => ({ x0: x, y0: y, x1: x, y1: y }),
    (part) => movedView(part, partOf(stage, view, part), x, y),
  );

/** Return the view of a part of the stage that begins where it does. */
const partOf = (stage: Stage, { x, y, width }: View, part: Stage): View => ({
  x,
  y,
  width: (width * part.width) / stage.width,
});

function movedView(stage: Stage, view: View, x: number, y: number): View {
  const height = (stage.height * view.width) / stage.width;
  const room = Math.min(MARGIN_MM / 2, view.width / 4, height / 4);
  const moved = (start: number, size: number, place: number) =>
    Math.min(place - room, Math.max(place + room - size, start));
  return { ...view, x: moved(view.x, view.width, x), y: moved(view.y, height, y) };
}
