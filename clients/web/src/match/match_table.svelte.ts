// One match as its page shows it, whatever the ruleset: which moment, from which viewpoint, what is asked, what was refused.

import { asksForSecret } from "../client/control";
import type { BoardState, Decision, MatchState } from "../client/records/match.js";
import type { MatchStream } from "../client/stream";
import type { LiveMatch } from "../page/live_match";
import { session } from "../page/session.svelte";
import type { Refused, ServerMessage, diskwars } from "../protocol/types";
import type { BoardToken } from "../board/view";
import { seenFrom, type Viewpoint } from "../replay/viewpoint";
import type { LogEntry } from "./log";
import type { Controlled, Proposal, Proposing } from "./proposals";
import { namesWithArmies } from "../lists/seat_names";

export interface Phase {
  readonly id: string;
  readonly name: string;
  /** The name where there is room for a few letters. */
  readonly short?: string;
  readonly isOn: boolean;
}

/** What a ruleset adds to it: the board, what answers its questions, and what is chosen for them. */
export abstract class MatchTable implements Controlled, Proposing {
  /** The record that is shown in the replay; null follows the match. */
  moment = $state<number | null>(null);
  /** Whose view a replay shows. */
  viewpoint = $state<Viewpoint>("all");
  /** How fast a replay plays. */
  pace = 1;
  refusal = $state.raw<Refused | null>(null);
  isSending = $state(false);

  constructor(readonly live: LiveMatch) {}

  /** The records as this page has them. */
  readonly whole = $derived.by(() => this.live.stream);
  /** Why the match is frozen. */
  readonly fault = $derived.by(() => this.live.stream?.fault ?? null);
  /** Whether every record that is shown has been checked: those of a history are while its last board is drawn. */
  readonly isChecked = $derived.by(() => this.live.isChecked);
  readonly watchers = $derived.by(() => this.live.stream?.watchers ?? 0);
  /** Another for each state of the records: much is received that is about something else. */
  readonly version = $derived.by(() => `${this.live.stream?.seq} ${this.live.stream?.isOpened}`);
  private readonly hasCaughtUp = $derived.by(() => this.live.stream?.hasCaughtUp ?? false);
  private readonly isReplay = $derived.by(() => this.moment !== null);
  /** The records as the chosen viewpoint has them: in a replay only. */
  readonly stream = $derived.by((): MatchStream | null => {
    const { whole } = this;
    void this.version;
    return whole && this.isReplay && this.viewpoint !== "all" ? seenFrom(whole, this.viewpoint) : whole;
  });
  readonly head = $derived.by(() => (void this.version, this.stream?.seq ?? 0));
  readonly seat = $derived.by(() => (this.stream === this.whole ? this.live.seat : (this.stream?.seat ?? null)));
  // The fold changes states in place: a copy makes what is derived from them follow.
  readonly shown = $derived.by((): { readonly state: MatchState | null } => {
    void this.version;
    const { stream, hasCaughtUp } = this;
    const state = !hasCaughtUp ? null : this.moment === null ? stream?.state : stream?.stateAt(this.moment);
    if (!state) return { state: null };
    // A branch that has not begun yet shows what it will play on from.
    const board = state.board ?? state.position?.board;
    return {
      state: {
        ...state,
        seats: state.seats.map((seat) => ({ ...seat })),
        board: board ? this.copyBoard(board) : null,
      },
    };
  });
  readonly board = $derived.by(() => ({ value: this.shown.state?.board ?? null }));
  readonly seatNames = $derived.by(() => {
    const seats = this.shown.state?.seats ?? [];
    return namesWithArmies(seats, session.namesOf(seats), (player, seat) => session.nameOf(player, seat));
  });
  /** Whether this spectator sees an earlier round than the one being played, and so not whose turn it is. */
  readonly isBehind = $derived.by(
    () => (void this.version, this.moment === null && this.live.stream?.isBehind === true),
  );
  /** The seats that are asked now. */
  readonly askedSeats = $derived.by(
    (): ReadonlySet<number> =>
      new Set(this.isBehind ? [] : (this.shown.state?.decisions ?? []).map(({ seat }) => seat)),
  );
  readonly decision = $derived.by((): Decision | null => {
    const { state } = this.shown;
    if (this.moment !== null || !state || state.status === "ended" || this.isBehind) return null;
    const own = state.decisions.find(({ seat }) => seat === this.seat);
    const free = this.seat === null ? state.decisions.find(({ question }) => question.type === "seat") : undefined;
    return own ?? free ?? null;
  });
  /** Whether the own seat is played on another device. */
  readonly isElsewhere = $derived.by(
    () => this.moment === null && this.whole !== null && session.live.isElsewhere(this.whole.match),
  );
  /** Whether the open question is answered on the device that plays the seat, which is another one. */
  readonly isKept = $derived.by(() => this.isElsewhere && this.decision !== null && asksForSecret(this.decision));
  /** Another for each open question, and once more when its options are known. */
  abstract readonly decisionKey: string;
  /** The number of the round that is shown; null before the first. */
  abstract readonly round: number | null;
  /** The steps of a round, with the round itself before them; none before there is a board. */
  abstract readonly phases: ReadonlyArray<Phase>;
  abstract readonly entries: ReadonlyArray<LogEntry>;
  abstract readonly tokens: ReadonlyArray<BoardToken>;
  /** What disks and cards are called, for the log. */
  abstract readonly names: ReadonlyArray<string>;
  /** What the open question wants, in words. */
  abstract readonly prompt: { readonly title: string; readonly help: string };
  abstract readonly refusalText: string;
  /** What each seat has left, in few words. */
  abstract readonly tallies: ReadonlyArray<string>;

