// One board while it is played: what is tried in vain, what is done, and what comes of everything else.

import type { Circle, Point } from "../../../board/geometry";
import { encode } from "../../../client/records/canonical.js";
import type { BoardState } from "../../../client/records/match.js";
import type { diskwars } from "../../../protocol/types";
import type { FigureAnswer } from "../../../rules/figures";
import { FigurePlay } from "../figures/figure_play";
import { circleOf, overlappedDisks, piecesUnder } from "../forecast/position";
import { LessonSteps } from "../../../learn/lesson_steps.svelte";
import { lessonText } from "../../../learn/lesson_texts";
import type { LessonBoard } from "./lessons";

export class LessonPlay extends LessonSteps {
  readonly play: FigurePlay;

  constructor(readonly board: LessonBoard) {
    super(board.refusal.disk);
    this.play = new FigurePlay(`lesson-${board.id}`, board.position);
  }

  /** What was refused, in the words of this board: a refusal of the rules numbers its disks. */
  get refusal(): { readonly words: string; readonly rule: string } {
    const { id, refusal } = this.board;
    return { words: lessonText(`${id}.refused`), rule: refusal.rule ?? "" };
  }
  /** What the arrow leads to. */
  get wanted(): FigureAnswer | null {
    return this.play.answers[this.board.done] ?? null;
  }

  /** Take an answer to the question. Returns whether the board went on. */
  answer(action: diskwars.Action): boolean {
    const { board } = this.play;
    const found = board && this.play.answers.find((one) => isAlike(board, action, one.action));
    if (!found) return this.doOtherwise();
    this.finish(found);
    return true;
  }

  protected showWanted(): void {
    if (this.wanted) this.finish(this.wanted);
  }

  private finish(answer: FigureAnswer): void {
    this.play.take(answer);
    this.end();
  }
}

/** Whether two answers are the same; of moves, whether they end on the same at about the same place: what is shown is what was planned. */
function isAlike(board: BoardState, one: diskwars.Action, other: diskwars.Action): boolean {
  if (one.type === "lock_card" && other.type === "lock_card") return one.card === other.card;
  if (one.type === "choose_targets" && other.type === "choose_targets")
    return encode(one.targets) === encode(other.targets);
  if (one.type !== "move_disk" || other.type !== "move_disk") return false;
  if (one.disk !== other.disk || one.path.length !== other.path.length) return false;
  const from = circleOf(board, one.disk);
  const [at, otherAt] = [endOf(from, one), endOf(from, other)];
  const under = ([x, y]: Point) =>
    encode([overlappedDisks(board, one.disk, x, y), piecesUnder(board, { ...from, x, y })]);
  return Math.hypot(at[0] - otherAt[0], at[1] - otherAt[1]) <= from.r && under(at) === under(otherAt);
}

/** Return where a move ends. */
export const endOf = (from: Circle, { path }: diskwars.MoveDisk): Point =>
  path.reduce<Point>(([x, y], [dx, dy]) => [x + dx, y + dy], [from.x, from.y]);
