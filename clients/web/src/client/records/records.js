// Sealed values, the hash chain and the match file. docs/fairness.md, "Records".

import { encode, NotCanonical, parseCanonical } from "./canonical.js";
import { hex, isHex, sha256, toHex } from "./dice.js";

/** A file in a later format than this program knows. */
export class NewerFormat extends Error {}

/** The first record that is wrong, and why; 0 is the header. */
export class WrongRecord extends Error {
  constructor(seq, why) {
    super(`${seq ? `record ${seq}` : "header"}: ${why}`);
    this.seq = seq;
  }
}

export const isSealed = (value) =>
  value !== null &&
  typeof value === "object" &&
  !Array.isArray(value) &&
  Object.keys(value).join() === "#" &&
  isHex(value["#"], 32);

export function countSealed(value) {
  if (value === null || typeof value !== "object") return 0;
  return isSealed(value) ? 1 : Object.values(value).reduce((sum, item) => sum + countSealed(item), 0);
}

/** The hash before record 1. */
export const genesis = (headerText) => toHex(sha256(headerText));

/** The hash after a record as it comes from the wire or from a file. */
export function nextHash(previous, record) {
  if (!isHex(record.salt, 16)) throw new WrongRecord(record.seq, "its salt is not 32 hex digits");
  const leaf = sha256(hex(record.salt), encode(record.body));
  return toHex(sha256(hex(previous), leaf));
}

/** The body of a record with its openings put in their places, each checked. It shares with the record what was not sealed. */
export function unsealedBody(record) {
  let { body } = record;
  for (const { path, salt, value } of record.openings ?? []) {
    const sealed = path.length ? path.reduce(child, body) : undefined;
    const digest = isHex(salt, 16) ? toHex(sha256(hex(salt), encode(value))) : "";
    if (!isSealed(sealed) || sealed["#"] !== digest || countSealed(value)) {
      throw new WrongRecord(record.seq, `the opening of ${path.join(".")} does not fit`);
    }
    body = replaced(body, path, value);
  }
  return body;
}

/** A copy of a value with another one at a place. */
function replaced(node, [step, ...rest], value) {
  const copy = Array.isArray(node) ? [...node] : { ...node };
  copy[step] = rest.length ? replaced(node[step], rest, value) : value;
  return copy;
}

function child(node, step) {
  const isPlace = Array.isArray(node) ? Number.isInteger(step) : typeof step === "string";
  return node !== null && typeof node === "object" && isPlace && Object.hasOwn(node, step) ? node[step] : undefined;
}

// ---------------------------------------------------------------- match file

const OPENING_FIELDS = ["path", "salt", "value", "seats"];

/** Read a match file and check it as text: lines, numbers, hashes and openings. */
export function readFile(bytes) {
  const lines = decodeLines(bytes);
  const cut = lines.pop();
  if (lines.length === 0) return { header: null, records: [], bodies: [], head: "", isEnded: false };
  const header = readHeader(lines[0]);
  const records = [];
  const bodies = [];
  let head = genesis(lines[0]);
  for (const [seq, line] of lines.entries()) {
    if (seq === 0) continue;
    requireNotEnded(seq, bodies);
    const record = readLine(line, seq);
    head = nextHash(head, record);
    if (record.hash !== head) throw new WrongRecord(seq, "its hash does not follow");
    records.push(record);
    bodies.push(unsealedBody(record));
  }
  if (cut !== "") {
    requireNotEnded(lines.length, bodies);
    checkCutLine(cut, lines.length);
  }
  return { header, records, bodies, head, isEnded: bodies.length > 0 && bodies.at(-1).result !== undefined };
}

function decodeLines(bytes) {
  let from = 0;
  const lines = [];
  for (let end = bytes.indexOf(10); ; end = bytes.indexOf(10, from)) {
    const line = bytes.subarray(from, end < 0 ? bytes.length : end);
    // A file may be cut within a character: only whole lines have to be text.
    try {
      lines.push(new TextDecoder("utf-8", { fatal: end >= 0, ignoreBOM: true }).decode(line));
    } catch {
      throw new WrongRecord(lines.length, "it is not UTF-8");
    }
    if (end < 0) return lines;
    from = end + 1;
  }
}

function readHeader(line) {
  const header = parsed(line, 0);
  const { type, format, match, ruleset } = header;
  if (type === "diskwars-match" && format > 1) throw new NewerFormat(`format ${format}`);
  if (type !== "diskwars-match" || format !== 1 || typeof match !== "string" || typeof ruleset !== "string") {
    throw new WrongRecord(0, "not the header of a match file in format 1");
  }
  // Fields that were added later follow those known here: the chain covers the whole line.
  if (Object.keys(header).slice(0, 4).join() !== "type,format,match,ruleset")
    throw new WrongRecord(0, "its fields are out of order");
  return header;
}

function readLine(line, seq) {
  const record = parsed(line, seq);
  if (record.seq !== seq) throw new WrongRecord(seq, `here is a record with the number ${record.seq}`);
  const { body, openings } = record;
  const isObject = body !== null && typeof body === "object" && !Array.isArray(body);
  // The line is canonical, so that it is spelled as it was written where its fields stand in their order.
  const fields = openings ? "seq,salt,body,openings,hash" : "seq,salt,body,hash";
  if (!isObject || Object.keys(record).join() !== fields) throw new WrongRecord(seq, "not spelled as it was written");
  for (const opening of openings ?? []) {
    if (Object.keys(opening).join() !== OPENING_FIELDS.filter((name) => name in opening).join()) {
      throw new WrongRecord(seq, "an opening has other fields");
    }
  }
  return record;
}

function parsed(line, seq) {
  try {
    return parseCanonical(line);
  } catch (fault) {
    if (fault instanceof NotCanonical) throw new WrongRecord(seq, `not canonical, ${fault.kind}`);
    throw fault;
  }
}

function requireNotEnded(seq, bodies) {
  if (bodies.at(-1)?.result !== undefined) throw new WrongRecord(seq, "it follows the end of the match");
}

/** A line without its line feed has to be the beginning of the next record. */
function checkCutLine(cut, seq) {
  const begins = `{"seq":${seq},"`;
  if (!cut.startsWith(begins) && !begins.startsWith(cut)) throw new WrongRecord(seq, "its line is damaged");
  let depth = 0;
  for (const token of cut.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}]/gs)) {
    depth += { "[": 1, "{": 1, "]": -1, "}": -1 }[token[0]] ?? 0;
    if (depth === 0 && token.index + token[0].length < cut.length) throw new WrongRecord(seq, "its line is damaged");
  }
}
