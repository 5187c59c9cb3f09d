// What is shown at an address.

import { expect, it } from "vitest";

import { routeOf } from "../../src/page/routes";

it("shows the same with a slash at the end of an address", () => {
  for (const path of ["/rules", "/rules/R7.1", "/history", "/m/c9dk2n5ytxgw", "/m/c9dk2n5ytxgw/17"]) {
    expect(routeOf(path).view).not.toBe("missing");
    expect(routeOf(`${path}/`)).toEqual(routeOf(path));
  }
  expect(routeOf("/").view).toBe("lobby");
  expect(routeOf("/rules//").view).toBe("missing");
});
