// Focusing: the disk uses a focus ability of its own.

import { t } from "../../../../messages";
import { abilityName } from "../../cards/card_text";
import { profileOf } from "../../forecast/position";
import type { DiskModes } from "../../orders";
import type { ChosenDisk } from "./disk_mode";
import { EffectMode } from "./effect_mode";
import type { TargetAction } from "./target_mode.svelte";

export class FocusMode extends EffectMode {
  readonly id = "focus";
  readonly shortcut = "F";
  protected readonly refusedAction = "focus";

  protected actionsOf({ focus }: DiskModes): ReadonlyArray<TargetAction> {
    return focus;
  }
  protected numberOf(action: TargetAction): number {
    return action.type === "focus" ? (action.ability ?? 0) : 0;
  }
  protected effectWords({ board, disk }: ChosenDisk): string {
    return abilityName(profileOf(board, disk), this.number) || t("log.ability.some");
  }
}
