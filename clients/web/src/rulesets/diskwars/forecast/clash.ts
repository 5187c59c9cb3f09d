// What a landing certainly does before any melee, in the order of R8.5: Impact, Guard, then the engage abilities of both sides.
// After each of these, disks whose toughness has fallen are wounded, and pins laid bare let abilities work (R6.6).

import type { BoardState } from "../../../client/records/match.js";
import type { diskwars } from "../../../protocol/types";
import { flatAmount } from "./amount";
import { boardAfter, type Landing } from "./path";
import { areEnemies, hasGround, isFielded, isWithin, pinsIfPlaced, profileOf, type Reach } from "./position";
import { afterReduction, hasKeyword, toughnessOf } from "./stats";
import { isDeadly, isWounding, settle, wound, type Fall, type Fate, type Wounding } from "./wounds";

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
  readonly falls: ReadonlyArray<Fall>;
  /** The disk that takes the empowerment of the one that lands (R16.7). */
  readonly stripper: number | null;
  /** Whether the active player orders several abilities, and their order may count (R19.19). */
  readonly isOrderOpen: boolean;
  /** Whether a path pauses here, because something follows from the landing or the disk does not survive it. */
  readonly isPause: boolean;
}

type DamageType = diskwars.DealDamage["damage_type"];
type Source = Pick<Strike, "cause" | "disk">;
interface Trigger {
  readonly user: number;
  readonly enemy: number;
}

/**
 * Return what a landing certainly does; `board` is the one on which the flip begins. A reinforcement has neither Impact nor Guard (R9.4,
 * R16.2). Falls of toughness are tested where the move pauses or ends: of a landing without consequences `isLast` says whether it does.
 */
export function clashOf(board: BoardState, disk: number, landing: Landing, isMove: boolean, isLast = true): Clash {
  const pinned = pinsIfPlaced(board, disk, landing.x, landing.y);
  const enemies = pinned.filter((other) => areEnemies(board, disk, other));
  const field = new Field(boardAfter(board, disk, landing));
  const impact = isMove ? keywordAmount(board, disk, "impact") : null;
  const hasImpact = isMove && hasKeyword(profileOf(board, disk), "impact");
  const struck = pinned.filter((other) => board.settings.impact_own !== false || areEnemies(board, disk, other));
  if (isMove) field.strip(disk);
  field.isPause =
    enemies.length > 0 ||
    (hasImpact && struck.length > 0) ||
    hasGroundTasks(board, field.board, disk) ||
    !isFielded(field.board.disks[disk]);
  if (!isLast && !field.isPause) return field;
  field.settle();
  const open = struck.filter((other) => !hasGround(board, board.disks[other]?.terrain ?? [], "fortified")); // R10.7
  if (impact !== null) field.strike({ cause: "impact", disk }, open, impact, "physical");
  for (const enemy of isMove ? enemies : []) {
    const guard = keywordAmount(board, enemy, "guard");
    if (guard !== null) field.strike({ cause: "guard", disk: enemy }, [disk], guard, "physical");
  }
  // R6.7: one trigger for each enemy.
  field.trigger(enemies.flatMap((enemy) => triggersOf(disk, enemy)));
  return field;
}

/** Return the board once a flying disk has passed a place, and what it lost there (R8.7, R16.7). */
export function passageOf(board: BoardState, disk: number, landing: Landing): Clash {
  const field = new Field(boardAfter(board, disk, landing, true));
  field.strip(disk);
  field.isPause = !isFielded(field.board.disks[disk]);
  return field;
}

const triggersOf = (top: number, bottom: number): Trigger[] => [
  { user: top, enemy: bottom },
  { user: bottom, enemy: top },
];

