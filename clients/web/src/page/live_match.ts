// A match as it is received. What reads it in an effect or a derived value runs again with everything that is received.

import type { MatchState, RecordBody } from "../client/records/match.js";
import type { MatchStream } from "../client/stream";
import { session } from "./session.svelte";

export class LiveMatch {
  /** `file` finds records that are on this device, instead of those of the server. */
  constructor(
    private readonly match: () => string | null,
    private readonly file: () => MatchStream | null = () => null,
  ) {}

  /** It changes in place and stays the same object: derive values that are read from here, never from a stream that was kept. */
  get stream(): MatchStream | null {
    const { streams } = session.live;
    return this.file() ?? streams.get(this.match() ?? "") ?? null;
  }
  get state(): MatchState | null {
    return this.stream?.state ?? null;
  }
  get bodies(): ReadonlyArray<RecordBody> {
    return this.stream?.bodies ?? [];
  }
  /** Whether every record has been checked. Those of a history are shown before. */
  get isChecked(): boolean {
    return this.stream?.isChecked ?? true;
  }
  get seat(): number | null {
    return this.stream?.seat ?? null;
  }
}
