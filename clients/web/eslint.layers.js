// The layers of the page: a folder of src imports only folders of the rows below its own, and what BESIDE names.

import path from "node:path";
import { fileURLToPath } from "node:url";

const ROWS = [
  ["app", "embed", "sdk"],
  ["rulesets"],
  ["lobby", "rules", "history", "account", "tournaments", "puzzles"],
  ["match", "clubs"],
  ["motion", "replay", "people", "learn", "lists"],
  ["board"],
  ["page"],
  ["client", "widgets"],
  ["messages", "protocol"],
];
/** What a folder imports of its own row. */
const BESIDE = {
  lobby: ["puzzles"], // the tile of the day
  motion: ["replay"], // the dice of a roll, and its luck
  learn: ["lists"], // whether the guided match has ended
  people: ["lists"], // what games are called
  widgets: ["client"], // the letters of seats
};
/** Rulesets that share a page do not know each other, nor does what they share know them. */
const RULESETS = { diskwars: [], small: [], pit: ["small"], close_quarters: ["small"], regiments: ["small"] };

const SOURCES = path.join(path.dirname(fileURLToPath(import.meta.url)), "src");
const rowOf = (folder) => ROWS.findIndex((row) => row.includes(folder));

/** Return what is wrong with an import of one file of src by another; null where nothing is. */
function findFault(from, to) {
  const [[folder, part], [wanted, wantedPart]] = [from.split("/"), to.split("/")];
  if (rowOf(folder) < 0 || rowOf(wanted) < 0) return `${rowOf(folder) < 0 ? folder : wanted} is in no row of layers`;
  if (folder !== wanted) {
    if (rowOf(folder) < rowOf(wanted) || BESIDE[folder]?.includes(wanted)) return null;
    return `${folder}/ is not above ${wanted}/`;
  }
  if (folder !== "rulesets" || part === wantedPart || part === "registry.ts") return null;
  return RULESETS[part]?.includes(wantedPart) ? null : `${folder}/${part} may not import ${folder}/${wantedPart}`;
}

const order = {
  meta: { type: "problem", schema: [], messages: { fault: "{{ fault }}: see eslint.layers.js." } },
  create(context) {
    const from = path.relative(SOURCES, context.filename);
    if (from.startsWith("..")) return {};
    const check = ({ source }) => {
      if (typeof source?.value !== "string" || !source.value.startsWith(".")) return;
      const to = path.relative(SOURCES, path.resolve(path.dirname(context.filename), source.value));
      const fault = findFault(from, to);
      if (fault) context.report({ node: source, messageId: "fault", data: { fault } });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportAllDeclaration: check,
      ExportNamedDeclaration: check,
      TSImportType: check,
    };
  },
};

export default { rules: { order } };
