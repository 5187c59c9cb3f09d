// Figures of disks and kinds of card of a guided match, each named with its value the first time that it matters.

import type { BoardState } from "../../../client/records/match.js";
import { letterOf } from "../../../client/records/seats";
import { language, t } from "../../../messages";
import type { Values } from "../../../messages/format";
import type { diskwars } from "../../../protocol/types";
import { abilityText, keywordText, shotText } from "../cards/card_text";
import { areEnemies, isFielded, profileOf } from "../forecast/position";
import { counterOf, movementOf, shotOf, strengthOf, toughnessOf } from "../forecast/stats";
import { diskName } from "../names";

/** Each has a text: the compiler finds one that has none. */
export type Use =
  | "blows"
  | "card_ability"
  | "damage"
  | "keyword"
  | "missile"
  | "movement"
  | "scoring"
  | "stamina"
  | "strategy"
  | "zone_card";

/** What texts take for the name of a card that a quick match does without. */
const NO_CARD = "none";

export interface FirstUse {
  readonly id: Use;
  readonly values: Values;
  /** The thing that the value stands at: a disk, a card of the hand, or what a selector finds. */
  readonly disk?: number;
  readonly card?: number;
  readonly selector?: string;
}

interface Asked {
  readonly question: diskwars.Question["type"] | undefined;
  readonly options: diskwars.Options | undefined;
}

/** Return what matters for a seat now, in the order in which it is to be named. */
export function firstUses(board: BoardState, seat: number, asked: Asked): FirstUse[] {
  return [...ofCards(board, seat, asked), ...ofActing(board, asked), ...ofFights(board, seat), ...ofScore(board)];
}

/** Return the hint about something that is there; none without it. */
const listUse = <Found>(found: Found | null | undefined, make: (found: Found) => FirstUse): FirstUse[] =>
  found === null || found === undefined ? [] : [make(found)];

function ofCards(board: BoardState, seat: number, { question }: Asked): FirstUse[] {
  if (question === "deployment") {
    const laid = board.layout.laid_cards.find((one) => one.seat === seat);
    const card = board.layout.deployments.find(({ id }) => id === laid?.card);
    const selector = `.stage .zone[fill="var(--seat-${letterOf(seat)})"]`;
    return [{ id: "zone_card", values: { name: card?.name ?? NO_CARD }, selector }];
  }
  const hand = board.sides[seat]?.hand;
  if (question !== "command_card" || !Array.isArray(hand)) return [];
  const cards = hand.flatMap((id) => board.cards.find((one) => one.id === id) ?? []);
  const special = cards.findIndex(({ abilities }) => abilities?.length);
  return [
    ...listUse(cards[0], ({ name, strategy, activations: count }) => ({
      id: "strategy",
      values: { name, strategy: t(`strategy.${strategy}`).toLocaleLowerCase(language()), count },
      card: 0,
    })),
    ...listUse(cards[special]?.abilities?.[0], (ability) => ({
      id: "card_ability",
      values: { name: cards[special]?.name ?? "", ability: abilityText(ability) },
      card: special,
    })),
  ];
}

/** What the disks that can act now do it with. */
function ofActing(board: BoardState, { question, options }: Asked): FirstUse[] {
  if (question !== "activation") return [];
  const acting = (options?.parametric ?? []).flatMap(({ disk, example }) =>
    example.type === "move_disk" && disk !== undefined ? [disk] : [],
  );
  const shooter = acting.find((disk) => shotOf(board, disk, 0));
  const gifted = acting.find((disk) => profileOf(board, disk).keywords?.length);
  return [
    ...listUse(acting[0], (disk) => ({
      id: "movement",
      values: { name: diskName(board, disk), movement: movementOf(board, disk) },
      disk,
    })),
    ...listUse(shooter, (disk) => {
      const shot = shotOf(board, disk, 0);
      return { id: "missile", values: { name: diskName(board, disk), shot: shot ? shotText(shot) : "" }, disk };
    }),
    ...listUse(gifted, (disk) => {
      const [keyword] = profileOf(board, disk).keywords ?? [];
      const { name, help } = keyword ? keywordText(keyword) : { name: "", help: "" };
      return { id: "keyword", values: { name: diskName(board, disk), keyword: name, help }, disk };
    }),
  ];
}

/** What disks that lie on enemies will strike with, and how much they take. */
function ofFights(board: BoardState, seat: number): FirstUse[] {
  const isOwn = (disk: number) => board.disks[disk]?.seat === seat;
  const fights = board.pins.filter(
    ({ top, bottom }) => areEnemies(board, top, bottom) && (isOwn(top) || isOwn(bottom)),
  );
  const staminaOf = (disk: number) => profileOf(board, disk).stamina ?? 0;
  const hero = fights.flatMap(({ top, bottom }) => [top, bottom]).find((disk) => staminaOf(disk) > 0);
  const hurt = board.disks.find((disk) => isFielded(disk) && disk.damage > 0);
  return [
    ...listUse(fights[0], ({ top, bottom }) => ({
      id: "blows",
      values: {
        name: diskName(board, top),
        other: diskName(board, bottom),
        strength: strengthOf(board, top),
        counter: counterOf(board, bottom),
        toughness: toughnessOf(board, bottom),
      },
      disk: top,
    })),
    ...listUse(hero, (disk) => ({
      id: "stamina",
      values: { name: diskName(board, disk), stamina: staminaOf(disk) },
      disk,
    })),
    ...listUse(hurt, ({ id: disk, damage }) => ({
      id: "damage",
      values: { name: diskName(board, disk), damage, toughness: toughnessOf(board, disk) },
      disk,
    })),
  ];
}

/** What the points come from, once they are worth a look. */
function ofScore(board: BoardState): FirstUse[] {
  if (board.round < 2) return [];
  const scenario = board.layout.scenarios.find(({ id }) => id === board.layout.active_scenario);
  return [{ id: "scoring", values: { name: scenario?.name ?? NO_CARD }, selector: ".score, .act .q" }];
}
