// Stats in force (R1.3): the printed ones, changed by tokens, cards, the scenario and nearby disks.

import type { BoardState } from "../../../client/records/match.js";
import type { diskwars } from "../../../protocol/types";
import { REACHES, hasGround, isFielded, isWithin, profileOf, type Reach } from "./position";

type Effect = diskwars.Ability["effect"];
type EffectType = Effect["type"];
type EffectOf<Type extends EffectType> = Extract<Effect, { readonly type: Type }>;
type Modifier =
  "increase_melee_strength" | "increase_movement" | "increase_range" | "increase_shot_strength" | "increase_toughness";
export type Speed = "normal" | "slow" | "swift";

const AURAS = new Set<EffectType>(["increase_toughness", "increase_melee_strength"]);

export const hasKeyword = (
  profile: diskwars.Profile,
  id: diskwars.Keyword["id"],
  kind?: diskwars.Keyword["kind"],
): boolean =>
  (profile.keywords ?? []).some((keyword) => keyword.id === id && (kind === undefined || keyword.kind === kind));

function isSelected(profile: diskwars.Profile, selector: string | undefined): boolean {
  return (
    selector === undefined || [...(profile.traits ?? []), profile.race, profile.kind, profile.id].includes(selector)
  );
}

/** An effect in force, and the card, scenario or disk that it comes from. */
interface Sourced<Of extends Effect> {
  readonly effect: Of;
  readonly source: string;
}

function passiveEffects(board: BoardState, seat: number): Sourced<Effect>[] {
  const { layout } = board;
  const scenario = layout.scenarios
    .filter(({ id }) => id === layout.active_scenario)
    .map(({ ability, name }) => ({ effect: ability as Effect, source: name }));
  const revealed = board.cards.find(({ id }) => id === board.sides[seat]?.revealed_card);
  return [
    ...scenario,
    ...(revealed?.abilities ?? [])
      .filter(({ timing }) => timing === "passive")
      .map(({ effect }) => ({ effect, source: revealed?.name ?? "" })),
  ];
}

function sourcedEffects<Type extends Modifier>(board: BoardState, disk: number, type: Type): Sourced<EffectOf<Type>>[] {
  const now = board.disks[disk];
  if (!now) return [];
  const found = passiveEffects(board, now.seat).filter(({ effect }) => effect.type === type);
  if (AURAS.has(type) && isFielded(now)) {
    for (const other of board.disks) {
      if (other.seat !== now.seat || other.id === now.id || !isFielded(other)) continue;
      const { abilities, name } = profileOf(board, other.id);
      for (const { effect } of abilities ?? []) {
        const reach: Reach = ("reach" in effect && effect.reach) || "short";
        if (effect.type === type && isWithin(board, other.id, disk, reach)) found.push({ effect, source: name });
      }
    }
  }
  const profile = profileOf(board, disk);
  return found.filter(({ effect }) =>
    isSelected(profile, "selector" in effect ? effect.selector : undefined),
  ) as Sourced<EffectOf<Type>>[];
}

const effectsInForce = <Type extends Modifier>(board: BoardState, disk: number, type: Type): EffectOf<Type>[] =>
  sourcedEffects(board, disk, type).map(({ effect }) => effect);

type Figure = "counter" | "movement" | "strength" | "toughness";
/** Why a figure differs from the printed one: by how much, and because of what. Tokens have no name. */
export interface StatReason {
  readonly figure: Figure;
  readonly by: number;
  readonly source: string;
  readonly token: "emplace" | "empowered" | "weakened" | null;
}

/** Return why the figures of a disk in force differ from the printed ones; the changes of a figure add up to the difference. */
export function statReasons(board: BoardState, disk: number): StatReason[] {
  const profile = profileOf(board, disk);
  const named = (figure: Figure, by: number, source: string): StatReason => ({ figure, by, source, token: null });
  const token = (figure: Figure, by: number, kind: StatReason["token"]): StatReason => ({
    figure,
    by,
    source: "",
    token: kind,
  });
  const isEmplaced = hasKeyword(profile, "emplace");
  const raised = empowered(board, disk)
    ? (["strength", "counter", "toughness"] as const).map((figure) => token(figure, 1, "empowered"))
    : [];
  const weakened = board.disks[disk]?.weakened ?? 0;
  const least =
    -profile.toughness -
    empowered(board, disk) -
    total(effectsInForce(board, disk, "increase_toughness").map(({ toughness }) => toughness));
  return [
    ...raised,
    ...(weakened ? [token("toughness", Math.max(-weakened, least), "weakened")] : []),
    ...(isEmplaced && profile.movement ? [token("movement", -profile.movement, "emplace")] : []),
    ...(isEmplaced
      ? []
      : sourcedEffects(board, disk, "increase_movement").map(({ effect, source }) =>
          named("movement", effect.flips, source),
        )),
    ...sourcedEffects(board, disk, "increase_melee_strength").flatMap(({ effect, source }) => [
      named("strength", effect.strength, source),
      named("counter", effect.counter_strength, source),
    ]),
    ...sourcedEffects(board, disk, "increase_toughness").map(({ effect, source }) =>
      named("toughness", effect.toughness, source),
    ),
  ].filter(({ by }) => by !== 0);
}

