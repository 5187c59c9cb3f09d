// Every code of a refusal is a sentence in every language; only on an English page one of the server.

import { afterAll, describe, expect, it } from "vitest";

import { LANGUAGES, setLanguage } from "../../src/messages";
import de from "../../src/messages/de/parts/refusals.json";
import ruleRefusals from "../../src/messages/de/parts/rule_refusals.json";
import en from "../../src/messages/en/parts/refusals.json";
import { faultText, refusalText } from "../../src/page/refusals";

const SERVER = "a sentence that only the server knows, about disk 8";
const nameOf = (disk: number): string => ["Trolls", "Knights"][disk] ?? `#${disk}`;
afterAll(() => setLanguage("en"));

describe("a refusal", () => {
  it.each(LANGUAGES.slice(1))("is in %s on such a page, whatever its code", (language) => {
    setLanguage(language);
    for (const key of [...Object.keys(en), "a_code_of_tomorrow"]) {
      const [code = "", ...rule] = key.split(".");
      for (const numbers of [{}, { disk: 0, by: 1 }] as ReadonlyArray<Record<string, number>>) {
        const text = refusalText({ code, text: SERVER, rule: rule.join("."), numbers }, nameOf);
        expect(text).not.toMatch(/server knows|[{}]|#|undefined/);
        expect(text.length).toBeGreaterThan(8);
      }
      expect(faultText(code, SERVER)).not.toContain("server knows");
    }
  });
  it("names the disks that its numbers are of", () => {
    const pinned = {
      code: "disk_pinned",
      rule: "R6.3",
      text: "disk 0 is pinned by disk 1",
      numbers: { disk: 0, by: 1 },
    };
    setLanguage("de");
    expect(refusalText(pinned, nameOf)).toBe("Trolls ist gebunden durch Knights");
    setLanguage("en");
    expect(refusalText(pinned, nameOf)).toBe("Trolls is pinned by Knights");
  });
  it("keeps the sentence of the server in English where that says more, with names for numbers", () => {
    setLanguage("en");
    expect(refusalText({ code: "bad_target", rule: "R8.1", text: "disk 1 is not Caster" }, nameOf)).toBe(
      "Knights is not Caster",
    );
  });
  it("of a small game has a German text for its rule, chosen by the numbers where a rule refuses several things", () => {
    const refused = (rule: string, numbers: Record<string, number>) =>
      refusalText({ code: "not_legal", rule, text: SERVER, numbers });
    setLanguage("de");
    expect(refused("A-9", { fighter: 3 })).toBe("Dieser Kämpfer kann jetzt niemanden angehen");
    expect(refused("A-9", { x: 1, y: 2 })).toBe(ruleRefusals["A-9:x,y"]);
    expect(refused("C-24", { unit: 1, steps: 3, points: 1 })).toBe("Diese Einheit marschiert höchstens 1 Schritt");
    expect(refused("A-99", {})).toBe(de["not_legal"]);
    setLanguage("en");
    expect(refused("A-9", { fighter: 3 })).toBe(SERVER);
  });
  it.each(LANGUAGES.slice(1))("of a small game uses only numbers that come with it, in %s", (language) => {
    setLanguage(language);
    for (const key of Object.keys(ruleRefusals)) {
      const [of = ""] = key.split(":");
      const [code, rule] = /^[a-z]/.test(of) ? of.split(/\.(.*)/) : ["not_legal", of];
      const numbers = Object.fromEntries(
        (key.split(":")[1] ?? "")
          .split(",")
          .filter(Boolean)
          .map((name) => [name, 2]),
      );
      const text = refusalText({ code: code ?? "", rule: rule ?? "", text: SERVER, numbers });
      expect(text, key).not.toMatch(/[{}|]|server knows/);
    }
  });
  it("is nowhere shown as the server says it", () => {
    const sources = import.meta.glob<string>(["../../src/**/*.svelte", "../../src/**/*.ts"], {
      query: "?raw",
      import: "default",
      eager: true,
    });
    expect(Object.keys(sources).length).toBeGreaterThan(100);
    const shown = Object.entries(sources).flatMap(([file, source]) =>
      source
        .split("\n")
        .filter((line) => /"refused".*[a-z]\.text\b/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    // The builder hands it to the text of a fault, which is translated by its code.
    expect(shown.filter((line) => !line.includes("armies/Builder.svelte"))).toEqual([]);
  });
});
