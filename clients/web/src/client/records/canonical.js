// Canonical JSON: the one spelling of a value, and what no record may hold. docs/fairness.md, "Canonical JSON".

const MAX_DEPTH = 32;
const INTEGER_KEY = /^-?[0-9]+$/;

export class NotCanonical extends Error {
  /** @param {string} kind */
  constructor(kind) {
    super(kind);
    this.kind = kind;
  }
}

/**
 * Return the canonical text of a value that was parsed from JSON or built from plain objects.
 *
 * @param {unknown} value
 * @returns {string}
 */
export function encode(value) {
  return JSON.stringify(value);
}

/**
 * Return the value of a canonical text. Throws NotCanonical for every other text.
 *
 * @param {string} text
 * @returns {unknown}
 */
export function parseCanonical(text) {
  const quick = parseQuickly(text);
  if (quick !== undefined) return quick;
  const value = parseAllowed(text);
  if (JSON.stringify(value) !== text) throw new NotCanonical("spelling");
  return value;
}

/**
 * Return the value of a text that is surely canonical, otherwise undefined: its fault is found by `parseAllowed`.
 *
 * A text that is written again as it was read spells each number as JavaScript does, so that only values have to be looked
 * at. What may be wrong with a string needs an escape: without one, none has to be looked at. Half as long for a file.
 *
 * @param {string} text
 * @returns {unknown}
 */
function parseQuickly(text) {
  if (text.includes("\\u") || !text.isWellFormed()) return undefined;
  try {
    /** @type {unknown} */
    const value = JSON.parse(text);
    return JSON.stringify(value) === text && isPlain(value, 0) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether there are safe integers only, no key that is one, and not more than `MAX_DEPTH` levels.
 *
 * @param {unknown} value
 * @param {number} depth
 * @returns {boolean}
 */
function isPlain(value, depth) {
  if (typeof value === "number") return Number.isSafeInteger(value);
  if (value === null || typeof value !== "object") return true;
  if (depth === MAX_DEPTH) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (!isPlain(item, depth + 1)) return false;
    return true;
  }
  for (const [key, field] of Object.entries(value)) {
    if (isIntegerKey(key) || !isPlain(field, depth + 1)) return false;
  }
  return true;
}

/**
 * Most keys are words: their first letter says so.
 *
 * @param {string} key
 */
const isIntegerKey = (key) => key.charCodeAt(0) < 58 && INTEGER_KEY.test(key);

/**
 * Return the value of a text in any spelling, as long as a message may hold it.
 *
 * @param {string} text
 * @returns {unknown}
 */
export function parseAllowed(text) {
  const fault = tooDeep(text) ? "too_deep" : numberFault(text);
  /** @type {unknown} */
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new NotCanonical(fault === "too_deep" ? fault : "not_json");
  }
  const inside = fault ?? findFault(value);
  if (inside) throw new NotCanonical(inside);
  return value;
}

/**
 * Nesting is counted in the text, before a parser recurses.
 *
 * @param {string} text
 */
function tooDeep(text) {
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}]/gs)) {
    if (token === "[" || token === "{") depth += 1;
    if (token === "]" || token === "}") depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/**
 * JSON.parse rounds numbers, so their spelling is looked at before.
 *
 * @param {string} text
 */
function numberFault(text) {
  const plain = text.replace(/"(?:[^"\\]|\\.)*"?/gs, '""');
  for (const [number] of plain.matchAll(/-?[0-9][0-9.eE+-]*/g)) {
    if (/[.eE]/.test(number)) return "float";
    if (!Number.isSafeInteger(Number(number))) return "big_integer";
  }
  return null;
}

/**
 * @param {unknown} value
 * @returns {string | null}
 */
function findFault(value) {
  if (typeof value === "string") return textFault(value);
  if (Array.isArray(value)) return firstFault(value);
  if (value === null || typeof value !== "object") return null;
  for (const key of Object.keys(value)) {
    const fault = INTEGER_KEY.test(key) ? "integer_key" : textFault(key);
    if (fault) return fault;
  }
  return firstFault(Object.values(value));
}

/**
 * @param {ReadonlyArray<unknown>} values
 * @returns {string | null}
 */
function firstFault(values) {
  for (const value of values) {
    const fault = findFault(value);
    if (fault) return fault;
  }
  return null;
}

/** @param {string} text */
function textFault(text) {
  if (text.includes("\0")) return "nul";
  return text.isWellFormed() ? null : "lone_surrogate";
}
