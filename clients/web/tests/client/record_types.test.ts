// The compiler checks the records, which are plain JavaScript: what is misspelled in a fold does not pass `npm run check`.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const WEB = fileURLToPath(new URL("../../", import.meta.url));
const FOLDER = path.join(WEB, "src/client/records");
const SOURCES = readdirSync(FOLDER).map((name) => path.join(FOLDER, name));
const CONFIG = path.join(WEB, "tsconfig.json");
const { options } = ts.parseJsonConfigFileContent(ts.readConfigFile(CONFIG, ts.sys.readFile).config, ts.sys, WEB);
const CHANGES = [
  ["board.js", "board.round = event.round;", "event.tokenz.foo();", "'tokenz' does not exist"],
  ["board.js", "wounds: event.wounds }", "woundz: event.wounds }", "'woundz' does not exist"],
  ["board.js", "round_began(board, event)", "round_begun(board, event)", "'round_begun' does not exist"],
  ["board.js", "board.round = event.round;", "board.rounds_left = event.round;", "'rounds_left' does not exist"],
  ["pit_board.js", "board.may_concede = passed;", "board.may_conced = passed;", "'may_conced' does not exist"],
  ["match.js", "match.kicked.includes(player)", "match.kicked.includes(record)", "'number' is not assignable"],
] as const;

/** Check copies of files of the records beside them in one program, and return the faults of each. */
function faultsOf(sources: readonly string[]): string[] {
  const copies = new Map(sources.map((source, number) => [path.join(FOLDER, `changed_${number}.js`), source]));
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (wanted, version) => {
    const source = copies.get(path.resolve(wanted));
    return source === undefined ? getSourceFile(wanted, version) : ts.createSourceFile(wanted, source, version);
  };
  const program = ts.createProgram([...copies.keys()], { ...options, types: ["node"] }, host);
  return [...copies.keys()].map((file) => {
    const found = ts.getPreEmitDiagnostics(program, program.getSourceFile(file));
    return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " ")).join();
  });
}

describe("records", () => {
  it("have no faults as they are, and one of each kind where they are misspelled", () => {
    const read = (name: string) => readFileSync(path.join(FOLDER, name), "utf8");
    const changed = CHANGES.map(([name, text, replacement]) => {
      expect(read(name)).toContain(text);
      return read(name).replace(text, replacement);
    });
    const [asTheyAre, ...faults] = faultsOf([read("board.js"), ...changed]);
    expect(asTheyAre).toBe("");
    for (const [number, [name, , replacement, fault]] of CHANGES.entries())
      expect(faults[number], `${name} with ${replacement}`).toContain(fault);
  });
  it("leave nothing unchecked", () => {
    for (const file of SOURCES) {
      expect(file).not.toMatch(/\.d\.ts$/);
      const source = readFileSync(file, "utf8");
      expect(source, file).not.toMatch(/@ts-(expect-error|ignore|nocheck)|\bany\b *[&>|=})\],;]|\{\*\}|eslint-disable/);
    }
  });
});
