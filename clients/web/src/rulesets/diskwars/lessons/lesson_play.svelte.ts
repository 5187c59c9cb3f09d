// One board while it is played: what is tried in vain, what is done, and what comes of everything else.

import type { Circle, Point } from "../../../board/geometry";
import { encode } from "../../../client/records/canonical.js";
import type { BoardState } from "../../../client/records/match.js";
import type { diskwars } from "../../../protocol/types";
import type { FigureAnswer } from "../../../rules/figures";
import { FigurePlay } from "../figures/figure_play";
import { circleOf, overlappedDisks, piecesUnder } from "../forecast/position";
import { lessonText, type LessonBoard } from "./lessons";

/** So often somebody does something else before the board shows what it means. */
const MAX_OTHERS = 2;

type Phase = "do" | "done" | "try";

export class LessonPlay {
  readonly play: FigurePlay;
  phase = $state<Phase>("try");
  /** What was done otherwise since the last step. */
  others = $state(0);
  /** Whether what is tried was refused, as it should be. */
  wasRefused = $state(false);
  /** Whether the board did it itself. */
  wasShown = $state(false);

  constructor(readonly board: LessonBoard) {
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

  /** Take a click on a disk; true where it is the one that is tried in vain. */
  try(disk: number): boolean {
    if (this.phase !== "try" || disk !== this.board.refusal.disk) return false;
    this.refuse();
    return true;
  }
  private refuse(): void {
    [this.phase, this.wasRefused, this.others] = ["do", true, 0];
  }

  /** Take an answer to the question. Returns whether the board went on. */
  answer(action: diskwars.Action): boolean {
    const { board } = this.play;
    const found = board && this.play.answers.find((one) => isAlike(board, action, one.action));
    if (!found) return this.doOtherwise();
    this.finish(found);
    return true;
  }

  /** Take something else than what the arrow means: twice, and the board shows it. Returns whether it did. */
  doOtherwise(): boolean {
    this.others += 1;
    if (this.others < MAX_OTHERS || this.phase === "done") return false;
    if (this.phase === "try") this.refuse();
    else if (this.wanted) {
      this.wasShown = true;
      this.finish(this.wanted);
    }
    return true;
  }

  private finish(answer: FigureAnswer): void {
    this.play.take(answer);
    [this.phase, this.others] = ["done", 0];
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
