// The fields of scenarios of the small games as small pictures: ground, the place of the task, and who stands where.

import type { close_quarters, pit, regiments, ScenarioArea } from "../protocol/types";

export interface ScenarioField {
  readonly id: string;
  /** In cells, or in inches. Rows count from below, as a picture does not. */
  readonly width: number;
  readonly height: number;
  readonly areas: ReadonlyArray<{ readonly kind: "hill" | "task" | "wall" } & Box>;
  readonly pieces: ReadonlyArray<{ readonly x: number; readonly y: number; readonly r: number; readonly seat: number }>;
  /** The profile ids of each side. Where there is one list, both sides have it. */
  readonly bands: ReadonlyArray<ReadonlyArray<string>>;
}
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
export type SmallCatalogue = pit.Catalogue | close_quarters.Catalogue | regiments.Catalogue;
type Settings = Readonly<Record<string, boolean | number | string>>;

/** As many cells wide and high where a scenario names no others. */
const PIT = { width: 12, height: 12 };
const REGIMENTS = { width: 10, height: 8 };
/** Rows of two bands for which a scenario of the pit names no cells: they face each other one column from their edges. */
const FACING_ROWS = [1, 3, 5, 7, 9, 4, 6];
/** Rows of more bands than that, each along an edge of its own. */
const EDGE_ROWS = [2, 4, 6, 8, 10, 5, 7, 3, 9, 1];
const INCH = 100;
/** Half of a base, in inches, a little larger than it is: it has to be seen. */
const MODEL_RADIUS = 0.7;
const CELL_RADIUS = 0.42;

/** Return the fields of the scenarios of a game, for a number of seats and with the other settings of a match. */
export function fieldsOf(
  ruleset: string,
  catalogue: SmallCatalogue,
  seats: number,
  settings: Settings,
): ScenarioField[] {
  switch (ruleset) {
    case "pit":
      return (catalogue as pit.Catalogue).scenarios.map((scenario) => pitField(scenario, seats));
    case "close_quarters":
      return (catalogue as close_quarters.Catalogue).scenarios.map((scenario) => squadField(scenario, settings));
    case "regiments":
      return (catalogue as regiments.Catalogue).scenarios.map(regimentField);
    default:
      return [];
  }
}

function pitField(scenario: pit.Scenario, seats: number): ScenarioField {
  const { id, bands, places = [] } = scenario;
  // For more seats than have places, a scenario is played on an open square.
  const isOpen = seats > 2 && places.length < seats;
  const { width, height } = isOpen ? PIT : { ...PIT, ...scenario };
  const { walls = [], task } = isOpen ? {} : scenario;
  const pieces = Array.from({ length: seats }, (_, seat) =>
    (bands[seat % bands.length] ?? []).map((_, place) => {
      const [x, y] = isOpen || !places.length ? pitCell(width, seat, place, seats) : (places[seat]?.[place] ?? [0, 0]);
      return { x: x + 0.5, y: height - y - 0.5, r: CELL_RADIUS, seat };
    }),
  );
  return { id, width, height, areas: cellAreas(height, walls, task?.zone), pieces: pieces.flat(), bands };
}

function pitCell(size: number, seat: number, place: number, seats: number): readonly [x: number, y: number] {
  const last = size - 1;
  if (seats === 2) return [seat === 0 ? 1 : last - 1, FACING_ROWS[place] ?? 0];
  let [x, y] = [0, EDGE_ROWS[place] ?? 0];
  for (let turn = 0; turn < seat; turn += 1) [x, y] = [last - y, x];
  return [x, y];
}

function squadField(scenario: close_quarters.Scenario, settings: Settings): ScenarioField {
  const { id, squads, opposing = [], barricade, high_ground: hills = [], task } = scenario;
  const [width, height] = [scenario.width / INCH, scenario.height / INCH];
  const pieces = [squads, opposing.length ? opposing : squads].flatMap((side, seat) =>
    side.flatMap(({ x, y, formation = [] }) =>
      [[0, 0] as const, ...formation].map(([dx, dy]) => {
        const [px, py] = [(x + dx) / INCH, (y + dy) / INCH];
        const isTurned = seat === 1 && !opposing.length;
        return { x: isTurned ? width - px : px, y: isTurned ? py : height - py, r: MODEL_RADIUS, seat };
      }),
    ),
  );
  const areas = [
    ...(settings["high_ground"] ? hills.map((hill) => ({ kind: "hill" as const, ...inches(height, hill) })) : []),
    ...(settings["barricade"] && barricade ? [{ kind: "wall" as const, ...inches(height, barricade) }] : []),
    ...(task?.zone ? [{ kind: "task" as const, ...inches(height, task.zone) }] : []),
  ];
  const bands = [squads, ...(opposing.length ? [opposing] : [])].map((side) => side.map(({ profile }) => profile));
  return { id, width, height, areas, pieces, bands };
}

function regimentField(scenario: regiments.Scenario): ScenarioField {
  const { id, armies, obstacles = [], task } = scenario;
  const { width, height } = { ...REGIMENTS, ...scenario };
  const pieces = [0, 1].flatMap((seat) =>
    (armies[seat % armies.length] ?? []).map(({ column = 1, row }) => {
      // Places of the east side are mirrored.
      const [x, y] = seat === 0 ? [column, row] : [width - 1 - column, height - 1 - row];
      return { x: x + 0.5, y: height - y - 0.5, r: CELL_RADIUS, seat };
    }),
  );
  const bands = armies.map((army) => army.map(({ profile }) => profile));
  return { id, width, height, areas: cellAreas(height, obstacles, task?.zone), pieces, bands };
}

const cellAreas = (height: number, walls: ReadonlyArray<ScenarioArea>, zone?: ScenarioArea) => [
  ...(zone ? [{ kind: "task" as const, ...cells(height, zone) }] : []),
  ...walls.map((wall) => ({ kind: "wall" as const, ...cells(height, wall) })),
];
const cells = (height: number, { x0, y0, x1, y1 }: ScenarioArea): Box => ({
  x: x0,
  y: height - y1 - 1,
  width: x1 - x0 + 1,
  height: y1 - y0 + 1,
});
/** A barricade has no width: it is drawn as wide as a line. */
const inches = (height: number, { x0, y0, x1, y1 }: ScenarioArea): Box => ({
  x: Math.min(x0, x1) / INCH,
  y: height - Math.max(y0, y1) / INCH,
  width: Math.max(0.25, Math.abs(x1 - x0) / INCH),
  height: Math.max(0.25, Math.abs(y1 - y0) / INCH),
});