/** Whether the ground under a landing stops the path, or rolls for its damage (R10.5, R10.9). */
function hasGroundTasks(before: BoardState, after: BoardState, disk: number): boolean {
  if (hasKeyword(profileOf(after, disk), "strider")) return false;
  const pieces = after.disks[disk]?.terrain ?? [];
  const entered = pieces.filter((piece) => !(before.disks[disk]?.terrain ?? []).includes(piece));
  return hasGround(after, pieces, "dangerous") || hasGround(after, entered, "rough");
}

/** Return what an ability that is used certainly does; null where it deals no damage, or a die decides how much. */
export function blowOf(
  board: BoardState,
  disk: number,
  target: number | null,
  effect: diskwars.Ability["effect"],
): Clash | null {
  if (effect.type !== "deal_damage" && effect.type !== "deal_damage_near") return null;
  const amount = flatAmount(effect.amount);
  if (amount === null) return null;
  const field = new Field(board);
  const struck =
    effect.type === "deal_damage_near"
      ? field.enemiesWithin(disk, effect.reach)
      : target === null
        ? []
        : field.blast(target, effect);
  field.strike({ cause: "engage", disk }, struck, amount, effect.damage_type);
  field.trigger([]);
  return field;
}

/** Return what a wound of a disk brings besides: without stamina it leaves the board (R6.4, R13.5, R-45). */
export function aftermathOf(board: BoardState, target: number): Clash {
  const field = new Field(board);
  field.wound(target);
  field.trigger([]);
  return field;
}

/** Return what lowering the toughness of a disk brings; it may bear an aura, or keep disks apart. */
export function weakeningOf(board: BoardState, target: number, by: number): Clash {
  const field = new Field(board);
  field.weaken(target, by);
  field.trigger([]);
  return field;
}

function keywordAmount(board: BoardState, disk: number, id: "guard" | "impact"): number | null {
  const amount = (profileOf(board, disk).keywords ?? []).find((keyword) => keyword.id === id)?.amount;
  return amount ? flatAmount(amount) : null;
}

const engageAbilities = (board: BoardState, disk: number): ReadonlyArray<diskwars.Ability> =>
  (profileOf(board, disk).abilities ?? []).filter(({ timing }) => timing === "engage");

class Field implements Clash {
  readonly strikes: Strike[] = [];
  readonly open: OpenAbility[] = [];
  readonly falls: Fall[] = [];
  stripper: number | null = null;
  isOrderOpen = false;
  isPause = false;
  /** The triggers of pins that removals have laid bare, in order: they follow those of the landing. */
  private laidBare: Trigger[][] = [];
  constructor(public board: BoardState) {}

  /** Take the empowerment of a disk that lands near one that strips it, friend or enemy; it may not survive that (R16.7, R13.4). */
  strip(disk: number): void {
    if (!this.board.disks[disk]?.empowered) return;
    const near = this.board.disks.find(
      (one) =>
        one.id !== disk &&
        isFielded(one) &&
        (profileOf(this.board, one.id).abilities ?? []).some(
          ({ effect }) => effect.type === "remove_empowerment" && isWithin(this.board, one.id, disk, effect.reach),
        ),
    );
    if (!near) return;
    this.stripper = near.id;
    const disks = this.board.disks.map((one) => (one.id === disk ? { ...one, empowered: false } : one));
    this.board = { ...this.board, disks };
    this.settle();
  }

  /** Wound the disks whose toughness has fallen. */
  settle(): void {
    const { falls, ...wounding } = settle(this.board);
    this.falls.push(...falls);
    this.take(wounding);
  }
  private take({ board, gained }: Wounding): void {
    this.board = board;
    const between = gained.filter(({ top, bottom }) => areEnemies(board, top, bottom));
    if (between.length) this.laidBare.push(between.flatMap(({ top, bottom }) => triggersOf(top, bottom)));
  }
  /** Whether the game goes on: with the last disk of all other sides it ends (R4.7). */
  private get isOn(): boolean {
    return !this.board.round || new Set(this.board.disks.filter(isFielded).map(({ seat }) => seat)).size > 1;
  }

