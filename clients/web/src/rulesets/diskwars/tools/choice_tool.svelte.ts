// Questions that are answered by one of a few whole answers: by a button, or by a click on the disk that it names.

import { targetMark, type Mark } from "../../../board/view";
import { diskName } from "../names";
import { letterOf, type SeatLetter } from "../../../client/records/seats";
import type { BoardState, Decision } from "../../../client/records/match.js";
import { t } from "../../../messages";
import { lockableCards } from "../last_card";
import { describe, promptOf } from "../orders";
import type { diskwars } from "../../../protocol/types";
import { settings } from "../../../page/settings.svelte";
import { scenarioText } from "../cards/card_text";
import { note, type Note } from "../forecast/forecast";
import { firstAnswer, harmsOwn } from "../forecast/preselect";
import { Tool, type Choice, type ToolContext } from "./tool";

export class ChoiceTool extends Tool {
  private picked = $state<number | null>(null);

  constructor(
    context: ToolContext,
    private readonly decision: Decision,
  ) {
    super(context);
  }

  private get actions(): ReadonlyArray<diskwars.Action> {
    const { actions = [], parametric = [] } = this.context.options;
    return [...actions, ...parametric.map(({ example }) => example)];
  }
  /** The place of the answer that the primary button gives. */
  private get chosen(): number | null {
    return this.picked ?? (this.state ? firstAnswer(this.state, this.decision, this.actions) : null);
  }
  private isOwnHarm(place: number): boolean {
    const action = this.actions[place];
    return this.state !== null && action !== undefined && harmsOwn(this.state, this.decision, action);
  }
  override get title(): string {
    return promptOf(this.decision, this.state).title;
  }
  override get notes(): ReadonlyArray<Note> {
    return this.chosen !== null && this.isOwnHarm(this.chosen) ? [note(t("shot.own"), "", "bad")] : [];
  }
  override get help(): string {
    return this.targets.size ? t("bar.target.help") : promptOf(this.decision, this.state).help;
  }
  private get targets(): ReadonlyMap<number, number> {
    return new Map(
      this.actions.flatMap((action, place) =>
        "target" in action && action.target !== undefined ? [[action.target, place] as const] : [],
      ),
    );
  }
  override get marks(): ReadonlyMap<number, Mark> {
    const { targets } = this;
    const marks = new Map<number, Mark>();
    for (const [disk, place] of targets) marks.set(disk, targetMark(place === this.chosen, this.isOwnHarm(place)));
    const { subject } = this;
    if (subject !== null && !marks.has(subject)) marks.set(subject, "acting");
    return marks;
  }
  override get subject(): number | null {
    const { question } = this.decision;
    return question.type === "scatter"
      ? question.shooter
      : question.type === "engage_ability"
        ? question.trigger.disk
        : null;
  }
  override get choices(): ReadonlyArray<Choice> {
    const board = this.state;
    const { actions } = this;
    if (!board || actions.length < 2) return [];
    return actions.map((action, place) => ({
      id: `choice-${place}`,
      label: describe(action, board, this.context.seatNames, this.decision),
      key: String(place + 1),
      isOn: place === this.chosen,
      act: () => {
        this.picked = place;
      },
      letter: seatLetter(action, board),
      ...this.detailOf(action, board),
    }));
  }
  /** What a scenario does: nobody chooses well between two names. And whose disk it is, where that is not wanted. */
  private detailOf(action: diskwars.Action, board: BoardState): { readonly detail?: string } {
    if (harmsOwn(board, this.decision, action)) return { detail: t("aim.own") };
    const scenario =
      action.type === "choose_scenario" ? board.layout.scenarios.find(({ id }) => id === action.scenario) : undefined;
    return scenario ? { detail: scenarioText(scenario) } : {};
  }
  override get primary(): Choice | null {
    const action = this.actions[this.chosen ?? -1];
    if (!this.state) return null;
    if (!action)
      return this.actions.length ? { id: "answer", label: t("q.unknown"), isOff: true, act: () => undefined } : null;
    return {
      id: "answer",
      label: describe(action, this.state, this.context.seatNames, this.decision),
      letter: seatLetter(action, this.state),
      act: () => void this.send(action),
    };
  }
  override pick(disk: number): void {
    const place = this.targets.get(disk);
    if (place !== undefined) this.picked = place;
  }
}

