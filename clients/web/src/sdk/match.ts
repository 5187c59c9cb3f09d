// A match that is followed: its state, its records as they come, and what its player does in it.

import type { Action } from "../client/client";
import type { AnyMatchState, MatchState, RecordBody } from "../client/records/match.js";
import type { MatchStream } from "../client/stream";
import type { Result, close_quarters, diskwars, pit, regiments } from "../protocol/types";
import { DiskwarsError } from "./errors";
import { accepted, type Player } from "./player";

export type Options = close_quarters.Options | diskwars.Options | pit.Options | regiments.Options;
export type Decision = close_quarters.Decision | diskwars.Decision | pit.Decision | regiments.Decision;
export type Body = close_quarters.RecordBody | diskwars.RecordBody | pit.RecordBody | regiments.RecordBody;

/** One record of a match, with its number. */
export interface NumberedRecord {
  readonly seq: number;
  readonly body: Body;
}

/** A match, made by `Player.watch` or `Player.openMatch`. */
export class Match {
  constructor(
    readonly player: Player,
    readonly id: string,
  ) {}

  private get stream(): MatchStream {
    const stream = this.player.client.streams.get(this.id);
    if (!stream) throw new DiskwarsError("not_watched", `match ${this.id} is not followed any more`);
    if (stream.fault !== null)
      throw new DiskwarsError("contradiction", stream.fault.message, {}, { cause: stream.fault });
    return stream;
  }

  /** The match after the last record. Throws DiskwarsError where the match is not followed any more. */
  get state(): AnyMatchState {
    const { state } = this.stream;
    if (state === null) throw new DiskwarsError("not_caught_up", "no record has come yet");
    return state as MatchState as AnyMatchState;
  }

  /** The match after an earlier record, or null before the first one. */
  stateAt(seq: number): AnyMatchState | null {
    return this.stream.stateAt(seq) as AnyMatchState | null;
  }

  /** The number of the last record. */
  get head(): number {
    return this.stream.seq;
  }

  /** The own seat; null for a spectator. */
  get seat(): number | null {
    return this.stream.seat;
  }

  get result(): Result | null {
    return (this.state as MatchState).result ?? null;
  }

  /** The decisions that this player is to answer. */
  get openDecisions(): ReadonlyArray<Decision> {
    const { seat, state } = this;
    return seat === null ? [] : (state.decisions as ReadonlyArray<Decision>).filter((one) => one.seat === seat);
  }

  /** Resolve once everything is there that the server had when it was asked. Throws DiskwarsError. */
  async caughtUp(): Promise<void> {
    while (!this.stream.hasCaughtUp || this.stream.state === null) await this.player.nextChange();
  }

  /**
   * Yield the records after record `after`, and then each new one as it comes; the iterator ends with the match. Nothing
   * is queued: a slow reader reads from what the match holds. Throws DiskwarsError.
   */
  async *records(after = 0): AsyncGenerator<NumberedRecord, void, undefined> {
    for (let seq = after + 1; ;) {
      const { stream } = this;
      const body = stream.bodies[seq - 1] as RecordBody | undefined;
      if (body !== undefined) {
        yield { seq, body: body as Body };
        seq += 1;
      } else if (stream.state?.result && stream.seq >= stream.head) return;
      else await this.player.nextChange();
    }
  }

  /** Return the answers that are allowed to an open decision. Throws DiskwarsError. */
  async options(decision: string): Promise<Options> {
    const pushed = this.stream.options.get(decision);
    if (pushed) return pushed;
    const answer = await this.player.request<"get_options">({ type: "get_options", match: this.id, decision });
    if (answer.type !== "options")
      throw new DiskwarsError("wrong_answer", `get_options was answered by ${answer.type}`);
    return answer.options;
  }

  /** Send an action; nonces and salts are added. Throws DiskwarsError. */
  async act(decision: string | undefined, action: Action): Promise<void> {
    const answer = accepted(await this.player.whileRunning(this.player.client.act(this.id, decision, action)));
    if (answer.type !== "accepted") throw new DiskwarsError("wrong_answer", `act was answered by ${answer.type}`);
    while (this.stream.seq < answer.seq) await this.player.nextChange();
  }

  /** Take a free seat, the first one if none is named. Throws DiskwarsError. */
  async takeSeat(loadout: object = {}, seat?: number): Promise<number> {
    const free = (this.state.decisions as ReadonlyArray<Decision>).find(
      (one) => one.question.type === "seat" && (seat === undefined || one.seat === seat),
    );
    if (!free) throw new DiskwarsError("no_free_seat", "there is no such free seat");
    await this.act(free.id, { type: "take_seat", chain_head: "", loadout } as Action);
    while (this.seat === null) await this.player.nextChange();
    return this.seat;
  }

  async resign(): Promise<void> {
    await this.act(undefined, { type: "resign" });
  }

  /** Play the own seat here, if another device of this player did so before. Throws DiskwarsError. */
  async takeControl(): Promise<void> {
    if (this.player.client.isElsewhere(this.id))
      accepted(await this.player.whileRunning(this.player.client.takeControl(this.id)));
  }

  /** Return the match as a file, which `diskwars verify` checks. */
  file(): string {
    return this.stream.file();
  }
}
