// Names of squads: never on models or on each other where there is room.

import { expect, it } from "vitest";

import { NAME_PX, placeSquadNames, type SquadName } from "../../../src/rulesets/small/squad_names";

const FIELD = { width: 600, height: 400 };
const squad = (x: number, y: number, text: string): SquadName => ({ x, y, r: 60, text });
const column = (x: number, y: number) => [-40, -20, 0, 20, 40].map((down) => ({ x, y: y + down, r: 10 }));

it("is above a squad, and below where another one stands above", () => {
  const models = [...column(100, 100), ...column(100, 210)];
  const [upper, lower] = placeSquadNames([squad(100, 100, "A Guards"), squad(100, 210, "A Raiders")], models, 1, FIELD);
  expect(upper?.y).toBeLessThan(40);
  expect(lower?.y).toBeGreaterThan(270);
});

it("is beside a squad that has no room above and below", () => {
  const crowd = [0, 1, 2].flatMap((row) => column(300, 80 + 120 * row));
  const [, middle] = placeSquadNames(
    [squad(300, 80, "A Guards"), squad(300, 200, "A Raiders"), squad(300, 320, "A Brute")],
    crowd,
    1,
    FIELD,
  );
  expect(Math.abs((middle?.x ?? 0) - 300)).toBeGreaterThan(60);
});

it("stays in the field", () => {
  const [only] = placeSquadNames([squad(590, 20, "B Raiders 2/6")], [], 1, FIELD);
  expect(only?.y).toBeGreaterThan(NAME_PX);
});
