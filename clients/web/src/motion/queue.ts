// What plays on the table, one beat after another. It never falls behind: faster where much waits, and nothing at all beyond that.

export interface Beat {
  readonly ms: number;
  /** Time to read what it shows: nothing hurries it, and it is no backlog. */
  readonly holdMs?: number;
}
/** The time that passes, and what happens after some of it; tests have one of their own. */
export interface MotionClock {
  now(): number;
  /** Returns what calls it off. */
  after(ms: number, act: () => void): () => void;
}

/** Up to so much that waits plays as it is, up to so much twice as fast, and beyond that nothing plays. */
export const CALM_BACKLOG_MS = 3_000;
export const HURRIED_BACKLOG_MS = 8_000;
const HURRY = 2;

export const browserClock: MotionClock = {
  now: () => performance.now(),
  after: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

export class MotionQueue<Kind extends Beat> {
  private waiting: Kind[] = [];
  private playing: Kind | null = null;
  private endsAt = 0;
  /** How much faster than planned all of it plays, as in a replay that is set to a speed. */
  pace = 1;
  private cancel: () => void = () => undefined;

  constructor(
    private readonly clock: MotionClock,
    /** Takes the beat that begins, with how much faster than planned it plays; null once nothing is left. */
    private readonly onBeat: (beat: Kind | null, speed: number) => void,
    /** Called where so much waited that it was left out. */
    private readonly onLeftOut: () => void = () => undefined,
  ) {}

  get isPlaying(): boolean {
    return this.playing !== null;
  }
  /** How long what is left would take as planned. */
  get backlogMs(): number {
    const left = this.playing ? Math.max(0, this.endsAt - this.clock.now()) : 0;
    return this.waiting.reduce((sum, { ms }) => sum + ms, left);
  }

  push(beats: ReadonlyArray<Kind>): void {
    this.waiting.push(...beats);
    if (this.backlogMs > HURRIED_BACKLOG_MS) {
      this.finish();
      this.onLeftOut();
    } else if (!this.playing) this.next();
  }

  /** End the beat that plays and go on with the next. */
  skip(): void {
    if (!this.playing) return;
    this.cancel();
    this.next();
  }

  /** Leave out what is left. */
  finish(): void {
    if (!this.playing && this.waiting.length === 0) return;
    this.cancel();
    this.waiting = [];
    this.playing = null;
    this.onBeat(null, 1);
  }

  private next(): void {
    const speed = this.pace * (this.backlogMs > CALM_BACKLOG_MS ? HURRY : 1);
    this.playing = this.waiting.shift() ?? null;
    if (this.playing) {
      const ms = this.playing.ms / speed;
      this.endsAt = this.clock.now() + ms;
      this.cancel = this.clock.after(ms + (this.playing.holdMs ?? 0), () => this.next());
    }
    this.onBeat(this.playing, speed);
  }
}
