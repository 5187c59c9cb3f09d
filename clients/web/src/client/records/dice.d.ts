export const ZERO_NONCE: string;
export const CHAIN_LENGTH: number;
export interface DrawLike {
  readonly kind: string;
  readonly index: number;
  readonly tag: string;
  readonly size: number;
  readonly results: ReadonlyArray<number>;
}
export function randomBytes(count: number): Uint8Array;
export function sha256(...parts: ReadonlyArray<Uint8Array | string>): Uint8Array;
export function hex(text: string): Uint8Array;
export function toHex(bytes: Uint8Array): string;
export function isHex(text: unknown, bytes: number): boolean;
export function seatChain(farEnd: Uint8Array, length?: number): string[];
export function serverChain(farEnd: Uint8Array): string[];
export function stepKeys(
  anchor: string,
  steps: ReadonlyArray<{ link: string; nonces: ReadonlyArray<string> }>,
): Uint8Array[];
export function dealKey(secret: string, nonces: ReadonlyArray<string>): Uint8Array;
export function drawNumber(
  key: Uint8Array,
  index: bigint | number,
  tag: string,
  n: bigint | number,
): { value: bigint; attempts: number };
export function drawPlace(key: Uint8Array, index: number, tag: string, n: number): number;
export function facesOf(draw: DrawLike, key: Uint8Array): number[];
export function indicesTaken(draw: DrawLike): number;
export function drawsOf(value: unknown): DrawLike[];
export function cardCommitment(match: string, step: number, seat: number, card: string, salt: string): string;
