// The bounds of a typed order.

import { expect, it } from "vitest";

import { orderSizeFault } from "../../src/match/order_size";
import { parseOrder } from "../../src/rulesets/diskwars/command_line";

it("an order that exceeds the bound on letters, words or digits is refused", () => {
  const context = { board: { disks: [] }, decision: {}, options: {}, seats: [] } as never;
  for (const line of ["move ".repeat(3000), "x".repeat(5000), "5".repeat(5000), "move Trolls 1234567890"]) {
    expect(orderSizeFault(line)).toMatch(/at most 200 words/);
    expect(() => parseOrder(line, context)).toThrow(/at most 200 words/);
  }
  for (const line of ["4", `place${" Orc Boyz 1 at 12.25 3,5".repeat(30)}`, "use 123456789"])
    expect(orderSizeFault(line)).toBe("");
});
