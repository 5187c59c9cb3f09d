// What disks, command cards, scenarios and terrain do, in words of the reader's language, made from their effects.

import { capital } from "../../../messages";
import en from "../../../messages/en/parts/cards.json";
import { makeTexts } from "../../../messages/texts";
import type { diskwars } from "../../../protocol/types";
import { amountText } from "../forecast/amount";

type Effect = diskwars.Ability["effect"];
type Key = keyof typeof en;

export const commandCardText = makeTexts("cards", en);

/** A keyword as it is printed, what it means, and the rule that says so. */
export interface KeywordText {
  readonly name: string;
  readonly help: string;
  readonly rule: string;
}

const KEYWORD_RULES: Readonly<Record<diskwars.Keyword["id"], string>> = {
  emplace: "R16.5",
  flank: "R9.5",
  flying: "R8.7",
  frenzy: "R14.4",
  guard: "R16.2",
  immune: "R13.3.2",
  impact: "R8.5.2",
  magic: "R8.3",
  mobile: "R8.2",
  poison: "R16.4",
  relentless: "R8.6",
  resistant: "R13.3.1",
  scout: "R8.9",
  slow: "R14.1",
  stalwart: "R16.3",
  strider: "R8.8",
  swift: "R14.1",
};
const GROUND_RULES: Readonly<Record<diskwars.TerrainKeyword["id"], string>> = {
  blocks_sight: "R10.3",
  cave: "R10.11",
  cover: "R10.4",
  dangerous: "R10.5",
  defensive: "R10.6",
  fortified: "R10.7",
  high_ground: "R10.8",
  rough: "R10.9",
  windmill: "R9.6",
};

/** Return the name of a trait, race, kind or disk that an effect selects; one that the page does not know is written as its id. */
export function selectorText(id: string): string {
  const key = `only.${id}`;
  return key in en ? commandCardText(key as Key) : capital(id);
}

/** Whose disks a passive effect changes: those of a card's player, of everybody under a scenario, or those near its disk. */
export type Scope = "all" | "near" | "own";

export function effectText(effect: Effect, scope: Scope = "own"): string {
  const only =
    "selector" in effect && effect.selector
      ? selectorText(effect.selector)
      : "id_word" in effect
        ? capital(effect.id_word)
        : "";
  const reach = ("reach" in effect && effect.reach) || "";
  const suffix = only ? ".only" : "";
  const whose = commandCardText(`whose.${reach ? "near" : scope}${suffix as ".only" | ""}`, { only, reach });
  const amount =
    "amount" in effect ? (typeof effect.amount === "number" ? String(effect.amount) : amountText(effect.amount)) : "";
  const type = "damage_type" in effect ? commandCardText(`damage.${effect.damage_type}`) : "";
  switch (effect.type) {
    case "deal_damage":
      return commandCardText(effect.around ? "effect.deal_damage.around" : "effect.deal_damage", {
        amount,
        type,
        reach,
        around: effect.around ?? "",
      });
    case "increase_melee_strength": {
      const [strength, counter] = [effect.strength, effect.counter_strength];
      return commandCardText(
        strength && counter ? "effect.strength.both" : counter ? "effect.counter" : "effect.strength",
        {
          whose,
          strength,
          counter,
        },
      );
    }
    case "empower":
    case "heal":
      return commandCardText(`effect.${effect.type}${suffix as ".only" | ""}`, { amount, reach, only });
    case "reinforce_near":
      return commandCardText(`effect.${effect.type}${suffix as ".only" | ""}`, {
        count: effect.count ?? 1,
        reach,
        only,
      });
    case "roll_wound":
      return commandCardText("effect.roll_wound", { minimum: effect.minimum });
    case "reduce_toughness":
      return commandCardText("effect.reduce_toughness", { reach, toughness: effect.toughness });
    case "increase_range":
      return commandCardText("effect.increase_range", { whose, steps: effect.steps });
    case "increase_movement":
      return commandCardText("effect.increase_movement", { whose, flips: effect.flips });
    case "increase_shot_strength":
      return commandCardText("effect.increase_shot_strength", { whose, strength: effect.strength });
    case "increase_toughness":
      return commandCardText("effect.increase_toughness", { whose, toughness: effect.toughness });
    default:
      return commandCardText(`effect.${effect.type}`, { amount, type, reach, only });
  }
}

export function abilityText(ability: diskwars.Ability, scope: Scope = "own"): string {
  const text = effectText(ability.effect, scope);
  const timing = commandCardText(`timing.${ability.timing}`);
  const said = ability.user
    ? commandCardText("ability.user", { timing, text, user: selectorText(ability.user) })
    : commandCardText("ability", { timing, text });
  return [
    said,
    ...(ability.unstable ? [commandCardText("ability.unstable")] : []),
    ...(ability.optional ? [commandCardText("ability.optional")] : []),
  ].join(" ");
}

export const cardTexts = (card: diskwars.CommandCard): string[] =>
  card.abilities?.length ? card.abilities.map((ability) => abilityText(ability)) : [commandCardText("card.plain")];

/** Return what a scenario does, which works for everybody. */
export const scenarioText = (scenario: diskwars.Scenario): string => `${effectText(scenario.ability, "all")}.`;

export function keywordText({ id, amount, kind }: diskwars.Keyword): KeywordText {
  const name = [
    commandCardText(`keyword.${id}`),
    amount ? amountText(amount) : "",
    kind ? `(${commandCardText(`kind.${kind}`)})` : "",
  ]
    .filter(Boolean)
    .join(" ");
  return { name, help: commandCardText(`help.${id}`), rule: KEYWORD_RULES[id] };
}

export function groundText({ id, damage_type: type }: diskwars.TerrainKeyword): KeywordText {
  return {
    name: commandCardText(`ground.${id}`, { type: commandCardText(`damage.${type ?? "physical"}`) }),
    help: commandCardText(`ground.${id}.help`),
    rule: GROUND_RULES[id],
  };
}

export function shotText({ dice, strength, damage_type: type, reach, beyond }: diskwars.Shot): string {
  const values = {
    dice,
    strength: amountText(strength),
    type: commandCardText(`damage.${type}`),
    reach,
    beyond: beyond ?? "",
  };
  return commandCardText(beyond ? "shot.beyond" : "shot", values);
}

/** Return what a focus ability does by its number: Magic comes before the printed ones. */
export function abilityName({ keywords = [], abilities = [] }: diskwars.Profile, number: number): string {
  const magic = keywords.filter(({ id }) => id === "magic");
  const printed = abilities.filter(({ timing }) => timing === "focus")[number - magic.length];
  const keyword = magic[number];
  return keyword ? keywordText(keyword).name : printed ? effectText(printed.effect) : "";
}
