// What is chosen before the player chooses: never an own disk for what harms it, and the own side where somebody goes first.

import type { BoardState, Decision } from "../../../client/records/match.js";
import type { diskwars } from "../../../protocol/types";
import { profileOf } from "./position";

type Effect = diskwars.Ability["effect"];
/** Answers that name a disk which something happens to. */
type Aimed = diskwars.ChooseScatter | diskwars.Focus | diskwars.Shoot | diskwars.UseAbility | diskwars.UseEngageAbility;

/** The effects that a player wants for an own disk. All others that are aimed harm their target, as shots do. */
const HELPFUL: ReadonlySet<Effect["type"]> = new Set<Effect["type"]>(["empower", "heal", "remove_activation_token"]);

/** The effect that an answer uses; null for shots and scatter dice, which deal damage. */
export function effectOf(board: BoardState, { question }: Decision, action: diskwars.Action): Effect | null {
  switch (action.type) {
    case "focus": {
      // Magic comes before the printed abilities (R8.3).
      const { keywords = [], abilities = [] } = profileOf(board, action.disk);
      const magic = keywords.filter(({ id }) => id === "magic");
      const amount = magic[action.ability ?? 0]?.amount;
      if (amount) return { type: "deal_damage", amount, damage_type: "arcane", reach: "medium" };
      return abilities.filter(({ timing }) => timing === "focus")[(action.ability ?? 0) - magic.length]?.effect ?? null;
    }
    case "use_ability": {
      const card = question.type === "activation" ? board.cards.find(({ id }) => id === question.card) : undefined;
      return card?.abilities?.find(({ timing }) => timing === "battle")?.effect ?? null;
    }
    case "use_engage_ability":
      return question.type === "engage_ability"
        ? (profileOf(board, question.trigger.disk).abilities?.[question.trigger.ability]?.effect ?? null)
        : null;
    default:
      return null;
  }
}

/** Whether an answer harms a disk of the player who gives it. */
export function harmsOwn(board: BoardState, decision: Decision, action: diskwars.Action): boolean {
  if (!isAimed(action) || action.target === undefined || board.disks[action.target]?.seat !== decision.seat)
    return false;
  const effect = effectOf(board, decision, action);
  return effect === null || !HELPFUL.has(effect.type);
}

function isAimed(action: diskwars.Action): action is Aimed {
  return ["choose_scatter", "focus", "shoot", "use_ability", "use_engage_ability"].includes(action.type);
}

/** Return the target that is chosen beforehand: the only one that a player could want. */
export function firstTarget(board: BoardState, decision: Decision, actions: ReadonlyArray<Aimed>): number | null {
  const wanted = actions.filter((action) => action.target !== undefined && !harmsOwn(board, decision, action));
  return wanted.length === 1 ? (wanted[0]?.target ?? null) : null;
}

/** Return the place of the answer that is chosen beforehand; null where each of several harms an own disk. */
export function firstAnswer(
  board: BoardState,
  decision: Decision,
  actions: ReadonlyArray<diskwars.Action>,
): number | null {
  const own = actions.findIndex((action) => action.type === "choose_first_player" && action.seat === decision.seat);
  if (own >= 0) return own;
  const harmless = actions.findIndex((action) => !harmsOwn(board, decision, action));
  return harmless >= 0 ? harmless : actions.length === 1 ? 0 : null;
}
