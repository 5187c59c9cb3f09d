// What a melee and a shot would bring as things stand. Melee has no dice (R15.3), so its outlook is exact but for abilities.

import type { BoardState } from "../../../client/records/match.js";
import type { diskwars } from "../../../protocol/types";
import { areEnemies, bandOf, circleOf, gapOf, hasGround, isFielded, isWithin, profileOf } from "./position";
import { afterReduction, counterOf, hasKeyword, shotOf, speedOf, strengthOf, type Speed } from "./stats";
import { isDeadly, isWounding, settle, wound, type Fall, type Fate } from "./wounds";

export interface FightLink {
  readonly attacker: number;
  readonly defender: number;
}
interface FightBlow {
  readonly disk: number;
  readonly target: number;
  readonly strength: number;
}
interface FightStep {
  readonly speed: Speed;
  readonly blows: ReadonlyArray<FightBlow>;
  /** The board on which they are struck: what fell in a step before has no aura any more. */
  readonly board: BoardState;
  /** The fate of every disk that was struck in this step. */
  readonly fates: ReadonlyMap<number, Fate>;
  /** The disks whose toughness falls to their damage because of it. */
  readonly falls: ReadonlyArray<Fall>;
}
export interface FightOutlook {
  readonly steps: ReadonlyArray<FightStep>;
  readonly damage: ReadonlyMap<number, number>;
  readonly destroyed: ReadonlySet<number>;
  readonly wounded: ReadonlySet<number>;
  /** Whether a pin that it lays bare lets an engage ability work, which is not worked out. */
  readonly isTriggering: boolean;
  /** The pins that do. */
  readonly triggers: ReadonlyArray<BoardState["pins"][number]>;
}

/** Disks that have struck already: as attackers of the fight, or as defenders of any (R15.3.1, R-16). */
interface Struck {
  readonly attackers: ReadonlySet<number>;
  readonly defenders: ReadonlySet<number>;
}
const NOBODY: Struck = { attackers: new Set(), defenders: new Set() };

/** Return the disks that have already struck in an engagement under way. */
export function struckIn(board: BoardState, engagement: diskwars.Engagement): Struck {
  const back = board.engagements.flatMap(({ strikers = [], defenders }) =>
    strikers.filter((disk) => defenders.includes(disk)),
  );
  return { attackers: new Set(engagement.strikers), defenders: new Set(back) };
}

const SPEEDS: ReadonlyArray<Speed> = ["swift", "normal", "slow"];

/** Fight links as they stand; `targets` names whom a disk strikes where it has a choice. */
export function fightOutlook(
  board: BoardState,
  links: ReadonlyArray<FightLink>,
  targets: ReadonlyMap<number, number> = new Map(),
  acted: Struck = NOBODY,
): FightOutlook {
  const damage = new Map<number, number>();
  const [destroyed, wounded] = [new Set<number>(), new Set<number>()];
  const steps: FightStep[] = [];
  let now = board;
  const triggers: Array<BoardState["pins"][number]> = [];
  for (const speed of SPEEDS) {
    const standing = links.filter(({ attacker, defender }) => !destroyed.has(attacker) && !destroyed.has(defender));
    const blows = blowsOf(now, standing, speed, targets, acted);
    if (blows.length === 0) continue;
    const fates = new Map<number, Fate>();
    // R13.4: wounds come after the damage of all disks.
    const struck = now;
    for (const target of new Set(blows.map((blow) => blow.target))) {
      // R15.3.5: all blows of a step on one disk are one instance.
      const dealt = blows.filter((blow) => blow.target === target).reduce((sum, { strength }) => sum + strength, 0);
      const { amount } = afterReduction(profileOf(struck, target), dealt, "physical");
      const tokens = (struck.disks[target]?.damage ?? 0) + amount;
      const isWounded = amount > 0 && isWounding(struck, target, tokens);
      fates.set(
        target,
        amount === 0 ? "unharmed" : !isWounded ? "damaged" : isDeadly(struck, target) ? "destroyed" : "wounded",
      );
      if (amount > 0) damage.set(target, isWounded ? 0 : tokens);
      now = { ...now, disks: now.disks.map((one) => (one.id === target ? { ...one, damage: tokens } : one)) };
    }
    const due = [...fates].filter(([, fate]) => fate === "destroyed" || fate === "wounded").map(([target]) => target);
    const blown = wound(now, due);
    // who falls may have raised the toughness of others.
    const { falls, ...settled } = settle(blown.board);
    now = settled.board;
    for (const [target, fate] of [...fates, ...falls.map(({ disk, fate: fallen }) => [disk, fallen] as const)]) {
      if (fate === "destroyed") destroyed.add(target);
      if (fate === "wounded") wounded.add(target);
    }
    for (const { disk, fate } of falls) if (fate === "wounded") damage.set(disk, 0);
    triggers.push(...[...blown.gained, ...settled.gained].filter(({ top, bottom }) => isEngaging(board, top, bottom)));
    steps.push({ speed, blows, board: struck, fates, falls });
  }
  return { steps, damage, destroyed, wounded, isTriggering: triggers.length > 0, triggers };
}

