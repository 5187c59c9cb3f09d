// Shooting: the odds of a shot at each target.

import type { Shape } from "../../../../board/shapes";
import { decimal, names, t } from "../../../../messages";
import { amountText } from "../../forecast/amount";
import { percentages, scatterTargets, shotOdds } from "../../forecast/fight";
import { note, shotConsequences, type Note } from "../../forecast/forecast";
import { REACHES, bandOf, circleOf, gapOf, inches } from "../../forecast/position";
import { rangeRing } from "../../forecast/reach";
import { shotOf } from "../../forecast/stats";
import { diskName } from "../../names";
import type { DiskModes } from "../../orders";
import type { Choice } from "../tool";
import type { ChosenDisk } from "./disk_mode";
import { TargetMode, type TargetAction } from "./target_mode.svelte";

export class ShootMode extends TargetMode {
  readonly id = "shoot";
  readonly shortcut = "S";
  protected readonly refusedAction = "shoot";

  protected actionsOf({ shoot }: DiskModes): ReadonlyArray<TargetAction> {
    return shoot;
  }
  protected numberOf(action: TargetAction): number {
    return action.type === "shoot" ? (action.shot ?? 0) : 0;
  }
  protected numberText(number: number): string {
    const { chosen } = this;
    const shot = chosen && shotOf(chosen.board, chosen.disk, number);
    return shot
      ? t("shot.attack", { dice: shot.dice, strength: amountText(shot.strength), reach: t(`reach.${shot.reach}`) })
      : t("bar.focus.number", { number: number + 1 });
  }

  override get primary(): Choice {
    const { answer } = this;
    const { state } = this.host;
    const odds =
      answer?.type === "shoot" && state ? shotOdds(state, answer.disk, answer.target, answer.shot ?? 0) : null;
    return odds ? { ...super.primary, label: t("shot.roll", { dice: odds.dice }), icon: "dice" } : super.primary;
  }
  override get shapes(): ReadonlyArray<Shape> {
    const { chosen, target } = this;
    if (!chosen) return [];
    const { board, disk } = chosen;
    const shot = shotOf(board, disk, this.number);
    const at = circleOf(board, disk);
    const rings = REACHES.slice(0, shot ? REACHES.indexOf(shot.reach) + 1 : 0).flatMap((reach) =>
      rangeRing(board, at, reach),
    );
    const label =
      target === null
        ? ""
        : t("shot.ray", {
            distance: inches(gapOf(at, circleOf(board, target))),
            band: t(`reach.${bandOf(board, disk, target)}`),
          });
    return [...rings, ...this.aimShapes(label)];
  }
  override get notes(): ReadonlyArray<Note> {
    const { chosen, target } = this;
    return chosen && target !== null ? this.shotNotes(chosen, target) : [];
  }
  private shotNotes({ board, disk }: ChosenDisk, target: number): Note[] {
    const odds = shotOdds(board, disk, target, this.number);
    if (!odds) return [];
    const percent = (chance: number) => `${Math.round(100 * chance)} %`;
    const [unharmed = 0, damaged = 0, struck = 0] = percentages([odds.unharmed, odds.damaged, odds.struck]);
    const isOwn = this.isOwnHarm(target);
    return [
      ...(isOwn ? [note(t("shot.own"), "R12.1", "bad")] : []),
      {
        ...note(
          t("shot.range", {
            band: t(`reach.${odds.band}`),
            distance: inches(gapOf(circleOf(board, disk), circleOf(board, target))),
          }),
          "R5.5",
        ),
        brief: t(odds.isDeadly ? "shot.brief.destroyed" : "shot.brief.wounded", { struck, damaged }),
      },
      ...(odds.isCovered ? [note(t("shot.cover"), "R10.4")] : []),
      ...(odds.rule ? [note(t("shot.reduced"), odds.rule)] : []),
      note(t("shot.unharmed", { chance: `${unharmed} %` })),
      note(t("shot.damaged", { chance: `${damaged} %` }), "", isOwn ? "bad" : "plain"),
      note(
        t(odds.isDeadly ? "shot.destroyed" : "shot.wounded", { chance: `${struck} %` }),
        "R13.5",
        isOwn ? "bad" : "good",
      ),
      note(t("shot.expected", { amount: decimal(odds.expected), chance: percent(odds.critical) }), "R12.4.2"),
      this.scatterNote({ board, disk }, target, percent(odds.scatter)),
      ...shotConsequences(board, disk, target, odds.unharmed < 1),
    ];
  }
  private scatterNote({ board, disk }: ChosenDisk, target: number, chance: string): Note {
    const struck = scatterTargets(board, disk, target);
    if (!struck.length) return note(t("shot.scatter.nobody", { chance }), "R12.3");
    const isOwn = struck.every((other) => board.disks[other]?.seat === this.host.context.seat);
    const others = names(
      struck.map((other) => diskName(board, other)),
      "or",
    );
    const text = t(isOwn ? "shot.scatter.own" : "shot.scatter", { chance, names: others });
    return note(text, "R12.3", isOwn ? "bad" : "plain");
  }
}
