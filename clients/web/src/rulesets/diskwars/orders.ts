// What may be answered, in words and grouped: from the options that the server sends, for every question.

import { cardName, diskName } from "./names";
import type { BoardState, Decision } from "../../client/records/match.js";
import { names, t } from "../../messages";
import type { diskwars } from "../../protocol/types";
import { boardRefusalText } from "./refusals";

export type Mode = "ability" | "focus" | "move" | "pass" | "reinforce" | "shoot";
export interface DiskModes {
  readonly move?: diskwars.Option;
  /** Moves that are offered one by one: the flips of a rampage. */
  readonly moves: ReadonlyArray<diskwars.MoveDisk>;
  readonly reinforce?: diskwars.Option;
  readonly shoot: ReadonlyArray<diskwars.Shoot>;
  readonly focus: ReadonlyArray<diskwars.Focus>;
  readonly ability: ReadonlyArray<diskwars.UseAbility>;
  readonly pass?: diskwars.PassDisk;
}

const DISK_QUESTIONS = new Set(["activation", "continuation", "scout", "rampage", "reinforcement"]);
/** Questions that are answered by choosing a disk and then what it does. */
const asksForDisk = ({ question }: Decision): boolean => DISK_QUESTIONS.has(question.type);

export function modesOf(options: diskwars.Options, disk: number): DiskModes {
  const actions = options.actions ?? [];
  const own = <Type extends diskwars.Action["type"]>(type: Type) =>
    actions.filter(
      (action): action is Extract<diskwars.Action, { type: Type }> =>
        action.type === type && "disk" in action && action.disk === disk,
    );
  const limits = (type: string) =>
    (options.parametric ?? []).find(
      ({ example }) => example.type === type && "disk" in example && example.disk === disk,
    );
  const [move, reinforce, pass] = [limits("move_disk"), limits("reinforce"), own("pass_disk")[0]];
  return {
    ...(move ? { move } : {}),
    ...(reinforce ? { reinforce } : {}),
    ...(pass ? { pass } : {}),
    moves: own("move_disk"),
    shoot: own("shoot"),
    focus: own("focus"),
    ability: own("use_ability"),
  };
}

/** Return every disk that has something to do. */
export function disksWithModes(options: diskwars.Options): number[] {
  const all = [...(options.actions ?? []), ...(options.parametric ?? []).map(({ example }) => example)];
  return [...new Set(all.flatMap((action) => ("disk" in action ? [action.disk] : [])))];
}

/** Return the choices that belong to no disk, or all where the question is not about disks. */
export function otherChoices(decision: Decision, options: diskwars.Options): diskwars.Action[] {
  const all = [...(options.actions ?? []), ...(options.parametric ?? []).map(({ example }) => example)];
  return asksForDisk(decision) ? all.filter((action) => !("disk" in action)) : all;
}

export function whyNot(
  options: diskwars.Options,
  board: BoardState | null,
  disk: number,
): { text: string; rule: string } | null {
  const found = (options.unavailable ?? []).find((one) => one.disk === disk);
  return found ? { text: boardRefusalText(found, board), rule: found.rule } : null;
}

export function whyNotCard(
  options: diskwars.Options,
  board: BoardState | null,
  card: string,
): { text: string; rule: string } | null {
  const found = (options.unavailable ?? []).find((one) => one.card === card);
  return found ? { text: boardRefusalText(found, board), rule: found.rule } : null;
}

