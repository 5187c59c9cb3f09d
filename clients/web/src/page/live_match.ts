// A match as it is received. What reads it in an effect or a derived value runs again with everything that is received.

import type { MatchState, RecordBody } from "../client/records/match.js";
import type { Contradiction } from "../client/contradiction";
import type { MatchStream } from "../client/stream";
import type { diskwars } from "../protocol/types";
import { session } from "./session.svelte";

/** The stream changes in place: derive plain values from it, which tell whether something has changed. */
export class LiveMatch {
  /** `file` finds records that are on this device, instead of those of the server. */
  constructor(
    private readonly match: () => string | null,
    private readonly file: () => MatchStream | null = () => null,
  ) {}

  get stream(): MatchStream | null {
    const match = this.match();
    const { streams } = session.live;
    return this.file() ?? (match === null ? null : (streams.get(match) ?? null));
  }
  get ruleset(): string {
    return this.stream?.header.ruleset ?? "";
  }
  get state(): MatchState | null {
    return this.stream?.state ?? null;
  }
  get bodies(): ReadonlyArray<RecordBody> {
    return this.stream?.bodies ?? [];
  }
  get seat(): number | null {
    return this.stream?.seat ?? null;
  }
  get fault(): Contradiction | null {
    return this.stream?.fault ?? null;
  }
  get watchers(): number {
    return this.stream?.watchers ?? 0;
  }
  get hasCaughtUp(): boolean {
    return this.stream?.hasCaughtUp ?? false;
  }
  /** Another for each state of the records: much is received that is about something else. */
  get version(): string {
    return `${this.stream?.seq} ${this.stream?.isOpened}`;
  }
  /** Whether the own seat is played on another device. */
  get isElsewhere(): boolean {
    const { stream } = this;
    return stream !== null && session.live.isElsewhere(stream.match);
  }
  optionsOf(decision: string): diskwars.Options | undefined {
    return this.stream?.options.get(decision);
  }
}
