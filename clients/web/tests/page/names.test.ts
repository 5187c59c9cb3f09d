// Names that are told apart in one match, and those that guests have chosen.

import { describe, expect, it } from "vitest";

import { chosenName, distinctNames } from "../../src/page/names";

describe("names of one match", () => {
  it("are numbered where they are the same", () => {
    expect(distinctNames(["Ilse", "Mild bot", "Mild bot", "Marek"])).toEqual([
      "Ilse",
      "Mild bot 1",
      "Mild bot 2",
      "Marek",
    ]);
  });
  it("stay as they are where they differ", () => {
    expect(distinctNames(["Ilse", "Mild bot"])).toEqual(["Ilse", "Mild bot"]);
    expect(distinctNames([])).toEqual([]);
  });
});

describe("a chosen name", () => {
  it("is not the one that the server gives to a guest", () => {
    expect(chosenName({ name: "Guest YI49", kind: "guest" })).toBe("");
    expect(chosenName({ name: "Marek", kind: "guest" })).toBe("Marek");
    expect(chosenName({ name: "Guest YI49", kind: "registered" })).toBe("Guest YI49");
    expect(chosenName({ name: "deleted", kind: "deleted" })).toBe("");
  });
});
