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
const kept = new Map<string, ts.SourceFile | undefined>();

/** Return the faults of a file of the records in which `text` is replaced. */
function faultsOf(name: string, text = "", replacement = ""): string[] {
  const file = path.join(FOLDER, name);
  const source = readFileSync(file, "utf8");
  expect(source).toContain(text);
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (wanted, version) => {
    if (path.resolve(wanted) === file) return ts.createSourceFile(wanted, source.replace(text, replacement), version);
    if (!kept.has(wanted)) kept.set(wanted, getSourceFile(wanted, version));
    return kept.get(wanted);
  };
  const program = ts.createProgram([file], { ...options, types: ["node"] }, host);
  return ts
    .getPreEmitDiagnostics(program, program.getSourceFile(file))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
}

describe("records", () => {
  it("have no faults as they are", () => expect(faultsOf("board.js")).toEqual([]));
  it.each([
    ["board.js", "board.round = event.round;", "event.tokenz.foo();", "'tokenz' does not exist"],
    ["board.js", "wounds: event.wounds }", "woundz: event.wounds }", "'woundz' does not exist"],
    ["board.js", "round_began(board, event)", "round_begun(board, event)", "'round_begun' does not exist"],
    ["board.js", "board.round = event.round;", "board.rounds_left = event.round;", "'rounds_left' does not exist"],
    ["pit_board.js", "board.may_concede = passed;", "board.may_conced = passed;", "'may_conced' does not exist"],
    ["match.js", "match.kicked.includes(player)", "match.kicked.includes(record)", "'number' is not assignable"],
  ])("of %s would fail with %s changed to %s", (name, text, replacement, fault) => {
    expect(faultsOf(name, text, replacement).join()).toContain(fault);
  });
  it("leave nothing unchecked", () => {
    for (const file of SOURCES) {
      expect(file).not.toMatch(/\.d\.ts$/);
      const source = readFileSync(file, "utf8");
      expect(source, file).not.toMatch(/@ts-(expect-error|ignore|nocheck)|\bany\b *[&>|=})\],;]|\{\*\}|eslint-disable/);
    }
  });
});
