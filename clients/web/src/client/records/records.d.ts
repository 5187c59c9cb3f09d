import type { MatchHeader, Opening } from "../../protocol/types";
import type { RecordBody } from "./match";

export class NewerFormat extends Error {}
export class WrongRecord extends Error {
  readonly seq: number;
}
export interface ReceivedRecord {
  readonly seq: number;
  readonly salt: string;
  readonly body: unknown;
  readonly openings?: ReadonlyArray<Opening>;
  readonly hash?: string;
}
export interface MatchFile {
  readonly header: MatchHeader | null;
  readonly records: ReceivedRecord[];
  readonly bodies: RecordBody[];
  readonly head: string;
  readonly isEnded: boolean;
}
export function isSealed(value: unknown): boolean;
export function countSealed(value: unknown): number;
export function genesis(headerText: string): string;
export function nextHash(previous: string, record: ReceivedRecord): string;
export function unsealedBody(record: ReceivedRecord): RecordBody;
export function readFile(bytes: Uint8Array): MatchFile;