/** Return the seat that an answer names, or that owns the disk that it names; none for other answers. */
function seatLetter(action: diskwars.Action, board: BoardState): SeatLetter | undefined {
  if (action.type === "choose_first_player") return letterOf(action.seat);
  const target = "target" in action && action.target !== undefined ? board.disks[action.target] : undefined;
  return target && letterOf(target.seat);
}

/** The command card of a round, locked in secret. */
export class CardTool extends Tool {
  private picked = $state("");

  /** The card to lock: the only one of a hand needs no choice. */
  get card(): string {
    return this.picked || (this.cards.length === 1 ? (this.cards[0] ?? "") : "");
  }
  set card(card: string) {
    this.picked = card;
  }
  get cards(): ReadonlyArray<string> {
    return lockableCards(this.context.options);
  }
  override get title(): string {
    return t("q.command_card");
  }
  override get help(): string {
    return t("q.command_card.help");
  }
  override get primary(): Choice | null {
    const name = this.state?.cards.find(({ id }) => id === this.card)?.name ?? "…";
    return {
      id: "lock",
      label: settings.isHandHidden ? t("hand.lock") : t("q.command_card.do", { name }),
      icon: "lock",
      isOff: !this.card,
      act: () => void this.send({ type: "lock_card", card: this.card }),
    };
  }
  override key({ key }: KeyboardEvent): boolean {
    const card = this.cards[Number(key) - 1];
    if (card === undefined) return false;
    this.card = card;
    return true;
  }
}

interface OrderItem {
  readonly value: number;
  readonly label: string;
  readonly letter: SeatLetter;
  readonly disk?: number;
}

/** Several things in an order of the player's choice: abilities that go off at once, or players. */
export class OrderTool extends Tool {
  private order = $state.raw<ReadonlyArray<number>>([]);

  constructor(
    context: ToolContext,
    private readonly decision: Decision,
  ) {
    super(context);
  }

  private get items(): ReadonlyArray<OrderItem> {
    const { question } = this.decision;
    const board = this.state;
    if (question.type === "trigger_order" && board) {
      return question.triggers.map(({ disk, enemy }, value) => ({
        value,
        disk,
        letter: letterOf(board.disks[disk]?.seat ?? 0),
        label: t("order.trigger", { name: diskName(board, disk), enemy: diskName(board, enemy) }),
      }));
    }
    // The own seat is listed first: most players who may choose want to begin.
    const { seat } = this.decision;
    return this.context.seatNames
      .map((label, value) => ({ value, label, letter: letterOf(value) }))
      .sort((one, other) => Number(other.value === seat) - Number(one.value === seat));
  }
  override get title(): string {
    return promptOf(this.decision, this.state).title;
  }
  override get help(): string {
    return t("order.help");
  }
  override get marks(): ReadonlyMap<number, Mark> {
    return new Map(
      this.items.flatMap(({ disk, value }) =>
        disk === undefined ? [] : [[disk, this.order.includes(value) ? "selected" : "choice"] as const],
      ),
    );
  }
  override get choices(): ReadonlyArray<Choice> {
    return this.items.map(({ value, label, letter }, place) => {
      const at = this.order.indexOf(value);
      return {
        id: `order-${value}`,
        key: String(place + 1),
        label: at < 0 ? label : `${at + 1}. ${label}`,
        letter,
        isOn: at >= 0,
        act: () => this.toggle(value),
      };
    });
  }
  override get primary(): Choice | null {
    // What is not numbered follows in the order in which it is listed.
    const order = [
      ...this.order,
      ...this.items.map(({ value }) => value).filter((value) => !this.order.includes(value)),
    ];
    const action: diskwars.Action =
      this.decision.question.type === "trigger_order"
        ? { type: "order_triggers", order }
        : { type: "set_order", order };
    return { id: "answer", label: t("order.do"), act: () => void this.send(action) };
  }
  override pick(disk: number): void {
    for (const { value, disk: of } of this.items)
      if (of === disk && !this.order.includes(value)) return this.toggle(value);
  }
  private toggle(value: number): void {
    this.order = this.order.includes(value) ? this.order.filter((one) => one !== value) : [...this.order, value];
  }
}
