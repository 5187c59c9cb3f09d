// The names in a sentence of the log.

import { describe, expect, it } from "vitest";

import { partsWith } from "../../src/widgets/emphasis";

const parts = partsWith(["Boar Boyz", "Boar Boyz 2", "Ilse", "Grimgor (Ironhide)", "Ork", ""]);
const marked = (text: string) =>
  parts(text)
    .map((part) => (part.isName ? `[${part.text}]` : part.text))
    .join("");

describe("names in the log", () => {
  it("are found with the number that belongs to them", () => {
    expect(marked("Boar Boyz 2: 3 flips, onto Boar Boyz")).toBe("[Boar Boyz 2]: 3 flips, onto [Boar Boyz]");
  });
  it("are whole words, whatever signs they have", () => {
    expect(marked("Orkish, Ork; Ilses")).toBe("Orkish, [Ork]; Ilses");
    expect(marked("Grimgor (Ironhide) passes")).toBe("[Grimgor (Ironhide)] passes");
  });
  it("are none where nobody is named", () => {
    expect(partsWith([])("Boar Boyz")).toEqual([{ text: "Boar Boyz", isName: false }]);
    expect(parts("")).toEqual([]);
  });
});
