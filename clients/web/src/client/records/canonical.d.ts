export class NotCanonical extends Error {
  readonly kind: string;
}
export function encode(value: unknown): string;
export function parseCanonical(text: string): unknown;
export function parseAllowed(text: string): unknown;
