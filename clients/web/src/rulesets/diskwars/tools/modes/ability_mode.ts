// Using the ability of a card.

import { t } from "../../../../messages";
import { abilityName, effectText } from "../../cards/card_text";
import { profileOf } from "../../forecast/position";
import { effectOf } from "../../forecast/preselect";
import type { DiskModes } from "../../orders";
import type { ChosenDisk } from "./disk_mode";
import { EffectMode } from "./effect_mode";
import type { TargetAction } from "./target_mode.svelte";

export class AbilityMode extends EffectMode {
  readonly id = "ability";
  readonly shortcut = "B";
  protected readonly refusedAction = "use_ability";

  protected actionsOf({ ability }: DiskModes): ReadonlyArray<TargetAction> {
    return ability;
  }
  protected numberOf(): number {
    return 0;
  }
  protected override get isUnstable(): boolean {
    const { decision, state } = this.host;
    const { question } = decision;
    const card = question.type === "activation" ? state?.cards.find(({ id }) => id === question.card) : undefined;
    return card?.abilities?.some(({ timing, unstable }) => timing === "battle" && unstable) ?? false;
  }
  protected effectWords({ board, disk }: ChosenDisk): string {
    const [action] = this.actions;
    const effect = action ? effectOf(board, this.host.decision, action) : null;
    const words = effect ? effectText(effect) : abilityName(profileOf(board, disk), this.number);
    return words || t("log.ability.some");
  }
}
