// SHA-256 and random bytes in a browser. Web Crypto's digest is asynchronous, and missing on pages without TLS.

import { hmac as startHmac } from "@noble/hashes/hmac.js";
import { sha256 as hash } from "@noble/hashes/sha2.js";

const encoder = new TextEncoder();
/** @typedef {Uint8Array | string} Part */
/** @param {Part} part */
const bytesOf = (part) => (typeof part === "string" ? encoder.encode(part) : part);

/**
 * @param {...Part} parts
 * @returns {Uint8Array}
 */
export function sha256(...parts) {
  const digest = hash.create();
  for (const part of parts) digest.update(bytesOf(part));
  return digest.digest();
}

/**
 * @param {Uint8Array} key
 * @param {...Part} parts
 * @returns {Uint8Array}
 */
export function hmac(key, ...parts) {
  const mac = startHmac.create(hash, key);
  for (const part of parts) mac.update(bytesOf(part));
  return mac.digest();
}

/** @type {(count: number) => Uint8Array} */
export const randomBytes = (count) => crypto.getRandomValues(new Uint8Array(count));
