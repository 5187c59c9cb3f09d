export function sha256(...parts: ReadonlyArray<Uint8Array | string>): Uint8Array;
export function hmac(key: Uint8Array, ...parts: ReadonlyArray<Uint8Array | string>): Uint8Array;
export function randomBytes(count: number): Uint8Array;
