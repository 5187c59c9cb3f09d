// Bots of one kind are named by their armies, and numbered where their armies are the same.

import { describe, expect, it } from "vitest";

import { namesWithArmies } from "../../src/lists/seat_names";

const nameOf = () => "Mild bot";
const namesOf = (...armies: ReadonlyArray<unknown>) =>
  namesWithArmies(
    [
      { player: "ilse", loadout: { army: "nuln-host" } },
      ...armies.map((army, k) => ({ player: `bot-mild-${"bcd"[k] ?? ""}`, loadout: { army } })),
    ],
    ["Ilse", ...armies.map((_, k) => (armies.length > 1 ? `Mild bot ${k + 1}` : "Mild bot"))],
    nameOf,
  );

describe("bots of one kind", () => {
  it("are named by their armies", () => {
    expect(namesOf("everchosen-host", "reikland-host")).toEqual([
      "Ilse",
      "Mild bot (Everchosen Host)",
      "Mild bot (Reikland Host)",
    ]);
  });
  it("are numbered where two lead the same army, or one of their own", () => {
    expect(namesOf("everchosen-host", "everchosen-host")).toEqual(["Ilse", "Mild bot 1", "Mild bot 2"]);
    expect(namesOf("everchosen-host", "regiment: Orc Boyz")).toEqual(["Ilse", "Mild bot 1", "Mild bot 2"]);
    expect(namesOf("everchosen-host", undefined)).toEqual(["Ilse", "Mild bot 1", "Mild bot 2"]);
  });
  it("need nothing beside their name where there is one", () => {
    expect(namesOf("everchosen-host")).toEqual(["Ilse", "Mild bot"]);
  });
});
