// What plays on the table now: the match as it was before the record that plays, and the beat that is shown.

import { copyMatch, type MatchState } from "../client/records/match.js";
import type { MatchStream } from "../client/stream";
import { beatsOf, reducedBeats, type DiceRoll, type MotionBeat } from "./beats";
import { MotionQueue, browserClock, type MotionClock } from "./queue";
import { isMotionReduced } from "../page/reduced";

/** More records at once are a history, not news. */
const MAX_NEWS = 8;
const BANNER_MS = 900;
/** Dice stay so long after they lie still. */
const DICE_STAY_MS = 2_500;

export interface Laid {
  readonly disk: number;
  readonly x: number;
  readonly y: number;
  readonly r: number;
}
type Banner = Extract<MotionBeat, { kind: "banner" }>;
type Queued = MotionBeat & { readonly before: MatchState };

export class Playback {
  /** The match that the table draws while a record plays; null for what is shown else. */
  before = $state.raw<MatchState | null>(null);
  beat = $state.raw<MotionBeat | null>(null);
  speed = $state(1);
  /** Disks that the record has moved so far, where they lie; their place on the table is empty. */
  moved = $state.raw<ReadonlyMap<number, Laid>>(new Map());
  gone = $state.raw<ReadonlySet<number>>(new Set());
  banner = $state.raw<Banner | null>(null);
  roll = $state.raw<DiceRoll | null>(null);
  /** Whether so much happened at once that it was not shown. */
  hasLeftOut = $state(false);
  private readonly queue: MotionQueue<Queued>;
  private seen: { readonly stream: MatchStream | null; readonly seq: number; readonly isReplay: boolean } = {
    stream: null,
    seq: 0,
    isReplay: false,
  };
  private cancelBanner: () => void = () => undefined;
  private cancelRoll: () => void = () => undefined;

  constructor(
    private readonly clock: MotionClock = browserClock,
    private readonly isReduced: () => boolean = isMotionReduced,
    /** Whether there is room for dice to lie until the next deed begins; otherwise they go by themselves. */
    private readonly keepsDice: () => boolean = () => false,
  ) {
    this.queue = new MotionQueue<Queued>(
      clock,
      (beat, speed) => this.show(beat, speed),
      () => (this.hasLeftOut = true),
    );
  }

  get isPlaying(): boolean {
    return this.beat !== null;
  }
  /** Disks that the table leaves out, because the layer above it draws them or they are gone. */
  get hidden(): ReadonlySet<number> {
    return new Set([...this.moved.keys(), ...this.gone]);
  }

  /** Play what has happened since the last call: new records of a match that is followed, or one step of a replay, at its pace. */
  follow(stream: MatchStream | null, head: number, moment: number | null, pace = 1): void {
    const was = this.seen;
    const isReplay = moment !== null;
    const seq = moment ?? head;
    this.seen = { stream, seq, isReplay };
    if (stream === null || was.stream !== stream || was.isReplay !== isReplay || was.seq === 0) return this.leave();
    const steps = seq - was.seq;
    if (steps === 0) return;
    if (isReplay || steps < 0 || steps > MAX_NEWS) this.leave();
    this.queue.pace = isReplay ? pace : 1;
    if (steps < 0 || steps > (isReplay ? 1 : MAX_NEWS)) {
      if (!isReplay && steps > 0) this.hasLeftOut = true;
      return;
    }
    for (let at = was.seq + 1; at <= seq; at += 1) this.play(stream, at);
  }

  private play(stream: MatchStream, seq: number): void {
    const body = stream.bodies[seq - 1];
    const state = body?.events?.length ? stream.stateAt(seq - 1) : null;
    if (!body || !state?.board) return;
    const found = beatsOf(seq, body, state.board);
    if (found.length === 0) return;
    // The state that a stream gives out changes with its next record.
    const before = copyMatch(state);
    this.queue.push((this.isReduced() ? reducedBeats(found) : found).map((beat) => ({ ...beat, before })));
  }

  /** A key or a click: cards that cover the table are closed, any other motion ends. */
  touch(): void {
    if (this.beat?.kind === "reveal") this.queue.skip();
    else this.finish();
    if (!this.isRollKept) this.endRoll();
  }
  /** Put the dice away. */
  dismissRoll(): void {
    this.endRoll();
  }
  /** Whether the dice lie until something else begins. A replay goes on by itself. */
  get isRollKept(): boolean {
    return this.keepsDice() && !this.seen.isReplay;
  }

  finish(): void {
    this.queue.finish();
  }
  /** Another moment is shown: dice that lie on the table are of the one before. */
  private leave(): void {
    this.finish();
    this.endRoll();
  }
  /** Forget that something was left out. */
  catchUp(): void {
    this.hasLeftOut = false;
  }

  private show(beat: Queued | null, speed: number): void {
    if (beat === null) {
      Object.assign(this, { beat: null, before: null, moved: new Map(), gone: new Set() });
      return;
    }
    if (this.roll !== null && this.roll.seq !== beat.seq) this.endRoll();
    if (this.beat?.seq !== beat.seq) Object.assign(this, { moved: new Map(), gone: new Set() });
    // Reduced, nothing lies where it was: the table is drawn as it is, and fades.
    Object.assign(this, { beat, speed, before: this.isReduced() ? null : beat.before });
    if (beat.kind === "flip")
      this.moved = new Map([...this.moved, [beat.disk, { disk: beat.disk, x: beat.to[0], y: beat.to[1], r: beat.r }]]);
    else if (beat.kind === "arrival")
      this.moved = new Map([...this.moved, [beat.disk, { disk: beat.disk, x: beat.x, y: beat.y, r: beat.r }]]);
    else if (beat.kind === "removal") this.remove(beat.disks.map(({ disk }) => disk));
    else if (beat.kind === "banner") this.showBanner(beat);
    else if (beat.kind === "dice") this.showRoll(beat.roll, (beat.ms + DICE_STAY_MS) / speed);
  }

  private remove(disks: ReadonlyArray<number>): void {
    this.moved = new Map([...this.moved].filter(([disk]) => !disks.includes(disk)));
    this.gone = new Set([...this.gone, ...disks]);
  }
  private showBanner(banner: Banner): void {
    this.cancelBanner();
    // A phase that begins with its round is one banner.
    const round = banner.round ?? (this.banner?.seq === banner.seq ? this.banner.round : null);
    this.banner = { ...banner, round, ms: BANNER_MS / this.queue.pace };
    this.cancelBanner = this.clock.after(this.banner.ms, () => (this.banner = null));
  }
  private showRoll(roll: DiceRoll, ms: number): void {
    this.cancelRoll();
    this.roll = roll;
    if (!this.isRollKept) this.cancelRoll = this.clock.after(ms, () => (this.roll = null));
  }
  private endRoll(): void {
    this.cancelRoll();
    this.roll = null;
  }
}
