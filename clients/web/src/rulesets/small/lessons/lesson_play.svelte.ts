// One board of a smaller game while it is played: a match of two records, of which the engine wrote the second.

import { MatchStream } from "../../../client/stream";
import { LessonSteps } from "../../../learn/lesson_steps.svelte";
import type { diskwars } from "../../../protocol/types";
import { isSameAction, type Action } from "../game";
import { smallLessonText, type LessonAnswer, type SmallLessonBoard, type SmallLessonText } from "./lessons";

const NO_HASH = "0".repeat(64);
const NO_SALT = "0".repeat(32);
/** Models that end within this of where the recorded ones do, in hundredths of an inch, are where they were meant to be. */
const NEAR = 75;

type Moves = {
  readonly type: string;
  readonly moves: ReadonlyArray<{ readonly model: number; readonly x: number; readonly y: number }>;
};

export class SmallLessonPlay extends LessonSteps {
  readonly stream: MatchStream;

  constructor(readonly board: SmallLessonBoard) {
    super(board.refusal.piece);
    const { id, ruleset, seat, question, options } = board;
    const match = `lesson-${id.replace("_", "-")}`;
    this.stream = new MatchStream({ match, header: { type: "diskwars-match", format: 1, match, ruleset }, head: 1 });
    this.stream.seat = seat;
    this.append({ events: openingOf(match, board) }, [{ id: "1.0", seat, question }]);
    this.stream.keepOptions("1.0", options as diskwars.Options);
  }

  /** What was refused, in the words of this board. */
  get refusal(): { readonly words: string; readonly rule: string } {
    const { id, refusal } = this.board;
    return { words: smallLessonText(`${id}.refused` as SmallLessonText), rule: refusal.rule ?? "" };
  }
  /** What the arrow leads to. */
  get wanted(): LessonAnswer | null {
    return this.board.answers[this.board.done] ?? null;
  }
  /** Whether an answer is what the arrow leads to, or about that. */
  isWanted(action: Action | null): boolean {
    return action !== null && this.wanted !== null && isAlike(action, this.wanted.action);
  }

  /** Take an answer to the question. Returns whether the board went on. */
  answer(action: Action): boolean {
    const found = this.board.answers.find((one) => isAlike(action, one.action));
    if (!found) return this.doOtherwise();
    this.finish(found);
    return true;
  }

  protected showWanted(): void {
    if (this.wanted) this.finish(this.wanted);
  }

  private finish({ action, events }: LessonAnswer): void {
    this.append({ seat: this.board.seat, decision: "1.0", action, events }, []);
    this.end();
  }
  private append(body: object, decisions: ReadonlyArray<object>): void {
    this.stream.append([{ seq: this.stream.seq + 1, salt: NO_SALT, body: { ...body, at_ms: 0, decisions } }]);
  }
}

/** Return the events after which a match is at a position: those of a branch, which plays on from a board. */
const openingOf = (match: string, { ruleset, board }: SmallLessonBoard): ReadonlyArray<object> => [
  {
    type: "match_opened",
    match,
    ruleset,
    rules_version: 1,
    settings: (board as { readonly settings?: object }).settings ?? {},
    seat_count: 2,
    anchor: NO_HASH,
    deal_commitment: NO_HASH,
    opener: "reader",
    match_options: {},
  },
  { type: "position_set", position: { board } },
  { type: "branch_began" },
];

/** Whether two answers are the same; of moves, whether every model ends at about the same place. */
function isAlike(one: Action, other: Action): boolean {
  if (!("moves" in one) || !("moves" in other)) return isSameAction(one, other);
  const [moves, wanted] = [one as Moves, other as Moves];
  return (
    moves.type === wanted.type &&
    moves.moves.length === wanted.moves.length &&
    wanted.moves.every(({ model, x, y }) => {
      const there = moves.moves.find((move) => move.model === model);
      return there !== undefined && Math.hypot(there.x - x, there.y - y) <= NEAR;
    })
  );
}