const hasEngageAbility = (board: BoardState, disk: number): boolean =>
  profileOf(board, disk).abilities?.some(({ timing }) => timing === "engage") ?? false;
/** Whether an engage ability works because of a pin (R6.6). */
const isEngaging = (board: BoardState, top: number, bottom: number): boolean =>
  areEnemies(board, top, bottom) && [top, bottom].some((disk) => hasEngageAbility(board, disk));
/** Return the disks of a pin whose engage abilities may follow. */
export const engagersOf = (board: BoardState, { top, bottom }: BoardState["pins"][number]): number[] =>
  [top, bottom].filter((disk) => hasEngageAbility(board, disk));

function blowsOf(
  board: BoardState,
  links: ReadonlyArray<FightLink>,
  speed: Speed,
  targets: ReadonlyMap<number, number>,
  acted: Struck,
): FightBlow[] {
  const blows: FightBlow[] = [];
  const enemiesOf = (pairs: ReadonlyArray<readonly [number, number]>) => {
    const found = new Map<number, number[]>();
    for (const [disk, enemy] of pairs) found.set(disk, [...(found.get(disk) ?? []), enemy]);
    return found;
  };
  for (const [disk, enemies] of enemiesOf(links.map(({ attacker, defender }) => [attacker, defender]))) {
    if (acted.attackers.has(disk) || speedOf(board, disk, "strength") !== speed) continue;
    const struck = hasKeyword(profileOf(board, disk), "frenzy") ? enemies : [chosen(disk, enemies)];
    blows.push(...struck.map((target) => ({ disk, target, strength: strengthOf(board, disk) })));
  }
  for (const [disk, enemies] of enemiesOf(links.map(({ attacker, defender }) => [defender, attacker]))) {
    if (!acted.defenders.has(disk) && speedOf(board, disk, "counter") === speed)
      blows.push({ disk, target: chosen(disk, enemies), strength: counterOf(board, disk) });
  }
  return blows;

  function chosen(disk: number, enemies: ReadonlyArray<number>): number {
    const wanted = targets.get(disk);
    return wanted !== undefined && enemies.includes(wanted) ? wanted : (enemies[0] ?? disk);
  }
}

/** Return the links that a disk would have with the enemies that it would pin. */
export const linksOnto = (board: BoardState, disk: number, pinned: ReadonlyArray<number>): FightLink[] =>
  pinned.filter((other) => areEnemies(board, disk, other)).map((defender) => ({ attacker: disk, defender }));

/** Return the links of an engagement that still stand: both disks alive and the pin still there (R15.3.4, R15.4.2). */
export const standingLinks = (board: BoardState, links: ReadonlyArray<FightLink>): FightLink[] =>
  links.filter(
    ({ attacker, defender }) =>
      isFielded(board.disks[attacker]) &&
      isFielded(board.disks[defender]) &&
      board.pins.some(({ top, bottom }) => top === attacker && bottom === defender),
  );

// ---------------------------------------------------------------- shots

export interface ShotOdds {
  readonly dice: number;
  readonly isCovered: boolean;
  readonly band: "long" | "medium" | "short" | "siege";
  /** Chances from 0 to 1 of what becomes of the target, by the first roll: what scatter brings back is not counted. */
  readonly unharmed: number;
  readonly damaged: number;
  readonly struck: number;
  readonly isDeadly: boolean;
  readonly expected: number;
  readonly critical: number;
  readonly scatter: number;
  readonly rule: string;
}