const total = (amounts: ReadonlyArray<number>): number => amounts.reduce((sum, amount) => sum + amount, 0);
const empowered = (board: BoardState, disk: number): number => (board.disks[disk]?.empowered ? 1 : 0);

export const strengthOf = (board: BoardState, disk: number): number =>
  profileOf(board, disk).strength +
  empowered(board, disk) +
  total(effectsInForce(board, disk, "increase_melee_strength").map(({ strength }) => strength));

export const counterOf = (board: BoardState, disk: number): number =>
  profileOf(board, disk).counter_strength +
  empowered(board, disk) +
  total(effectsInForce(board, disk, "increase_melee_strength").map(({ counter_strength: counter }) => counter));

export const toughnessOf = (board: BoardState, disk: number): number =>
  Math.max(
    0,
    profileOf(board, disk).toughness +
      empowered(board, disk) -
      (board.disks[disk]?.weakened ?? 0) +
      total(effectsInForce(board, disk, "increase_toughness").map(({ toughness }) => toughness)),
  );

export const movementOf = (board: BoardState, disk: number): number => {
  const profile = profileOf(board, disk);
  return hasKeyword(profile, "emplace")
    ? 0
    : profile.movement + total(effectsInForce(board, disk, "increase_movement").map(({ flips }) => flips));
};

/** Return a ranged attack with its stats in force, before the target's cover. */
export function shotOf(board: BoardState, disk: number, number: number): diskwars.Shot | null {
  const printed = profileOf(board, disk).shots?.[number];
  if (!printed) return null;
  const steps = total(effectsInForce(board, disk, "increase_range").map((effect) => effect.steps));
  const bonus = total(effectsInForce(board, disk, "increase_shot_strength").map(({ strength }) => strength));
  const reach = REACHES[Math.min(REACHES.indexOf(printed.reach) + steps, REACHES.length - 1)] ?? printed.reach;
  return { ...printed, reach, strength: { ...printed.strength, flat: (printed.strength.flat ?? 0) + bonus } };
}

/** Return the speed of one kind of attack; Swift and Slow on the same kind cancel (R14.1 to R14.3). */
export function speedOf(board: BoardState, disk: number, kind: "counter" | "strength"): Speed {
  const profile = profileOf(board, disk);
  const has = (id: "slow" | "swift") => hasKeyword(profile, id, kind) || hasKeyword(profile, id, "both");
  const defended =
    [kind, "both"].includes(board.settings.defensive_swift ?? "counter") &&
    hasGround(board, board.disks[disk]?.terrain ?? [], "defensive");
  const [swift, slow] = [has("swift") || defended, has("slow")];
  return swift === slow ? "normal" : swift ? "swift" : "slow";
}

/** Return what an instance of damage leaves after Immune and Resistant (R13.3), and the rule that took something. */
export function afterReduction(
  profile: diskwars.Profile,
  dealt: number,
  type: string,
  source?: "guard" | "impact" | "ranged",
): { amount: number; rule: string } {
  if (type === "true") return { amount: dealt, rule: "" };
  const covering = [...(source ? [source] : []), ...(type === "untyped" ? [] : [type])] as NonNullable<
    diskwars.Keyword["kind"]
  >[];
  if (covering.some((kind) => hasKeyword(profile, "immune", kind))) return { amount: 0, rule: "R13.3.2" };
  if (covering.some((kind) => hasKeyword(profile, "resistant", kind)))
    return { amount: Math.ceil(dealt / 2), rule: "R13.3.1" };
  return { amount: dealt, rule: "" };
}
