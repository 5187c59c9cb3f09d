// Where the map of the whole field stands on the table: in a corner, by the size that it has on this screen.

/** A size or a place on the stage, in pixels. */
interface Size {
  readonly width: number;
  readonly height: number;
}
interface Place {
  readonly left: number;
  readonly top: number;
}

/** Where the map is drawn small. */
export const SMALL_SCREEN = "(max-width: 759px), (max-height: 519px)";
const [WIDTH_PX, SMALL_WIDTH_PX, FRAME_PX, EDGE_PX, TOOLS_PX] = [132, 84, 14, 14, 62];

/** Return the width of the map without its frame. */
export const minimapWidth = (isSmall: boolean): number => (isSmall ? SMALL_WIDTH_PX : WIDTH_PX);

/** Return the size of the map of a field with its frame. */
export const minimapSize = (field: Size, isSmall: boolean): Size => ({
  width: minimapWidth(isSmall) + FRAME_PX,
  height: (minimapWidth(isSmall) * field.height) / field.width + FRAME_PX,
});

/** Return the corners for a map: beside the tools first, then those that are free where it covers disks there. */
export function minimapPlaces(stage: Size, map: Size): Place[] {
  const [right, low] = [stage.width - TOOLS_PX - map.width, stage.height - EDGE_PX - map.height];
  return [EDGE_PX, low].flatMap((top) => [right, EDGE_PX].map((left) => ({ left, top })));
}
