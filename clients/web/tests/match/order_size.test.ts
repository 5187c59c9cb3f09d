// The bounds of a typed order.

import { readFileSync } from "node:fs";

import { expect, it } from "vitest";

import { orderSizeFault } from "../../src/match/order_size";
import { parseOrder } from "../../src/rulesets/diskwars/command_line";

interface Line {
  readonly name: string;
  readonly before: string;
  readonly unit: string;
  readonly times: number;
  readonly after: string;
  readonly taken: boolean;
}
const { lines } = JSON.parse(
  readFileSync(new URL("../../../../tests/vectors/order_size.json", import.meta.url), "utf-8"),
) as { lines: ReadonlyArray<Line> };

it.each(lines)("the bounds are those of the terminal: $name", ({ before, unit, times, after, taken }) => {
  expect(orderSizeFault(before + unit.repeat(times) + after) === "").toBe(taken);
});

it("an order that exceeds the bound on letters, words or digits is refused", () => {
  const context = { board: { disks: [] }, decision: {}, options: {}, seats: [] } as never;
  for (const line of ["move ".repeat(3000), "x".repeat(5000), "5".repeat(5000), "move Trolls 1234567890"]) {
    expect(orderSizeFault(line)).toMatch(/at most 200 words/);
    expect(() => parseOrder(line, context)).toThrow(/at most 200 words/);
  }
  for (const line of ["4", `place${" Orc Boyz 1 at 12.25 3,5".repeat(30)}`, "use 123456789"])
    expect(orderSizeFault(line)).toBe("");
});
