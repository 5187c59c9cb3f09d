// What a landing certainly does before any melee, in the order of R8.5: Impact, Guard, then the engage abilities of both sides.

import type { BoardState } from "../../../client/records/match.js";
import type { diskwars } from "../../../protocol/types";
import { flatAmount } from "./amount";
import { isWounding, type Fate } from "./fight";
import { boardAfter, type Landing } from "./path";
import { areEnemies, hasGround, isFielded, isWithin, pinsIfPlaced, profileOf } from "./position";
import { afterReduction, toughnessOf } from "./stats";

export interface Strike {
  readonly cause: "engage" | "guard" | "impact";
  readonly disk: number;
  readonly target: number;
  readonly dealt: number;
  readonly taken: number;
  readonly toughness: number;
  readonly fate: Fate;
}
/** An engage ability whose effect a die or a player decides, or that deals no damage. */
interface OpenAbility {
  readonly disk: number;
  readonly ability: diskwars.Ability;
}
export interface Clash {
  /** The board after it, on which the melee would be fought. */
  readonly board: BoardState;
  readonly strikes: ReadonlyArray<Strike>;
  readonly open: ReadonlyArray<OpenAbility>;
}

type DamageType = diskwars.DealDamage["damage_type"];
type Source = Pick<Strike, "cause" | "disk">;

/** Return what a landing certainly does; `board` is the one on which the flip begins. A reinforcement has neither Impact nor Guard (R9.4, R16.2). */
export function clashOf(board: BoardState, disk: number, landing: Landing, isMove: boolean): Clash {
  const pinned = pinsIfPlaced(board, disk, landing.x, landing.y);
  const enemies = pinned.filter((other) => areEnemies(board, disk, other));
  const field = new Field(boardAfter(board, disk, landing));
  if (isMove) {
    const impact = keywordAmount(board, disk, "impact");
    const struck = pinned.filter((other) => board.settings.impact_own !== false || areEnemies(board, disk, other));
    const open = struck.filter((other) => !hasGround(board, board.disks[other]?.terrain ?? [], "fortified")); // R10.7
    if (impact !== null) field.strike({ cause: "impact", disk }, open, impact, "physical");
    for (const enemy of enemies) {
      const guard = keywordAmount(board, enemy, "guard");
      if (guard !== null) field.strike({ cause: "guard", disk: enemy }, [disk], guard, "physical");
    }
  }
  // R6.7: one trigger for each enemy.
  for (const enemy of enemies)
    for (const [user, other] of [
      [disk, enemy],
      [enemy, disk],
    ] as const)
      field.engage(user, other);
  return field;
}

/** Return what an ability that is used on a target certainly deals; null where it deals no damage, or a die decides how much. */
export function strikesOf(
  board: BoardState,
  disk: number,
  target: number,
  effect: diskwars.Ability["effect"],
): ReadonlyArray<Strike> | null {
  const amount = effect.type === "deal_damage" ? flatAmount(effect.amount) : null;
  if (effect.type !== "deal_damage" || amount === null) return null;
  const field = new Field(board);
  field.strike({ cause: "engage", disk }, field.blast(target, effect), amount, effect.damage_type);
  return field.strikes;
}

function keywordAmount(board: BoardState, disk: number, id: "guard" | "impact"): number | null {
  const amount = (profileOf(board, disk).keywords ?? []).find((keyword) => keyword.id === id)?.amount;
  return amount ? flatAmount(amount) : null;
}

class Field implements Clash {
  readonly strikes: Strike[] = [];
  readonly open: OpenAbility[] = [];
  constructor(public board: BoardState) {}

  /** Let all abilities of a disk that engages an enemy work, if that disk is still there (R8.5.3). */
  engage(user: number, enemy: number): void {
    for (const ability of (profileOf(this.board, user).abilities ?? []).filter(({ timing }) => timing === "engage")) {
      if (!isFielded(this.board.disks[user])) return;
      const { effect } = ability;
      const amount =
        effect.type === "deal_damage" || effect.type === "deal_damage_near" ? flatAmount(effect.amount) : null;
      if (effect.type === "deal_damage" && amount !== null && !ability.optional) {
        if (isFielded(this.board.disks[enemy]))
          this.strike({ cause: "engage", disk: user }, this.blast(enemy, effect), amount, effect.damage_type);
      } else if (effect.type === "deal_damage_near" && amount !== null && !ability.optional) {
        const near = this.board.disks.filter(
          (one) =>
            isFielded(one) && areEnemies(this.board, user, one.id) && isWithin(this.board, user, one.id, effect.reach),
        );
        this.strike(
          { cause: "engage", disk: user },
          near.map(({ id }) => id),
          amount,
          effect.damage_type,
        );
      } else if (!this.open.some((one) => one.disk === user && one.ability === ability))
        this.open.push({ disk: user, ability });
    }
  }
  /** Return the target and those around it that are struck with it. */
  blast(target: number, { around }: diskwars.DealDamage): number[] {
    const near = this.board.disks.filter(
      (one) => around && one.id !== target && isFielded(one) && isWithin(this.board, target, one.id, around),
    );
    return [target, ...near.map(({ id }) => id)];
  }

  /** Strike disks all at once, and wound or remove those whose damage reaches their toughness (R13.2 to R13.5). */
  strike({ cause, disk }: Source, targets: ReadonlyArray<number>, dealt: number, type: DamageType): void {
    const before = this.board;
    const changed = new Map<number, Partial<BoardState["disks"][number]>>();
    for (const target of targets.filter((one) => isFielded(before.disks[one]))) {
      const { amount: taken } = afterReduction(
        profileOf(before, target),
        dealt,
        type,
        cause === "engage" ? undefined : cause,
      );
      const { damage = 0, wounds = 0 } = before.disks[target] ?? {};
      const isWounded = taken > 0 && isWounding(before, target, damage + taken);
      const isDead = isWounded && wounds >= (profileOf(before, target).stamina ?? 0);
      const fate = taken === 0 ? "unharmed" : isDead ? "destroyed" : isWounded ? "wounded" : "damaged";
      changed.set(
        target,
        isDead ? { place: "casualty" } : isWounded ? { damage: 0, wounds: wounds + 1 } : { damage: damage + taken },
      );
      this.strikes.push({ cause, disk, target, dealt, taken, toughness: toughnessOf(before, target), fate });
    }
    const disks = before.disks.map((one) => ({ ...one, ...changed.get(one.id) }));
    this.board = {
      ...before,
      disks,
      pins: before.pins.filter(({ top, bottom }) => isFielded(disks[top]) && isFielded(disks[bottom])),
    };
  }
}
