// How fast a client sends: a little less than the server allows, for frames that were spaced may arrive together.

import type { ClientLimits } from "../protocol/types";

const SHARE = 0.8;

export class Pace {
  private readonly spacingMs: number;
  private readonly burst: number;
  private freeAt = -Infinity; // the clock may count from any moment

  /** Without limits, before the server has named them, there is no pace. */
  constructor(limits?: Partial<ClientLimits>) {
    this.spacingMs = limits?.frames_per_second ? 1000 / (SHARE * limits.frames_per_second) : 0;
    this.burst = SHARE * (limits?.frame_burst ?? 0);
  }

  /** Count a message, and return how many milliseconds it has to wait. */
  waitMs(now: number): number {
    this.freeAt = Math.max(this.freeAt, now - this.burst * this.spacingMs) + this.spacingMs;
    return Math.max(0, this.freeAt - now);
  }
}
