// Before a mode is taken: a disk is chosen, an ability, a disk of the reserve, or what belongs to no disk.

import type { Mark } from "../../../../board/view";
import type { BoardState } from "../../../../client/records/match.js";
import { t } from "../../../../messages";
import type { diskwars } from "../../../../protocol/types";
import { unusedActivations } from "../../command_line";
import { note, type Note } from "../../forecast/forecast";
import { diskName } from "../../names";
import { describe, disksWithModes, otherChoices, whyNot } from "../../orders";
import type { Choice } from "../tool";
import { DiskMode } from "./disk_mode";

interface ChoosePlan {
  readonly isReserveOpen: boolean;
  /** Whether the card was asked to end although activations are unused. */
  readonly isEnding: boolean;
  /** Why the chosen disk can do nothing. */
  readonly complaint: Note | null;
}

export class ChooseMode extends DiskMode {
  readonly id = null;
  readonly shortcut = "";
  private plan = $state.raw<ChoosePlan>({ isReserveOpen: false, isEnding: false, complaint: null });

  override isOffered(): boolean {
    return false;
  }
  override begin(): void {
    const isReserveOpen = this.host.decision.question.type === "reinforcement";
    this.plan = { isReserveOpen, isEnding: false, complaint: null };
  }

  get reserve(): ReadonlyArray<number> {
    return (this.host.context.options.parametric ?? []).flatMap(({ example }) =>
      example.type === "reinforce" ? [example.disk] : [],
    );
  }
  get isReserveOpen(): boolean {
    return this.plan.isReserveOpen;
  }
  openReserve(isReserveOpen: boolean): void {
    this.plan = { ...this.plan, isReserveOpen };
  }
  /** Say why a disk, which is chosen, can do nothing. */
  explain(disk: number): void {
    const { context, state } = this.host;
    const why = whyNot(context.options, state, disk);
    if (why) this.plan = { ...this.plan, complaint: note(why.text, why.rule, "bad") };
  }

  override get help(): string {
    return this.isReserveOpen && this.host.chosen === null ? t("bar.reserve.help") : super.help;
  }
  override get complaint(): Note | null {
    return this.plan.complaint;
  }
  override get marks(): ReadonlyMap<number, Mark> {
    return new Map(disksWithModes(this.host.context.options).map((disk) => [disk, "ready"]));
  }
  /** Nothing is planned yet; the button has its place already. */
  override get primary(): Choice {
    return { id: "commit", label: t("bar.commit", { count: 0 }), isOff: true, act: () => undefined };
  }
  override get choices(): ReadonlyArray<Choice> {
    const { context, decision, state } = this.host;
    if (!state) return [];
    const others = otherChoices(decision, context.options).flatMap((action, place): Choice[] =>
      action.type === "end_card"
        ? this.endCardChoices(action)
        : [
            {
              id: action.type,
              label: describe(action, state, context.seatNames, decision),
              key: String(place + 1),
              act: () => void this.host.send(action),
            },
          ],
    );
    return [...this.reserveChoices, ...this.abilityChoices(state), ...others];
  }
  private get reserveChoices(): Choice[] {
    const { length: count } = this.reserve;
    if (count === 0) return [];
    if (!this.isReserveOpen)
      return [
        {
          id: "reserve",
          label: t("bar.reserve", { count }),
          key: "R",
          icon: "plus",
          act: () => this.openReserve(true),
        },
      ];
    if (this.host.decision.question.type === "reinforcement") return [];
    return [
      { id: "reserve", label: t("bar.reserve.close"), key: "Escape", icon: "x", act: () => this.openReserve(false) },
    ];
  }
  private abilityChoices(board: BoardState): Choice[] {
    if (this.host.chosen !== null) return [];
    const users = (this.host.context.options.actions ?? []).flatMap((action) =>
      action.type === "use_ability" ? [action.disk] : [],
    );
    return [...new Set(users)].slice(0, 4).map((disk) => ({
      id: `use-${disk}`,
      label: t("bar.ability.user", { name: diskName(board, disk) }),
      icon: "bolt",
      act: () => this.host.select(disk, "ability"),
    }));
  }
  /** End the card: asked once more while a disk could still use an activation. */
  private endCardChoices(action: diskwars.EndCard): Choice[] {
    const { context, decision } = this.host;
    const count = unusedActivations(action, { decision, options: context.options });
    const end = { id: "end_card", label: t("a.end_card"), key: "E" };
    const send = () => void this.host.send(action);
    const ask = (isEnding: boolean) => () => {
      this.plan = { ...this.plan, isEnding };
    };
    if (count === 0) return [{ ...end, act: send }];
    if (!this.plan.isEnding) return [{ ...end, act: ask(true) }];
    const sure = t("bar.end.sure", { count });
    return [
      { id: "end_card_sure", label: sure, key: "E", icon: "warn", act: send },
      { id: "end_card_not", label: t("bar.end.not"), key: "Escape", act: ask(false) },
    ];
  }

  /** Another disk is looked at; the one that was chosen has nothing to complain of any more. */
  override pick(): boolean {
    this.plan = { ...this.plan, complaint: null };
    return false;
  }
}
