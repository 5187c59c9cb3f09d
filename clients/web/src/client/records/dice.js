// Keys and draws: what it takes to compute dice again. docs/fairness.md, "Dice".

import { hmac } from "#digest";
import { ZERO_NONCE, hex, isHex, sha256, toHex } from "./chains.js";

// Who computes dice again needs the chains as well; the page loads these first, and the draws with the proof.
export * from "./chains.js";

/** @import { Draw } from "../../protocol/types" */
/** @typedef {Pick<Draw, "index" | "results" | "size" | "tag"> & { readonly kind: string }} DrawLike */

/** @param {ReadonlyArray<Uint8Array>} parts */
function concat(parts) {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  parts.reduce((place, part) => (whole.set(part, place), place + part.length), 0);
  return whole;
}

/**
 * Does this server link lead to the one that was published before it?
 *
 * @param {unknown} link
 * @param {string} before
 */
export const followsServerLink = (link, before) => isHex(link, 32) && toHex(sha256(hex(link))) === before;

// ---------------------------------------------------------------- keys

/** @param {ReadonlyArray<string>} nonces */
function fourNonces(nonces) {
  return concat([0, 1, 2, 3].flatMap((seat) => [Uint8Array.of(seat), hex(nonces[seat] || ZERO_NONCE)]));
}

/** @type {(link: string, previous: Uint8Array, nonces: ReadonlyArray<string>) => Uint8Array} */
export const stepKey = (link, previous, nonces) => hmac(hex(link), previous, fourNonces(nonces));

/**
 * The keys of steps 1, 2, …, as far as links are published and follow from each other; `keys[0]` is zeros.
 *
 * @param {string} anchor
 * @param {ReadonlyArray<{ readonly link: string, readonly nonces: ReadonlyArray<string> }>} steps
 */
export function stepKeys(anchor, steps) {
  /** @type {Uint8Array} */
  let key = new Uint8Array(32);
  const keys = [key];
  let before = anchor;
  for (const { link, nonces } of steps) {
    if (!link || !followsServerLink(link, before) || !nonces.every((nonce) => isHex(nonce, 16))) break;
    key = stepKey(link, key, nonces);
    keys.push(key);
    before = link;
  }
  return keys;
}

/** @type {(dealSecret: string, nonces: ReadonlyArray<string>) => Uint8Array} */
export const dealKey = (dealSecret, nonces) => hmac(hex(dealSecret), fourNonces(nonces));

// ---------------------------------------------------------------- draws

/**
 * Draw number `index`, one of n: from 0 to n - 1.
 *
 * @param {Uint8Array} key
 * @param {bigint | number} index
 * @param {string} tag
 * @param {bigint | number} n
 */
export function drawNumber(key, index, tag, n) {
  const values = BigInt(n);
  const limit = 2n ** 64n - (2n ** 64n % values);
  const place = new DataView(new ArrayBuffer(12));
  place.setBigUint64(0, BigInt(index));
  for (let attempt = 0; ; attempt += 1) {
    place.setUint32(8, attempt);
    const value = new DataView(hmac(key, new Uint8Array(place.buffer), tag).buffer).getBigUint64(0);
    if (value < limit) return { value: value % values, attempts: attempt + 1 };
  }
}

/** @type {(key: Uint8Array, index: number, tag: string, n: number) => number} */
export const drawPlace = (key, index, tag, n) => Number(drawNumber(key, index, tag, n).value);

/**
 * @param {Uint8Array} key
 * @param {number} index
 * @param {string} tag
 * @param {number} count
 */
export function shuffle(key, index, tag, count) {
  const order = Array.from({ length: count }, (_, place) => place);
  for (let place = count - 1, next = index; place > 0; place -= 1, next += 1) {
    const other = drawPlace(key, next, tag, place + 1);
    const [here = 0, there = 0] = [order[place], order[other]];
    [order[place], order[other]] = [there, here];
  }
  return order;
}

/**
 * The faces that the key of the step gives to a draw.
 *
 * @param {DrawLike} draw
 * @param {Uint8Array} key
 */
export function facesOf(draw, key) {
  if (draw.kind === "shuffle") return shuffle(key, draw.index, draw.tag, draw.size);
  return draw.results.map((_, number) => 1 + drawPlace(key, draw.index + number, draw.tag, draw.size));
}

/** @param {DrawLike} draw */
export const indicesTaken = (draw) => (draw.kind === "shuffle" ? Math.max(0, draw.size - 1) : draw.results.length);

const DRAW_FIELDS = ["step", "index", "kind", "size", "tag", "results"];

/** @type {(value: object) => value is Draw} */
const isDraw = (value) => DRAW_FIELDS.every((name) => name in value);

/**
 * The draws of an event, by index.
 *
 * @param {unknown} value
 * @returns {Draw[]}
 */
export function drawsOf(value) {
  if (value === null || typeof value !== "object") return [];
  if (!Array.isArray(value) && isDraw(value)) return [value];
  return Object.values(value)
    .flatMap(drawsOf)
    .sort((one, other) => one.index - other.index);
}
