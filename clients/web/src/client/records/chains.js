// Bytes, chains and commitments: what a player needs for the dice. docs/fairness.md, "Dice".

import { randomBytes, sha256 } from "#digest";

export { randomBytes, sha256 };
export const ZERO_NONCE = "0".repeat(32);
export const CHAIN_LENGTH = 512;

/** Every byte as two digits: a chain has a thousand links, and each record a hash. */
const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/**
 * @param {string} text
 * @returns {Uint8Array}
 */
export function hex(text) {
  const bytes = new Uint8Array(text.length >> 1);
  for (let k = 0; k < bytes.length; k += 1) bytes[k] = (digitAt(text, 2 * k) << 4) | digitAt(text, 2 * k + 1);
  return bytes;
}

/** @type {(text: string, place: number) => number} */
const digitAt = (text, place) => {
  const code = text.charCodeAt(place);
  return code < 58 ? code - 48 : code - 87;
};

/** @param {Uint8Array} bytes */
export function toHex(bytes) {
  let text = "";
  for (const byte of bytes) text += BYTES[byte];
  return text;
}

/** @type {(text: unknown, bytes: number) => text is string} */
export const isHex = (text, bytes) => typeof text === "string" && text.length === 2 * bytes && /^[0-9a-f]*$/.test(text);

// ---------------------------------------------------------------- chains

/**
 * Is this seat nonce the next link after the one opened last, or after the head?
 *
 * @param {unknown} nonce
 * @param {string} head
 */
export const opensSeatChain = (nonce, head) => isHex(nonce, 16) && toHex(seatHash(hex(nonce))) === head;

/** @param {Uint8Array} link */
const seatHash = (link) => sha256(link).subarray(0, 16);

/**
 * @param {Uint8Array} farEnd
 * @param {number} length
 * @param {(link: Uint8Array) => Uint8Array} next
 */
function chain(farEnd, length, next) {
  const links = [toHex(farEnd)];
  for (let k = 0, link = farEnd; k < length; k += 1) links.push(toHex((link = next(link))));
  return links.reverse();
}

/**
 * The chain of a seat from its far end: `links[0]` is the head.
 *
 * @param {Uint8Array} farEnd
 * @param {number} [length]
 */
export const seatChain = (farEnd, length = CHAIN_LENGTH) => chain(farEnd, length, seatHash);

/** @param {Uint8Array} farEnd */
export const serverChain = (farEnd) => chain(farEnd, CHAIN_LENGTH, sha256);

// ---------------------------------------------------------------- locked cards

/**
 * @param {string} match
 * @param {number} step
 * @param {number} seat
 * @param {string} card
 * @param {string} salt
 */
export function cardCommitment(match, step, seat, card, salt) {
  const fields = ["diskwars command card 1", match, String(step), String(seat), card];
  const sized = [...fields.map((text) => new TextEncoder().encode(text)), hex(salt)].flatMap((field) => {
    const size = new DataView(new ArrayBuffer(4));
    size.setUint32(0, field.length);
    return [new Uint8Array(size.buffer), field];
  });
  return toHex(sha256(...sized));
}