  /** Let the abilities of a landing's pins work, then those of the pins that are laid bare meanwhile. */
  trigger(landing: ReadonlyArray<Trigger>): void {
    for (let triggers: ReadonlyArray<Trigger> | undefined = landing; triggers; triggers = this.laidBare.shift()) {
      const able = triggers.filter(({ user, enemy }) => this.isEffective(user, enemy));
      const different = new Set(able.flatMap(({ user }) => engageAbilities(this.board, user)));
      if (different.size > 1 || new Set(able.map(({ user }) => user)).size > 1) this.isOrderOpen = true;
      for (const { user, enemy } of triggers) this.engage(user, enemy);
    }
  }
  private isEffective(user: number, enemy: number): boolean {
    return (
      isFielded(this.board.disks[user]) &&
      engageAbilities(this.board, user).some(
        ({ effect }) => effect.type === "deal_damage_near" || isFielded(this.board.disks[enemy]),
      )
    );
  }
  /** Let all abilities of a disk that engages an enemy work, if that disk is still there (R8.5.3). */
  private engage(user: number, enemy: number): void {
    for (const ability of engageAbilities(this.board, user)) {
      if (!isFielded(this.board.disks[user]) || !this.isOn) return;
      const { effect } = ability;
      const amount =
        effect.type === "deal_damage" || effect.type === "deal_damage_near" ? flatAmount(effect.amount) : null;
      if (effect.type === "deal_damage" && amount !== null && !ability.optional) {
        if (isFielded(this.board.disks[enemy]))
          this.strike({ cause: "engage", disk: user }, this.blast(enemy, effect), amount, effect.damage_type);
      } else if (effect.type === "deal_damage_near" && amount !== null && !ability.optional) {
        const near = this.enemiesWithin(user, effect.reach);
        this.strike({ cause: "engage", disk: user }, near, amount, effect.damage_type);
      } else {
        if (!this.open.some((one) => one.disk === user && one.ability === ability))
          this.open.push({ disk: user, ability });
        if (effect.type === "reduce_toughness" && !ability.optional) this.weaken(enemy, effect.toughness);
      }
    }
  }
  /** Lower the toughness of a disk, which may not survive that. Its ability's words tell of the rest. */
  weaken(target: number, by: number): void {
    if (!isFielded(this.board.disks[target]) || !this.isOn) return;
    const disks = this.board.disks.map((one) => (one.id === target ? { ...one, weakened: one.weakened + by } : one));
    this.board = { ...this.board, disks };
    this.settle();
  }
  /** Wound a disk that something else than a certain strike harms. */
  wound(target: number): void {
    this.take(wound(this.board, [target]));
    this.settle();
  }
  enemiesWithin(disk: number, reach: Reach): number[] {
    return this.board.disks
      .filter(
        (one) => isFielded(one) && areEnemies(this.board, disk, one.id) && isWithin(this.board, disk, one.id, reach),
      )
      .map(({ id }) => id);
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
    if (!this.isOn) return;
    const before = this.board;
    const tokens = new Map<number, number>();
    const wounded: number[] = [];
    for (const target of targets.filter((one) => isFielded(before.disks[one]))) {
      const { amount: taken } = afterReduction(
        profileOf(before, target),
        dealt,
        type,
        cause === "engage" ? undefined : cause,
      );
      const damage = (before.disks[target]?.damage ?? 0) + taken;
      const isWounded = taken > 0 && isWounding(before, target, damage);
      if (isWounded) wounded.push(target);
      tokens.set(target, damage);
      const fate =
        taken === 0 ? "unharmed" : !isWounded ? "damaged" : isDeadly(before, target) ? "destroyed" : "wounded";
      this.strikes.push({ cause, disk, target, dealt, taken, toughness: toughnessOf(before, target), fate });
    }
    const disks = before.disks.map((one) => ({ ...one, damage: tokens.get(one.id) ?? one.damage }));
    this.take(wound({ ...before, disks }, wounded));
    this.settle();
  }
}
