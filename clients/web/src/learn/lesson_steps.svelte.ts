// How far one board of a first match is: first something is tried in vain, then the arrow is followed, then it is done.

/** So often somebody does something else before the board shows what it means. */
const MAX_OTHERS = 2;

type Phase = "do" | "done" | "try";

export abstract class LessonSteps {
  phase = $state<Phase>("try");
  /** What was done otherwise since the last step. */
  others = $state(0);
  /** Whether what is tried was refused, as it should be. */
  wasRefused = $state(false);
  /** Whether the board did it itself. */
  wasShown = $state(false);

  constructor(private readonly triedWith: number) {}

  /** Do what the arrow leads to. */
  protected abstract showWanted(): void;

  /** Take a click on a piece; true where it is the one that is tried in vain. */
  try(piece: number): boolean {
    if (this.phase !== "try" || piece !== this.triedWith) return false;
    this.refuse();
    return true;
  }
  private refuse(): void {
    [this.phase, this.wasRefused, this.others] = ["do", true, 0];
  }

  /** Take something else than what the arrow means: twice, and the board shows it. Returns whether it did. */
  doOtherwise(): boolean {
    this.others += 1;
    if (this.others < MAX_OTHERS || this.phase === "done") return false;
    if (this.phase === "try") this.refuse();
    else {
      this.wasShown = true;
      this.showWanted();
    }
    return true;
  }

  protected end(): void {
    [this.phase, this.others] = ["done", 0];
  }
}
