// Modes whose action has an effect that words describe: focus abilities, and those of a card.

import { t } from "../../../../messages";
import { abilityNotes, note, unforecastNotes, type Note } from "../../forecast/forecast";
import { effectOf } from "../../forecast/preselect";
import { diskName } from "../../names";
import type { ChosenDisk } from "./disk_mode";
import { TargetMode } from "./target_mode.svelte";

export abstract class EffectMode extends TargetMode {
  /** What the action does, in words. */
  protected abstract effectWords(chosen: ChosenDisk): string;

  /** Whether a die may turn the effect on its user as well (R7.15). */
  protected get isUnstable(): boolean {
    return false;
  }

  protected numberText(number: number): string {
    return t("bar.focus.number", { number: number + 1 });
  }
  override get help(): string {
    const { chosen } = this;
    if (this.targets.length || !chosen) return super.help;
    return t("log.ability", { name: this.host.name, what: this.effectWords(chosen) });
  }
  /** What the ability does: its words, and where no die decides, whom it harms and how much. */
  override get notes(): ReadonlyArray<Note> {
    const { answer, chosen, target } = this;
    const { name, decision } = this.host;
    if (!answer || !chosen) return [];
    const { board, disk } = chosen;
    const effect = effectOf(board, decision, answer);
    const what = this.effectWords(chosen);
    const text =
      target === null
        ? t("log.ability", { name, what })
        : t("log.ability.target", { name, target: diskName(board, target), what });
    return [
      ...(this.isOwnHarm(target) ? [note(t("shot.own"), "", "bad")] : []),
      note(text),
      ...((effect && abilityNotes(board, disk, target, effect)) || []),
      ...(effect ? unforecastNotes(effect, this.isUnstable ? name : null) : []),
    ];
  }
}
