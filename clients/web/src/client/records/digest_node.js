// SHA-256 and random bytes where Node runs this code.

import { createHash, createHmac, randomBytes as random } from "node:crypto";

/** @typedef {Uint8Array | string} Part */
/**
 * @param {...Part} parts
 * @returns {Uint8Array}
 */
export function sha256(...parts) {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return new Uint8Array(hash.digest());
}

/**
 * @param {Uint8Array} key
 * @param {...Part} parts
 * @returns {Uint8Array}
 */
export function hmac(key, ...parts) {
  const mac = createHmac("sha256", key);
  for (const part of parts) mac.update(part);
  return new Uint8Array(mac.digest());
}

/** @type {(count: number) => Uint8Array} */
export const randomBytes = (count) => new Uint8Array(random(count));
