// The table of a board of a smaller game: what is clicked there is taken by the board before it is an answer.

import type { LiveMatch } from "../../../page/live_match";
import type { ServerMessage } from "../../../protocol/types";
import { framedBy } from "../framed";
import { NOTHING_ASKED, NO_DRAFT, type Action, type AnyGame } from "../game";
import { SmallTable } from "../table.svelte";

interface Hooks {
  readonly answer: (action: Action) => Promise<ServerMessage>;
  /** Take a click on a piece, or on the field; true where it goes no further. */
  readonly picked: (piece: number) => boolean;
  readonly placed: () => boolean;
}

export class LessonTable extends SmallTable {
  private words = $state("");

  constructor(
    live: LiveMatch,
    game: AnyGame,
    private readonly hooks: Hooks,
  ) {
    super(live, game, (_match, _decision, action) => hooks.answer(action));
  }

  /** All pieces, whatever is asked: what is tried in vain is one that no question is about. */
  override readonly frame = $derived.by(() =>
    framedBy(NOTHING_ASKED, NO_DRAFT, this.view.tokens, this.cell, this.context),
  );

  /** Show what was refused in the words of a board. */
  refuse(words: string, rule: string): void {
    this.words = words;
    this.refusal = { type: "refused", code: "not_legal", text: words, ...(rule ? { rule } : {}) };
  }
  override get refusalText(): string {
    return this.refusal ? this.words : "";
  }
  override pick(id: number): void {
    if (!this.hooks.picked(id)) super.pick(id);
  }
  override place(x: number, y: number): void {
    const [px, py] = this.context.toPicture(x / 1000, y / 1000);
    const piece = this.view.tokens.find((one) => Math.hypot(one.x - px, one.y - py) <= one.r);
    if (piece ? !this.hooks.picked(piece.id) : !this.hooks.placed()) super.place(x, y);
  }
}
