// A figure as a match that answers itself: its first record sets the position, and each recorded answer adds one.

import { MatchStream } from "../../../client/stream";
import { encode } from "../../../client/records/canonical.js";
import type { BoardState, Decision } from "../../../client/records/match.js";
import { bandAt, circleOf, overlappedDisks, piecesUnder, pinsIfPlaced } from "../forecast/position";
import type { diskwars } from "../../../protocol/types";
import type { FigureAnswer, FigureNode, FigureOutcome, FigurePosition } from "../../../rules/figures";

const NO_HASH = "0".repeat(64);
const NO_SALT = "0".repeat(32);

interface Step {
  readonly answer: FigureAnswer;
  readonly outcome: FigureOutcome;
}

export class FigurePlay {
  readonly stream: MatchStream;
  private readonly steps: Step[] = [];
  /** Whether what is fought before the first question has been. */
  hasBegun = false;

  constructor(
    readonly id: string,
    readonly position: FigurePosition,
    steps: ReadonlyArray<Step> = [],
    hasBegun = position.opening === undefined,
  ) {
    const match = `figure-${id.toLowerCase()}`;
    this.stream = new MatchStream({
      match,
      header: { type: "diskwars-match", format: 1, match, ruleset: "diskwars" },
      head: 1,
    });
    this.append({ events: openingOf(match, position.board) }, position.opening ? {} : this.node);
    if (hasBegun) this.begin();
    for (const { answer, outcome } of steps) this.take(answer, outcome);
  }

  get node(): FigureNode {
    return this.position.nodes[this.steps.at(-1)?.outcome.next ?? 0] ?? {};
  }
  get answers(): ReadonlyArray<FigureAnswer> {
    return this.hasBegun ? (this.node.answers ?? []) : [];
  }
  get board(): BoardState | null {
    return this.stream.state?.board ?? null;
  }
  /** The last answer, where other dice would bring something else. */
  get rolled(): Step | null {
    const last = this.steps.at(-1);
    return last && last.answer.outcomes.length > 1 ? last : null;
  }

  /** Return the recorded answer that an action of the reader means; null where nothing is recorded of it. */
  find(action: diskwars.Action): FigureAnswer | null {
    const { board } = this;
    const wanted = board && meaningOf(board, action);
    return wanted === null
      ? null
      : (this.answers.find((one) => board && meaningOf(board, one.action) === wanted) ?? null);
  }

  /** Let what nobody is asked about happen. */
  begin(): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    const { opening } = this.position;
    if (opening) this.append({ events: opening }, this.node);
  }

  take(answer: FigureAnswer, outcome: FigureOutcome | undefined = answer.outcomes[0]): void {
    const asked = this.stream.state?.decisions[0];
    if (!outcome || !asked) return;
    this.steps.push({ answer, outcome });
    this.append({ seat: asked.seat, decision: asked.id, action: answer.action, events: outcome.events }, this.node);
  }

  /** Return the same figure after its first answers; after all of them where no number is given. */
  again(answers: number = this.steps.length): FigurePlay {
    return new FigurePlay(this.id, this.position, this.steps.slice(0, answers), this.hasBegun);
  }
  /** Return the same figure as it was at first. */
  fromStart(): FigurePlay {
    return new FigurePlay(this.id, this.position);
  }
  /** Return the same figure without its last answer; before the first one, as it was at first. */
  back(): FigurePlay {
    return this.steps.length ? this.again(this.steps.length - 1) : this.fromStart();
  }
  /** Return the same figure with other dice for its last answer. */
  rollAgain(outcome: FigureOutcome): FigurePlay {
    const before = this.back();
    const last = this.steps.at(-1);
    if (last) before.take(last.answer, outcome);
    return before;
  }

  private append(body: object, { seat, question, options }: FigureNode): void {
    const seq = this.stream.seq + 1;
    const decisions: Decision[] =
      seat === undefined || !question ? [] : [{ id: `${seq}.0`, seat, question } as Decision];
    this.stream.seat = seat ?? this.stream.seat;
    this.stream.append([{ seq, salt: NO_SALT, body: { ...body, at_ms: 0, decisions } }]);
    if (options) this.stream.keepOptions(`${seq}.0`, options);
  }
}

/** Return the events after which a match is at a position: those of a branch, which plays on from a board. */
const openingOf = (match: string, board: diskwars.Board): ReadonlyArray<object> => [
  {
    type: "match_opened",
    match,
    ruleset: "diskwars",
    rules_version: 1,
    settings: board.settings,
    seat_count: board.sides.length,
    anchor: NO_HASH,
    deal_commitment: NO_HASH,
    opener: "reader",
    match_options: {},
  },
  { type: "position_set", position: { board } },
  { type: "branch_began" },
];

/**
 * Return what an action means on a board, as text to compare. Of a move or a placement only what follows from it counts: what each landing
 * pins and covers, its ground, and at the end how far the other disks are. A reader need not aim to the micrometre.
 */
function meaningOf(board: BoardState, action: diskwars.Action): string {
  if (action.type === "move_disk") {
    const at = { ...circleOf(board, action.disk) };
    const landings = action.path.map(([dx, dy]) => landingAt(board, action.disk, (at.x += dx), (at.y += dy)));
    return encode([
      "move",
      action.disk,
      action.end_activation ?? true,
      landings,
      bandsAt(board, action.disk, at.x, at.y),
    ]);
  }
  if (action.type === "reinforce") {
    return encode([
      "reinforce",
      action.disk,
      landingAt(board, action.disk, action.x, action.y),
      bandsAt(board, action.disk, action.x, action.y),
    ]);
  }
  if (action.type === "choose_targets")
    return encode([
      "targets",
      [...action.targets]
        .map(({ disk, target }) => [disk, target])
        .sort((one, other) => (one[0] ?? 0) - (other[0] ?? 0)),
    ]);
  return encode(withoutZero(action));
}

function landingAt(board: BoardState, disk: number, x: number, y: number): ReadonlyArray<ReadonlyArray<number>> {
  const at = { ...circleOf(board, disk), x, y };
  return [
    pinsIfPlaced(board, disk, x, y),
    overlappedDisks(board, disk, x, y).sort((one, other) => one - other),
    piecesUnder(board, at),
  ];
}

const bandsAt = (board: BoardState, disk: number, x: number, y: number): ReadonlyArray<string> =>
  board.disks.flatMap(({ id, place }) =>
    id === disk || place !== "battlefield" ? [] : [bandAt(board, { ...circleOf(board, disk), x, y }, id)],
  );

/** The number of an attack or ability is left out where it is the first. */
const withoutZero = (action: diskwars.Action): object =>
  Object.fromEntries(Object.entries(action).filter(([, value]) => value !== 0 || !Number.isInteger(value)));
