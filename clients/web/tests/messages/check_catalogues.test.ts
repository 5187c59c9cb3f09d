// The check of the catalogues finds each fault that is planted.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";

import { readCatalogues } from "../../catalogues.js";
import { compareTexts, findFaults, findOwnFaults, findUnused } from "../../check_catalogues.js";

type Texts = Readonly<Record<string, string>>;
const root = mkdtempSync(path.join(tmpdir(), "catalogues-"));
afterAll(() => rmSync(root, { recursive: true }));
let number = 0;

/** Write catalogues by `en/lobby` or `de/parts/cards`, and return their folder. */
function write(files: Readonly<Record<string, Texts>>): string {
  const folder = path.join(root, String(number++));
  for (const [name, texts] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(texts));
  }
  return folder;
}

describe("the check of catalogues", () => {
  it("finds nothing in languages that say the same", () => {
    const folder = write({
      "en/lobby": { "lobby.turns": "{count, plural, one {# match} other {# matches}} of {name}" },
      "pl/lobby": {
        "lobby.turns": "{name}: {count, plural, one {# partia} few {# partie} many {# partii} other {# partii}}",
      },
    });
    expect(findFaults(folder)).toEqual([]);
  });
  it("finds a key that is missing, one that is unknown, and a file that is missing", () => {
    const folder = write({
      "en/lobby": { a: "A", b: "B" },
      "en/parts/cards": { c: "C" },
      "de/lobby": { a: "A", d: "D" },
    });
    expect(findFaults(folder)).toEqual([
      "de/lobby: d is unknown",
      "de/lobby: b is missing",
      "de/parts/cards: no such file",
    ]);
  });
  it("compares what English leaves to the server with the first language that says it", () => {
    const folder = write({
      "en/lobby": {},
      "de/lobby": {},
      "pl/lobby": {},
      "de/parts/rules": { a: "{points} Punkte", b: "B" },
      "pl/parts/rules": { a: "punkty" },
    });
    expect(findFaults(folder)).toEqual(["pl/parts/rules: a lacks {points}", "pl/parts/rules: b is missing"]);
  });
  it("finds a number without plural forms for which a language with the same ones has some", () => {
    const folder = write({
      "en/lobby": { a: "{count} activations", b: "{count} destroyed" },
      "de/lobby": { a: "{count, plural, one {# Aktivierung} other {# Aktivierungen}}", b: "{count} zerstört" },
      "pl/lobby": {
        a: "aktywacje: {count}",
        b: "{count, plural, one {# zniszczony} few {# zniszczone} many {# zniszczonych} other {# zniszczonego}}",
      },
    });
    expect(findFaults(folder)).toEqual(["en/lobby: a has no plural forms for {count}"]);
  });
  it("finds a key of two common topics, and a text that is empty", () => {
    const folder = write({ "en/lobby": { a: "A" }, "en/table": { a: "A", b: " " } });
    expect(findFaults(folder)).toEqual(["en/table: b is no text", "en/table: a is in lobby too"]);
  });
});

describe("the values of a translation", () => {
  const compare = (english: string, other: string) => compareTexts({ key: english }, { key: other });

  it("are those of the English text", () => {
    expect(compare("{name} wins {points}", "{points}: {title}")).toEqual([
      "key lacks {name}",
      "key has {title}, which is not given",
    ]);
    expect(compare("{count, plural, one {# disk} other {# disks}}", "krążki")).toEqual(["key lacks {count}"]);
    expect(compare("{name}", "{who, select, you {ty} other {{name}}}")).toEqual(["key has {who}, which is not given"]);
  });
  it("may choose a form in one language alone, and the pointer is always given", () => {
    expect(compare("{count, plural, one {flip} other {flips}} {list}", "Wenden {list}")).toEqual([]);
    expect(compare("Go", "{pointer, select, finger {Tippe} other {Klicke}}")).toEqual([]);
  });
});

describe("the forms of a plural", () => {
  it("are all that its language has, and no other", () => {
    expect(findOwnFaults({ key: "{n, plural, one {# dysk} other {# dysków}}" }, "pl")).toEqual([
      "key lacks the plural form few, many",
    ]);
    expect(findOwnFaults({ key: "{n, plural, one {#} few {#} other {#}}" }, "en")).toEqual([
      "key has the plural form few, which en has not",
    ]);
    expect(findOwnFaults({ key: "{n, plural, =0 {none} one {#} other {#}}" }, "en")).toEqual([]);
  });
  it("are found within a choice", () => {
    const text = "{who, select, you {{n, plural, one {#} other {#}}} other {x}}";
    expect(findOwnFaults({ key: text }, "pl")).toEqual(["key lacks the plural form few, many"]);
  });
  it("are not looked for in what is no message", () => {
    expect(findOwnFaults({ key: "{n, plural, one {#}}" }, "en")).toEqual([expect.stringMatching(/^key: /)]);
  });
});

describe("a key that no source names", () => {
  const unused = (topics: Readonly<Record<string, Texts>>, sources: Readonly<Record<string, string>>) =>
    findUnused(new Map(Object.entries(topics)), sources);

  it("is found, unless a word or a template names it", () => {
    const lobby = { "lobby.title": "", "lobby.pace.live": "", "lobby.nobody": "", "lobby.nobody.help": "" };
    const sources = { "a.ts": 't("lobby.title"); t(`lobby.pace.${pace}`); t(`${key}.help`)' };
    expect(unused({ lobby }, sources)).toEqual(["lobby: lobby.nobody is not used"]);
  });
  it("is that of a part only where the part is used", () => {
    const parts = { "parts/cards": { "help.slow": "", "kind.ranged": "" } };
    const owner = 'import en from "../messages/en/parts/cards.json"; export const c = makeTexts("cards", en);';
    expect(unused(parts, { "cards/card_text.ts": owner, "other.ts": "t(`help.${x}`)" })).toHaveLength(2);
    const user = 'import { c } from "./card_text"; c(`help.${x}`) + `(${c(`kind.${kind}`)})`';
    expect(unused(parts, { "cards/card_text.ts": owner, "cards/Card.svelte": user })).toEqual([]);
  });
  it("is none of today's", () => {
    const sources = import.meta.glob<string>(["../../src/**/*.svelte", "../../src/**/*.ts"], {
      query: "?raw",
      import: "default",
      eager: true,
    });
    const topics = new Map(readCatalogues("en").map(({ topic, texts }) => [topic, texts]));
    expect(topics.size).toBeGreaterThan(20);
    expect(findUnused(topics, sources)).toEqual([]);
    expect(findFaults()).toEqual([]);
  });
});