  /** How many cards each seat has in hand, in games that have hands. */
  get hands(): ReadonlyArray<number> {
    return [];
  }

  /** What may be answered to a question, once that is known. */
  protected optionsOf(decision: Decision | null): diskwars.Options | undefined {
    return decision ? this.live.stream?.options.get(decision.id) : undefined;
  }
  /** Copy what the fold changes in a board in place. */
  protected abstract copyBoard(board: BoardState): BoardState;
  /** Begin with what a new question names; forget what belonged to one that is no longer open. */
  abstract onDecision(): void;
  /** What is chosen and planned for the open question, and what follows of it, in words that are read aloud. */
  get planned(): string {
    return "";
  }
  /** Follow what has been received, or the moment of a replay. */
  onMoment(): void {}
  /** Whether the result may be shown: nothing is left to play before it. */
  get isResultDue(): boolean {
    return true;
  }
  /** Whether a typed order may answer: on the table of an own seat, as it is now. */
  get takesOrders(): boolean {
    return this.seat !== null && this.moment === null && this.board.value !== null;
  }
  /** The symbols of a die that has symbols. */
  get faces(): ReadonlyArray<string> {
    return [];
  }

  /** Play the own seat on this device from now on. */
  async playHere(): Promise<void> {
    if (this.stream && !this.isSending) await this.answered(session.client.takeControl(this.stream.match));
  }

  /** Wait for the answer to what was sent. */
  protected async answered(request: Promise<ServerMessage>): Promise<void> {
    this.isSending = true;
    this.refusal = null;
    const answer = await request;
    this.isSending = false;
    if (answer.type === "refused") this.refusal = answer;
  }

  /** Send what answers no decision: an offer, its answer, a resignation. Returns whether it was taken. */
  async propose(action: Proposal): Promise<boolean> {
    const { stream } = this;
    if (!stream) return false;
    this.refusal = null;
    const answer = await session.client.act(stream.match, undefined, action);
    if (answer.type === "refused" && action.type !== "take_back") this.refusal = answer;
    return answer.type !== "refused";
  }
}
