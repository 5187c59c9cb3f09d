// What a server can contradict itself in, or what this device gave: the match is frozen then.

import { WrongRecord } from "./records/records.js";

export type ContradictionCode =
  | "foreign_header"
  | "wrong_start"
  | "rewritten"
  | "wrong_hash"
  | "unknown_record"
  | "wrong_takeback"
  | "wrong_record"
  | "dice_nonce"
  | "seat_nonce"
  | "locked_card"
  | "revealed_card"
  | "chain_head";

/** `code` and the number of the record, where it is one that is wrong, are for the texts of a page; the message is for developers. */
export class Contradiction extends Error {
  constructor(
    readonly code: ContradictionCode,
    readonly seq = 0,
    options?: ErrorOptions,
  ) {
    super(seq ? `${code}: record ${seq}` : code, options);
  }
}

/** Return a fault that came up while record `seq` was taken as what the server is at fault for. */
export function asContradiction(fault: unknown, seq: number): Contradiction {
  if (fault instanceof Contradiction) return fault;
  return new Contradiction("wrong_record", fault instanceof WrongRecord ? fault.seq : seq, { cause: fault });
}
