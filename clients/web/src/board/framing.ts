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
/** What a question is about, as a box of the picture. */
export interface Frame {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  /** Whether it is about one disk: then it is shown readably, even where not all of it fits. */
  readonly isSubject: boolean;
  /** Other than those of disks. */
  readonly scales?: Scales;
}
/** The upper left corner of what is in view, and its width. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}
/** The stage in px, less what covers its lower edge, and the field. */
export interface Stage {
  readonly width: number;
  readonly freeHeight: number;
  readonly field: { readonly width: number; readonly height: number };
}

/** Return the view whose uncovered part has a place in its middle; `scale` is in px to a millimetre. */
const around = ({ width, freeHeight }: Stage, x: number, y: number, scale: number): View => ({
  x: x - width / scale / 2,
  y: y - freeHeight / scale / 2,
  width: width / scale,
});

export function wholeView(stage: Stage): View {
  const { width, height } = stage.field;
  return around(
    stage,
    width / 2,
    height / 2,
    Math.min(stage.width / (width + 2 * RAIL_MM), stage.freeHeight / (height + 2 * RAIL_MM)),
  );
}

/** Return the view of a frame; the whole table where there is none, and where a question would be partly out of view. */
export function followedView(stage: Stage, frame: Frame | null): View {
  const whole = wholeView(stage);
  if (!frame) return whole;
  const { margin, least, most } = frame.scales ?? {
    margin: MARGIN_MM,
    least: LEAST_FOLLOWED,
    most: frame.isSubject ? MOST_FOLLOWED : MOST_SURVEYED,
  };
  const fits = (around: number): number =>
    Math.min(stage.width / (frame.x1 - frame.x0 + 2 * around), stage.freeHeight / (frame.y1 - frame.y0 + 2 * around));
  const wholeScale = stage.width / whole.width;
  const finger = frame.scales?.finger;
  const isSmall = finger !== undefined && wholeScale < finger.least;
  const fitting = isSmall ? Math.max(fits(margin), Math.min(finger.least, fits(finger.margin))) : fits(margin);
  if (fitting < least && !frame.isSubject) return whole;
  const scale = Math.min(most, Math.max(least, fitting));
  if (scale <= (isSmall ? 1.1 : (frame.scales?.worthwhile ?? 1)) * wholeScale) return whole;
  const [x, y] = [(frame.x0 + frame.x1) / 2, (frame.y0 + frame.y1) / 2];
  return around(
    stage,
    within(x, stage.width / scale, stage.field.width),
    within(y, stage.freeHeight / scale, stage.field.height),
    scale,
  );
}

/** Keep the middle of a view where it shows no more than the rail beyond the field. */
function within(middle: number, size: number, field: number): number {
  const [least, most] = [size / 2 - RAIL_MM, field + RAIL_MM - size / 2];
  return least > most ? field / 2 : Math.min(most, Math.max(least, middle));
}

export function isInView({ width, freeHeight }: Stage, view: View, { x0, y0, x1, y1 }: Frame): boolean {
  return x0 >= view.x && x1 <= view.x + view.width && y0 >= view.y && y1 <= view.y + (freeHeight * view.width) / width;
}

/** Return the view moved as little as brings a place into its uncovered part, with some room around it. */
export function revealedView({ width, freeHeight }: Stage, view: View, x: number, y: number): View {
  const height = (freeHeight * view.width) / width;
  const room = Math.min(MARGIN_MM / 2, view.width / 4, height / 4);
  const moved = (start: number, size: number, place: number) =>
    Math.min(place - room, Math.max(place + room - size, start));
  return { ...view, x: moved(view.x, view.width, x), y: moved(view.y, height, y) };
}