/** Return the chances of a ranged attack before its dice are rolled (R12.2 to R12.9); null where there is no such attack. */
export function shotOdds(board: BoardState, shooter: number, target: number, number: number): ShotOdds | null {
  const shot = shotOf(board, shooter, number);
  const now = board.disks[target];
  if (!shot || !now) return null;
  const band = bandOf(board, shooter, target);
  const isCovered = hasGround(board, now.terrain, "cover");
  const dice = isCovered ? Math.max(1, shot.dice - 1) : shot.dice;
  const share = (symbols: ReadonlyArray<string>) =>
    board.battle_die.filter((face) => symbols.includes(face)).length / Math.max(1, board.battle_die.length);
  const chance = share(band === "siege" ? ["critical"] : ["critical", "hit"]);
  const profile = profileOf(board, target);
  const amounts = shot.strength.d6
    ? [1, 2, 3, 4, 5, 6].map((face) => face + (shot.strength.flat ?? 0))
    : [shot.strength.flat ?? 0];
  const around = damageAround(board, shooter, target);
  let [unharmed, struck, expected, rule] = [0, 0, 0, ""];
  for (let hits = 0; hits <= dice; hits += 1) {
    for (const strength of amounts) {
      const weight = (binomial(dice, hits) * chance ** hits * (1 - chance) ** (dice - hits)) / amounts.length;
      const left = afterReduction(profile, hits * strength, shot.damage_type, "ranged");
      if (left.rule) rule = left.rule;
      expected += weight * left.amount;
      if (isWoundedWith(board, target, left.amount, hits ? around : [])) struck += weight;
      else if (left.amount === 0) unharmed += weight;
    }
  }
  return {
    dice,
    isCovered,
    band,
    unharmed,
    struck,
    expected,
    rule,
    damaged: Math.max(0, 1 - unharmed - struck),
    isDeadly: isDeadly(board, target),
    critical: 1 - (1 - share(["critical"])) ** dice,
    scatter: 1 - (1 - share(["scatter"])) ** dice,
  };
}

interface Splash {
  readonly disk: number;
  readonly taken: number;
}
/** Return the disks around a target that a shot which strikes it harms as well. */
export function damageAround(board: BoardState, shooter: number, target: number): Splash[] {
  return (profileOf(board, shooter).abilities ?? []).flatMap(({ effect }) =>
    effect.type !== "damage_around"
      ? []
      : board.disks
          .filter(
            (one) =>
              isFielded(one) &&
              one.id !== shooter &&
              one.id !== target &&
              isWithin(board, target, one.id, effect.reach),
          )
          .map(({ id }) => {
            const { amount } = afterReduction(profileOf(board, id), effect.amount, effect.damage_type, "ranged");
            return { disk: id, taken: amount };
          })
          .filter(({ taken }) => taken > 0),
  );
}

/** Whether a target is wounded by damage to it and to disks around it, which may end its auras. */
function isWoundedWith(board: BoardState, target: number, taken: number, around: ReadonlyArray<Splash>): boolean {
  const struck = [{ disk: target, taken }, ...around].filter((one) => one.taken > 0);
  const isWounded = ({ disk, taken: amount }: Splash) =>
    isWounding(board, disk, (board.disks[disk]?.damage ?? 0) + amount);
  if (around.length === 0) return struck.some(isWounded);
  const disks = board.disks.map((one) => ({
    ...one,
    damage: one.damage + (struck.find(({ disk }) => disk === one.id)?.taken ?? 0),
  }));
  const due = struck.filter(isWounded).map(({ disk }) => disk);
  const [now, after] = [board.disks[target], settle(wound({ ...board, disks }, due).board).board.disks[target]];
  return after?.place !== now?.place || after?.wounds !== now?.wounds;
}

function binomial(n: number, k: number): number {
  let found = 1;
  for (let step = 1; step <= k; step += 1) found = (found * (n - k + step)) / step;
  return found;
}

/** Round chances that add up to 1 to whole percents that add up to 100: the largest rests are rounded up. */
export function percentages(chances: ReadonlyArray<number>): number[] {
  const floors = chances.map((chance) => Math.floor(100 * chance + 1e-9));
  const rests = chances
    .map((chance, place) => ({ place, rest: 100 * chance - (floors[place] ?? 0) }))
    .sort((one, other) => other.rest - one.rest);
  const missing = 100 - floors.reduce((sum, one) => sum + one, 0);
  for (const { place } of rests.slice(0, Math.max(0, missing))) floors[place] = (floors[place] ?? 0) + 1;
  return floors;
}

/** Return the disks of which scatter dice strike one (R12.3): those nearest to the target within short range, and never the shooter. */
export function scatterTargets(board: BoardState, shooter: number, target: number): number[] {
  const near = board.disks
    .filter(
      (one) => isFielded(one) && one.id !== target && one.id !== shooter && isWithin(board, target, one.id, "short"),
    )
    .map(({ id }) => id);
  const gaps = near.map((id) => gapOf(circleOf(board, target), circleOf(board, id)));
  return near.filter((_, place) => gaps[place] === Math.min(...gaps));
}