export function describe(
  action: diskwars.Action,
  board: BoardState,
  seats: ReadonlyArray<string>,
  decision: Decision,
): string {
  const disk = (id: number) => diskName(board, id);
  switch (action.type) {
    case "choose_first_player":
      return action.seat === decision.seat
        ? t("a.choose_first_player.own")
        : t("a.choose_first_player", { name: seats[action.seat] ?? "" });
    case "set_order":
      return t("a.set_order", { names: action.order.map((seat) => seats[seat] ?? "").join(", ") });
    case "choose_scenario":
      return board.layout.scenarios.find(({ id }) => id === action.scenario)?.name ?? action.scenario;
    case "lay_deployment_card":
      return t("a.lay_deployment_card", {
        name: board.layout.deployments.find(({ id }) => id === action.card)?.name ?? action.card,
        face: action.face + 1,
      });
    case "place_terrain":
      return (
        board.layout.terrain.find(({ id }) => id === action.card)?.faces[action.face === 1 ? 1 : 0].name ?? action.card
      );
    case "deploy":
      return t("a.deploy", { names: names(action.disks.map(({ disk: id }) => disk(id))) });
    case "lock_card":
      return typeof action.card === "string" ? cardName(board, action.card) : "";
    case "move_disk":
    case "pass_disk":
    case "reinforce":
      return t(`a.${action.type}`, { name: disk(action.disk) });
    case "shoot":
      return t("a.shoot", { name: disk(action.disk), target: disk(action.target) });
    case "focus":
    case "use_ability": {
      const key = action.target === undefined ? (`a.${action.type}` as const) : (`a.${action.type}.target` as const);
      return t(key, { name: disk(action.disk), target: action.target === undefined ? "" : disk(action.target) });
    }
    case "choose_scatter":
      return t("a.choose_scatter", { name: disk(action.target) });
    case "order_triggers":
      return t("a.order_triggers", {
        names: action.order.map((place) => triggerName(board, decision, place)).join(", "),
      });
    case "use_engage_ability":
      if (action.use === false) return t("a.use_engage_ability.not");
      return action.target === undefined
        ? t("a.use_engage_ability")
        : t("a.use_engage_ability.target", { target: disk(action.target) });
    case "choose_engagement": {
      const engagement = board.engagements[action.engagement];
      return engagement
        ? names([...engagement.attackers, ...engagement.defenders].map(disk))
        : String(action.engagement + 1);
    }
    case "choose_targets":
      return names(
        action.targets.map((one) => t("a.choose_targets.pair", { name: disk(one.disk), target: disk(one.target) })),
      );
    case "end_card":
    case "end_scouting":
      return t(`a.${action.type}`);
    default:
      return t("a.other", { type: action.type.replaceAll("_", " ") });
  }
}

function triggerName(board: BoardState, { question }: Decision, place: number): string {
  const trigger = question.type === "trigger_order" ? question.triggers[place] : undefined;
  return trigger ? diskName(board, trigger.disk) : String(place + 1);
}

export interface Prompt {
  readonly title: string;
  readonly help: string;
}

/** Return the line that says what is wanted of the player. */
export function promptOf({ question }: Decision, board: BoardState | null): Prompt {
  const disk = (id: number) => (board ? diskName(board, id) : "");
  switch (question.type) {
    case "seat":
      // There is a board already in a branch: nobody brings an army.
      return { title: t(board ? "branch.seat" : "q.seat"), help: t("q.seat.help") };
    case "ready":
    case "deployment":
    case "command_card":
    case "engagement":
    case "first_player":
    case "scenario":
      return { title: t(`q.${question.type}`), help: t(`q.${question.type}.help`) };
    case "activation":
      return {
        title: t("q.activation"),
        help: t("q.activation.help", {
          count: question.activations_left,
          card: board ? cardName(board, question.card) : "",
        }),
      };
    case "continuation":
      return {
        title: t("q.continuation", { name: disk(question.disk) }),
        help: t(continuationKey(question), { count: question.flips_left }),
      };
    case "engage_ability":
      return { title: t("q.engage_ability", { name: disk(question.trigger.disk) }), help: "" };
    case "rampage":
      return { title: t("q.rampage", { name: disk(question.disk) }), help: "" };
    case "initiative_order":
    case "deployment_card":
    case "terrain":
    case "scout":
    case "scatter":
    case "trigger_order":
    case "reinforcement":
    case "melee_targets":
      return { title: t(`q.${question.type}`), help: "" };
    default:
      return { title: t("q.unknown"), help: "" };
  }
}

function continuationKey({
  flips_left: left,
  allowed,
}: diskwars.ContinuationQuestion): "q.continuation.help" | "q.continuation.flips" | "q.continuation.rest" {
  if (left === 0 || !allowed.includes("move")) return "q.continuation.rest";
  return allowed.length > 1 ? "q.continuation.help" : "q.continuation.flips";
}

/** Say what is left of an activation and how to go on: by a disk that is lit, or by what is left where none is. Empty for other questions. */
export function activationHelp(
  decision: Decision,
  options: diskwars.Options,
  board: BoardState | null,
  chosen: number | null,
): string {
  const { help } = promptOf(decision, board);
  if (decision.question.type !== "activation") return "";
  if (!board || !(options.actions || options.parametric)) return help;
  const able = disksWithModes(options);
  const fielded = able.filter((disk) => board.disks[disk]?.place === "battlefield");
  const isUser = (disk: number) => {
    const { move, moves, shoot, focus, pass } = modesOf(options, disk);
    return !move && !pass && !moves.length && !shoot.length && !focus.length;
  };
  const name = chosen === null ? "" : diskName(board, chosen);
  let next: string;
  if (chosen !== null && fielded.includes(chosen))
    next = t(isUser(chosen) ? "q.activation.use" : "q.activation.chosen", { name });
  else if (fielded.some((disk) => !isUser(disk))) next = t("q.activation.lit");
  else if (fielded.length) next = t("q.activation.users");
  else next = t(able.length ? "q.activation.reserve" : "q.activation.nothing");
  return `${help} ${next}`;
}
