// SHA-256 and random bytes where Node runs this code.

import { createHash, createHmac, randomBytes as random } from "node:crypto";

export function sha256(...parts) {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return new Uint8Array(hash.digest());
}

export function hmac(key, ...parts) {
  const mac = createHmac("sha256", key);
  for (const part of parts) mac.update(part);
  return new Uint8Array(mac.digest());
}

export const randomBytes = (count) => new Uint8Array(random(count));
