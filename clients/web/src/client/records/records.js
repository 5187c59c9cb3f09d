// Sealed values, the hash chain and the match file. docs/fairness.md, "Records".

import { encode, NotCanonical, parseCanonical } from "./canonical.js";
import { hex, isHex, sha256, toHex } from "./chains.js";

/** @import { MatchHeader, Opening, Sealed, diskwars } from "../../protocol/types" */
/** @typedef {diskwars.RecordBody} RecordBody */
/**
 * A record as it comes from the wire or from a file. Only a file has the hash of each.
 *
 * @typedef {{
 *   readonly seq: number,
 *   readonly salt: string,
 *   readonly body: unknown,
 *   readonly openings?: ReadonlyArray<Opening>,
 *   readonly hash?: string,
 * }} ReceivedRecord
 */
/**
 * @typedef {{
 *   readonly header: MatchHeader | null,
 *   readonly records: ReceivedRecord[],
 *   readonly bodies: RecordBody[],
 *   readonly head: string,
 *   readonly isEnded: boolean,
 * }} MatchFile
 */

/** A file in a later format than this program knows. */
export class NewerFormat extends Error {}

/** The first record that is wrong, and why; 0 is the header. */
export class WrongRecord extends Error {
  /**
   * @param {number} seq
   * @param {string} why
   */
  constructor(seq, why) {
    super(`${seq ? `record ${seq}` : "header"}: ${why}`);
    this.seq = seq;
  }
}

/** @type {(value: unknown) => value is Sealed} */
export const isSealed = (value) =>
  value !== null &&
  typeof value === "object" &&
  "#" in value &&
  Object.keys(value).length === 1 &&
  isHex(/** @type {Fields} */ (value)["#"], 32);

/**
 * @param {unknown} value
 * @returns {number}
 */
export function countSealed(value) {
  if (value === null || typeof value !== "object") return 0;
  return isSealed(value) ? 1 : Object.values(value).reduce((sum, item) => sum + countSealed(item), 0);
}

/**
 * The hash before record 1.
 *
 * @param {string} headerText
 */
export const genesis = (headerText) => toHex(sha256(headerText));

/**
 * The hash after a record as it comes from the wire or from a file.
 *
 * @param {string} previous
 * @param {ReceivedRecord} record
 */
export function nextHash(previous, record) {
  if (!isHex(record.salt, 16)) throw new WrongRecord(record.seq, "its salt is not 32 hex digits");
  const leaf = sha256(hex(record.salt), encode(record.body));
  return toHex(sha256(hex(previous), leaf));
}

/**
 * The body of a record with its openings put in their places, each checked. It shares with the record what was not sealed.
 *
 * @param {ReceivedRecord} record
 */
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
  return /** @type {RecordBody} */ (body);
}

/** @typedef {Readonly<Record<string | number, unknown>>} Fields */

/**
 * A copy of a value with another one at a place, which is there.
 *
 * @param {unknown} node
 * @param {ReadonlyArray<string | number>} path
 * @param {unknown} value
 * @returns {unknown}
 */
function replaced(node, path, value) {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const inner = replaced(child(node, step), rest, value);
  if (Array.isArray(node)) return node.map((item, place) => (place === step ? inner : item));
  return { .../** @type {Fields} */ (node), [step]: inner };
}

/**
 * @param {unknown} node
 * @param {string | number} step
 * @returns {unknown}
 */
function child(node, step) {
  const isPlace = Array.isArray(node) ? Number.isInteger(step) : typeof step === "string";
  if (node === null || typeof node !== "object" || !isPlace || !Object.hasOwn(node, step)) return undefined;
  return /** @type {Fields} */ (node)[step];
}

// ---------------------------------------------------------------- match file

const OPENING_FIELDS = ["path", "salt", "value", "seats"];

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const [LF, CR] = [0x0a, 0x0d];

/**
 * A file as it was written, from one that a program for texts has saved: without CR before LF and byte order mark. Both
 * are outside of every value, for JSON writes a carriage return in a string as an escape.
 *
 * @param {Uint8Array} bytes
 * @returns {Uint8Array}
 */
export function undoTextConversion(bytes) {
  const isMarked = BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte);
  const from = isMarked ? BYTE_ORDER_MARK.length : 0;
  return bytes.subarray(from).filter((byte, at, all) => byte !== CR || all[at + 1] !== LF);
}

/**
 * Read a match file and check it as text: lines, numbers, hashes and openings.
 *
 * @param {Uint8Array} bytes
 * @returns {MatchFile}
 */
export function readFile(bytes) {
  const lines = decodeLines(bytes);
  const lastLine = lines.pop();
  const [first] = lines;
  if (first === undefined) return { header: null, records: [], bodies: [], head: "", isEnded: false };
  const header = readHeader(first);
  /** @type {ReceivedRecord[]} */
  const records = [];
  /** @type {RecordBody[]} */
  const bodies = [];
  let head = genesis(first);
  for (const [seq, line] of lines.entries()) {
    if (seq === 0) continue;
    requireNotEnded(seq, bodies);
    const record = readLine(line, seq);
    head = nextHash(head, record);
    if (record.hash !== head) throw new WrongRecord(seq, "its hash does not follow");
    records.push(record);
    bodies.push(unsealedBody(record));
  }
  if (lastLine) {
    requireNotEnded(lines.length, bodies);
    checkCutLine(lastLine, lines.length);
  }
  return { header, records, bodies, head, isEnded: bodies.at(-1)?.result !== undefined };
}

/** @param {Uint8Array} bytes */
function decodeLines(bytes) {
  let from = 0;
  /** @type {string[]} */
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

/**
 * @param {string} line
 * @returns {MatchHeader}
 */
function readHeader(line) {
  const header = /** @type {MatchHeader} */ (parsed(line, 0));
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

/**
 * @param {string} line
 * @param {number} seq
 * @returns {ReceivedRecord}
 */
function readLine(line, seq) {
  const record = /** @type {ReceivedRecord} */ (parsed(line, seq));
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

/**
 * @param {string} line
 * @param {number} seq
 */
function parsed(line, seq) {
  try {
    return parseCanonical(line);
  } catch (fault) {
    if (fault instanceof NotCanonical) throw new WrongRecord(seq, `not canonical, ${fault.kind}`);
    throw fault;
  }
}

/**
 * @param {number} seq
 * @param {ReadonlyArray<RecordBody>} bodies
 */
function requireNotEnded(seq, bodies) {
  if (bodies.at(-1)?.result !== undefined) throw new WrongRecord(seq, "it follows the end of the match");
}

/** @type {Readonly<Record<string, number>>} */
const DEPTH_CHANGES = { "[": 1, "{": 1, "]": -1, "}": -1 };

/**
 * A line without its line feed has to be the beginning of the next record.
 *
 * @param {string} line
 * @param {number} seq
 */
function checkCutLine(line, seq) {
  const begins = `{"seq":${seq},"`;
  if (!line.startsWith(begins) && !begins.startsWith(line)) throw new WrongRecord(seq, "its line is damaged");
  let depth = 0;
  for (const token of line.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}]/gs)) {
    depth += DEPTH_CHANGES[token[0]] ?? 0;
    if (depth === 0 && token.index + token[0].length < line.length) throw new WrongRecord(seq, "its line is damaged");
  }
}
