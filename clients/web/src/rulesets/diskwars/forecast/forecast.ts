// What a landing would do, in words with the rules that say so. The server decides; this looks ahead on the board as it is.

import { diskName } from "../names";
import type { BoardState } from "../../../client/records/match.js";
import { names, t } from "../../../messages";
import type { diskwars } from "../../../protocol/types";
import { amountText, flatAmount } from "./amount";
import { abilityText } from "../cards/card_text";
import { aftermathOf, blowOf, clashOf, passageOf, weakeningOf, type Clash, type Strike } from "./clash";
import type { DiskFate } from "./fates";
import { damageAround, engagersOf, fightOutlook, linksOnto, type FightOutlook } from "./fight";
import type { Landing } from "./path";
import {
  areEnemies,
  circleOf,
  hasGround,
  isFielded,
  isOnField,
  piecesUnder,
  pinsIfPlaced,
  profileOf,
} from "./position";
import { hasKeyword, toughnessOf } from "./stats";
import { isDeadly, isWoundDue, type Fall, type Fate } from "./wounds";

export interface Note {
  readonly text: string;
  readonly rule: string;
  readonly tone: "bad" | "good" | "plain";
  /** What it tells of an own disk, if that is worse than damage. */
  readonly loss?: "destroyed" | "wounded" | undefined;
  /** All of the forecast in a few words, where there is room for one line. */
  readonly brief?: string;
  /** What becomes for certain of the disks that it tells of. */
  readonly fates?: ReadonlyArray<DiskFate>;
}
export const note = (text: string, rule = "", tone: Note["tone"] = "plain"): Note => ({ text, rule, tone });

/** Return the note to show where there is room for one only: the loss of an own disk, its wound, else the first bad one, else the first. */
export const worstNote = (notes: ReadonlyArray<Note>): Note | undefined =>
  notes.find(({ loss }) => loss === "destroyed") ??
  notes.find(({ loss }) => loss === "wounded") ??
  notes.find(({ tone }) => tone === "bad") ??
  notes[0];

/** Return notes in their order, but what an own disk does not survive first: a list may be longer than its place. */
export const lossesFirst = (notes: ReadonlyArray<Note>): Note[] => [
  ...notes.filter(({ loss }) => loss),
  ...notes.filter(({ loss }) => !loss),
];

const lossOf = (fates: ReadonlyArray<Fate | undefined>): Note["loss"] =>
  (["destroyed", "wounded"] as const).find((loss) => fates.includes(loss));

/** The pieces of dangerous ground that are rolled for, each with the numbers of the flips that land on it. */
type Dangers = ReadonlyMap<number, ReadonlyArray<number>>;

/** Return what landing at a place would bring, in the order in which it happens (R8.5). */
export function landingNotes(board: BoardState, disk: number, x: number, y: number, isMove: boolean): Note[] {
  return notesOfLanding(
    board,
    disk,
    { x, y },
    isMove,
    dangerNotes(board, new Map(dangersAt(board, disk, { x, y }, isMove).map((piece) => [piece, []]))),
  );
}

/** One landing of a path, the board on which its flip begins, and what it brings besides melee. */
interface Step {
  readonly landing: Landing;
  readonly before: BoardState;
  readonly clash: Clash;
}

/** Return the landings of a path, up to the one that its disk does not survive. A flying disk only passes those before its last (R8.7). */
export function stepsOf(board: BoardState, disk: number, path: ReadonlyArray<Landing>): Step[] {
  const flies = hasKeyword(profileOf(board, disk), "flying");
  const steps: Step[] = [];
  let before = board;
  for (const [index, landing] of path.entries()) {
    const isLast = index === path.length - 1;
    const clash = flies && !isLast ? passageOf(before, disk, landing) : clashOf(before, disk, landing, true, isLast);
    steps.push({ landing, before, clash });
    before = clash.board;
    if (!isFielded(before.disks[disk])) break;
  }
  return steps;
}

/** Return the board on which a flip after a path begins, or null where the disk does not survive the path. */
export function boardAhead(board: BoardState, disk: number, path: ReadonlyArray<Landing>): BoardState | null {
  const ahead = stepsOf(board, disk, path).at(-1)?.clash.board ?? board;
  return path.length === 0 || isFielded(ahead.disks[disk]) ? ahead : null;
}

/** Return what a planned path would bring: all of its last landing, and what befalls the disk at the landings before. */
export function pathNotes(board: BoardState, disk: number, path: ReadonlyArray<Landing>): Note[] {
  const steps = stepsOf(board, disk, path);
  const flies = hasKeyword(profileOf(board, disk), "flying");
  const dangers = new Map<number, number[]>();
  const earlier: Note[] = [];
  let pause = 0;
  let landedBefore = hasLandedOnEnemies(board, disk);
  for (const [index, { landing, before, clash }] of steps.entries()) {
    const flip = index + 1;
    const isPassed = flies && flip < path.length;
    const found = isPassed ? [] : dangersAt(before, disk, landing, true);
    for (const piece of found) dangers.set(piece, [...(dangers.get(piece) ?? []), flip]);
    if (flip === path.length) {
      const ahead = dangerNotes(
        board,
        path.length === 1 ? new Map([...dangers.keys()].map((piece) => [piece, []])) : dangers,
      );
      const pauses = pause ? [note(t("note.pause", { flip: pause }), "R19.13")] : [];
      return [...earlier, ...notesOfLanding(before, disk, landing, true, ahead, landedBefore), ...pauses];
    }
    const notes = isPassed ? strippingNotes(before, disk, clash) : clashNotes(before, disk, landing, true, clash);
    earlier.push(...notes.map((one) => ({ ...one, text: t("note.flip", { flip, text: one.text }) })));
    const isOnEnemies = !isPassed && enemiesUnder(before, disk, landing).length > 0;
    if (!pause && clash.isPause) pause = flip;
    landedBefore = isOnEnemies ? true : landedBefore;
  }
  return [...earlier, ...dangerNotes(board, dangers)];
}

/** Whether a disk has landed on enemies in the move that goes on (R8.6); null where the board does not tell. */
function hasLandedOnEnemies(board: BoardState, disk: number): boolean | null {
  if (board.active_disk !== disk) return false;
  const isOnEnemies = board.pins.some(({ top, bottom }) => top === disk && areEnemies(board, top, bottom));
  // A mobile disk may have shot first, and still lie where its last activation ended.
  return isOnEnemies && !hasKeyword(profileOf(board, disk), "mobile") ? true : null;
}

function notesOfLanding(
  board: BoardState,
  disk: number,
  { x, y }: Landing,
  isMove: boolean,
  dangers: ReadonlyArray<Note>,
  landedBefore: boolean | null = hasLandedOnEnemies(board, disk),
): Note[] {
  const at = { ...circleOf(board, disk), x, y };
  if (!isOnField(board, at)) return [note(t("bar.off"), "R8.4", "bad")];
  const pinned = pinsIfPlaced(board, disk, x, y);
  const enemies = pinned.filter((other) => areEnemies(board, disk, other));
  const own = pinned.filter((other) => !areEnemies(board, disk, other));
  const found: Note[] = [];
  const list = (ids: ReadonlyArray<number>) => names(ids.map((id) => diskName(board, id)));
  const isRelentless = isRelentlessMover(board, disk);
  const goesOn = isRelentless && landedBefore !== true; // R8.6
  if (enemies.length)
    found.push(
      note(
        t(isMove && !goesOn ? "note.pins.end" : "note.pins", { names: list(enemies) }),
        !isMove ? "R6.1" : isRelentless ? "R8.6" : "R8.5.5",
        "good",
      ),
    );
  if (enemies.length && isMove && isRelentless && landedBefore === null)
    found.push(note(t("unforecast.relentless"), "R8.6"));
  if (own.length) found.push(note(t("note.pins.own", { names: list(own) }), "R6.3", "bad"));
  const clash = clashOf(board, disk, { x, y }, isMove);
  found.push(...clashNotes(board, disk, { x, y }, isMove, clash), ...dangers);
  if (!isMove || !hasKeyword(profileOf(board, disk), "strider"))
    found.push(...groundNotes(board, disk, piecesUnder(board, at), isMove));
  const links = linksOnto(clash.board, disk, enemies).filter(
    ({ attacker, defender }) => isFielded(clash.board.disks[attacker]) && isFielded(clash.board.disks[defender]),
  );
  found.push(...outlookNotes(clash.board, disk, fightOutlook(clash.board, links)));
  return found.length ? found : [note(t("bar.clear"))];
}

/** Return what happens at a landing before any melee (R8.5.2, R8.5.3). A die or a choice is no number here: then the ability's words stand for it. */
function clashNotes(board: BoardState, disk: number, { x, y }: Landing, isMove: boolean, clash: Clash): Note[] {
  const { strikes } = clash;
  const pinned = pinsIfPlaced(board, disk, x, y);
  const found: Note[] = strippingNotes(board, disk, clash);
  // Of Impact and Guard the keyword is named, and besides what it wounds.
  const withFates = (text: string, cause: Strike["cause"], by: number) => {
    const hits = strikes.filter((one) => one.cause === cause && one.disk === by && one.taken > 0);
    const worst = hits.filter(({ fate }) => fate === "wounded" || fate === "destroyed");
    return {
      text: [text, ...worst.map((one) => strikeText(board, one))].join(" "),
      isBad: hits.some((one) => isOwn(one.target)),
      loss: lossOf(hits.flatMap((one) => (isOwn(one.target) ? [one.fate] : []))),
    };
  };
  const isOwn = (target: number) => !areEnemies(board, disk, target);
  const fatesOf = (hits: ReadonlyArray<Strike>): DiskFate[] =>
    hits.map(({ target, fate }) => ({ disk: target, fate, tokens: clash.board.disks[target]?.damage ?? 0 }));
  const strikesOf = (cause: Strike["cause"], by: number) =>
    fatesOf(strikes.filter((one) => one.cause === cause && one.disk === by));
  const impact = isMove ? (profileOf(board, disk).keywords ?? []).find(({ id }) => id === "impact")?.amount : undefined;
  const struck = pinned.filter((other) => board.settings.impact_own !== false || !isOwn(other));
  if (impact && struck.length) {
    const { text, isBad, loss } = withFates(
      t("note.impact", { amount: amountText(impact), names: names(struck.map((id) => diskName(board, id))) }),
      "impact",
      disk,
    );
    found.push({ ...note(text, "R8.5.2", isBad ? "bad" : "plain"), loss, fates: strikesOf("impact", disk) });
    if (flatAmount(impact) === null) found.push(note(t("unforecast.rolled"), "R8.5.2"));
  }
  for (const enemy of isMove ? pinned.filter((other) => !isOwn(other)) : []) {
    const guard = (profileOf(board, enemy).keywords ?? []).find(({ id }) => id === "guard")?.amount;
    if (!guard) continue;
    const { text, loss } = withFates(
      t("note.guard", { name: diskName(board, enemy), amount: amountText(guard) }),
      "guard",
      enemy,
    );
    found.push({ ...note(text, "R16.2", "bad"), loss, fates: strikesOf("guard", enemy) });
    if (flatAmount(guard) === null) found.push(note(t("unforecast.rolled"), "R16.2"));
  }
  for (const strike of addedUp(strikes.filter(({ cause, taken }) => cause === "engage" && taken > 0))) {
    const isBad = isOwn(strike.target);
    found.push({
      ...note(t("note.engage", { text: strikeText(board, strike) }), "R6.6", isBad ? "bad" : "plain"),
      loss: isBad ? lossOf([strike.fate]) : undefined,
      fates: fatesOf([strike]),
    });
  }
  return [...found, ...openNotes(board, disk, clash)];
}

/** Say what a die or a choice decides: an ability's own words stand for it. */
function openNotes(board: BoardState, disk: number, { open, isOrderOpen }: Clash): Note[] {
  const abilities = open.map(({ disk: user, ability }) =>
    note(
      t("note.ability", { name: diskName(board, user), text: abilityText(ability) }),
      "R6.6",
      areEnemies(board, disk, user) ? "bad" : "plain",
    ),
  );
  return isOrderOpen ? [...abilities, note(t("unforecast.trigger_order"), "R19.19")] : abilities;
}

/** Describe the empowerment that a landing removes (R16.7), and wounds from a fall of toughness. */
function strippingNotes(board: BoardState, disk: number, { stripper, falls }: Clash): Note[] {
  const stripped = { name: diskName(board, disk), by: diskName(board, stripper ?? disk) };
  return [
    ...(stripper === null ? [] : [note(t("note.stripped", stripped), "R16.7", "bad")]),
    ...fallNotes(board, disk, falls),
  ];
}

/** Describe the wounds of disks whose toughness has fallen to their damage. */
function fallNotes(board: BoardState, disk: number, falls: ReadonlyArray<Fall>): Note[] {
  return falls.map((fall) => {
    const isOwn = !areEnemies(board, disk, fall.disk);
    const loss = isOwn ? fall.fate : undefined;
    const fates = [{ disk: fall.disk, fate: fall.fate, tokens: 0 }];
    return { ...note(fallText(board, fall), "R-45", isOwn ? "bad" : "good"), loss, fates };
  });
}
export const fallText = (board: BoardState, { disk, damage, toughness, fate }: Fall): string =>
  t(fate === "destroyed" ? "fall.destroys" : "fall.wounds", { name: diskName(board, disk), damage, toughness });

/** What an ability does to its target besides damage that it deals. */
export interface TargetChange {
  /** The damage that is left after a heal. */
  readonly tokens?: number;
  /** By how much its toughness is lowered then. */
  readonly reduction?: number;
  readonly fate?: "destroyed" | "wounded" | undefined;
}

/** Return what a heal or a loss of toughness comes to; null for another effect, and where a die decides. */
export function targetChange(
  board: BoardState,
  target: number,
  effect: diskwars.Ability["effect"],
): TargetChange | null {
  const now = board.disks[target];
  if (!now) return null;
  const { damage = 0, weakened = 0 } = now;
  if (effect.type === "heal") {
    const amount = now.poisoned ? 1 : flatAmount(effect.amount);
    return amount === null ? null : { tokens: Math.max(0, damage - amount) };
  }
  if (effect.type !== "reduce_toughness") return null;
  const reduction = weakened + effect.toughness;
  const after = {
    ...board,
    disks: board.disks.map((one) => (one.id === target ? { ...one, weakened: reduction } : one)),
  };
  const isWounded = isWoundDue(after, { ...now, weakened: reduction });
  return { reduction, fate: !isWounded ? undefined : isDeadly(board, target) ? "destroyed" : "wounded" };
}

/** Say what an ability changes on its target, where no die decides. */
function changeNotes(
  board: BoardState,
  disk: number,
  target: number,
  effect: diskwars.Ability["effect"],
): Note[] | null {
  const name = diskName(board, target);
  if (effect.type === "empower") return [note(t("log.empowered", { name }), "", "good")];
  if (effect.type === "add_activation_token") return [note(t("note.token", { name }))];
  if (effect.type === "remove_activation_token") return [note(t("note.token.off", { name }), "", "good")];
  const change = targetChange(board, target, effect);
  if (!change) return null;
  if (change.tokens !== undefined) return [note(t("log.healed", { name, tokens: change.tokens }), "", "good")];
  const isOwn = !areEnemies(board, disk, target);
  const fate =
    change.fate === "destroyed"
      ? t("log.removed", { names: name })
      : change.fate === "wounded"
        ? t("log.wounded", { name })
        : "";
  return [
    note(t("log.weakened", { name, count: change.reduction ?? 0 }), "R-33", isOwn ? "bad" : "plain"),
    ...(fate ? [{ ...note(fate, "R13.4", isOwn ? "bad" : "plain"), loss: isOwn ? change.fate : undefined }] : []),
    ...(effect.type === "reduce_toughness"
      ? consequenceNotes(board, disk, weakeningOf(board, target, effect.toughness), target)
      : []),
  ];
}

/** Return what an ability does to its target and around it, and which of its own side are harmed; null where nobody can say. */
export function abilityNotes(
  board: BoardState,
  disk: number,
  target: number | null,
  effect: diskwars.Ability["effect"],
): Note[] | null {
  if (effect.type !== "deal_damage" && effect.type !== "deal_damage_near")
    return target === null ? null : changeNotes(board, disk, target, effect);
  const outcome = blowOf(board, disk, target, effect);
  return outcome && consequenceNotes(board, disk, outcome);
}

/** Say of an ability what is not forecast: what a roll or a fight decides, and that an Unstable card may strike its user (R7.15). */
export function unforecastNotes(effect: diskwars.Ability["effect"], unstableUser: string | null): Note[] {
  const isRolled =
    "amount" in effect && effect.type !== "heal" && flatAmount(effect.amount as diskwars.Amount) === null;
  const isLater =
    effect.type === "roll_wound" || effect.type === "fight_engagement" || effect.type === "reinforce_near";
  return [
    ...(isRolled ? [note(t("unforecast.rolled"))] : []),
    ...(isLater ? [note(t("unforecast.later"))] : []),
    ...(unstableUser === null ? [] : [note(t("unforecast.unstable", { name: unstableUser }), "R7.15", "bad")]),
  ];
}

/** Return what else a shot may bring: others that it harms, a forced flip, and what follows if its target is destroyed. */
export function shotConsequences(board: BoardState, disk: number, target: number, isHarming: boolean): Note[] {
  const { abilities = [] } = profileOf(board, disk);
  const found: Note[] = [];
  for (const { effect } of abilities) {
    if (effect.type === "rampage")
      found.push(note(t("unforecast.rampage", { name: diskName(board, disk) }), "R12.6", "bad"));
  }
  for (const { disk: other, taken } of damageAround(board, disk, target)) {
    const values = { name: diskName(board, target), amount: taken, names: diskName(board, other) };
    found.push(note(t("shot.around", values), "R-47", areEnemies(board, disk, other) ? "plain" : "bad"));
  }
  if (!isHarming) return found;
  if (hasKeyword(profileOf(board, disk), "poison")) found.push(note(t("shot.poison"), "R16.4"));
  if (!isDeadly(board, target)) return found;
  const then = consequenceNotes(board, disk, aftermathOf(board, target));
  const name = diskName(board, target);
  return [...found, ...then.map((one) => ({ ...one, text: t("shot.then", { name, text: one.text }) }))];
}

/** Return the effects of an ability: disks that it strikes, others that fall, and what is not forecast. */
function consequenceNotes(board: BoardState, disk: number, outcome: Clash, target?: number): Note[] {
  const strikes = outcome.strikes.map((strike) => {
    const isOwn = !areEnemies(board, disk, strike.target);
    return {
      ...note(strikeText(board, { ...strike, dealt: strike.taken }), "R13.2", isOwn ? "bad" : "plain"),
      loss: isOwn ? lossOf([strike.fate]) : undefined,
      fates: [{ disk: strike.target, fate: strike.fate, tokens: outcome.board.disks[strike.target]?.damage ?? 0 }],
    };
  });
  const falls = outcome.falls.filter((fall) => fall.disk !== target);
  return [...strikes, ...fallNotes(board, disk, falls), ...openNotes(board, disk, outcome)];
}

/** Add up what a disk deals another by several triggers, up to the one that wounds it: one line says it. */
function addedUp(strikes: ReadonlyArray<Strike>): Strike[] {
  const sums: Strike[] = [];
  for (const strike of strikes) {
    const at = sums.findIndex(
      ({ disk, target, fate }) => disk === strike.disk && target === strike.target && fate === "damaged",
    );
    const sum = sums[at];
    if (sum) sums[at] = { ...strike, dealt: sum.dealt + strike.dealt, taken: sum.taken + strike.taken };
    else sums.push(strike);
  }
  return sums;
}

const strikeText = (board: BoardState, { disk, target, dealt, fate, toughness }: Strike): string =>
  blowText(board, disk, target, dealt, fate, toughness);

/** Return the pieces of dangerous ground that a landing rolls for (R10.5). R-52: Strider helps in a move only. */
function dangersAt(board: BoardState, disk: number, { x, y }: Landing, isMove: boolean): number[] {
  if (isMove && hasKeyword(profileOf(board, disk), "strider")) return [];
  return piecesUnder(board, { ...circleOf(board, disk), x, y }).filter((piece) =>
    hasGround(board, [piece], "dangerous"),
  );
}

function dangerNotes(board: BoardState, dangers: Dangers): Note[] {
  return [...dangers].flatMap(([piece, flips]) => {
    const terrain = board.terrain[piece]?.terrain;
    const type =
      terrain?.keywords?.find(({ id }) => id === "dangerous")?.damage_type === "arcane" ? "arcane" : "physical";
    const values = {
      name: terrain?.name ?? "",
      type: t(`damage.${type}`),
      flips: names(flips.map(String)),
      count: flips.length,
    };
    return [note(t("note.dangerous", values), "R10.5", "bad")];
  });
}

/** Return the enemies that a disk would pin; what else lies on the table is the same on every board along a path. */
const enemiesUnder = (board: BoardState, disk: number, { x, y }: Landing): number[] =>
  pinsIfPlaced(board, disk, x, y).filter((other) => areEnemies(board, disk, other));

/** Say in a few words what a landing would do: whom it pins, or on what it lies. */
export function landingWords(board: BoardState, disk: number, x: number, y: number): string[] {
  const pinned = pinsIfPlaced(board, disk, x, y);
  const list = (ids: ReadonlyArray<number>) => names(ids.map((id) => diskName(board, id)));
  const enemies = pinned.filter((other) => areEnemies(board, disk, other));
  const own = pinned.filter((other) => !areEnemies(board, disk, other));
  const ground = piecesUnder(board, { ...circleOf(board, disk), x, y }).flatMap(
    (number) => board.terrain[number]?.terrain.name ?? [],
  );
  return [
    ...(enemies.length ? [t("ghost.pins", { names: list(enemies) })] : []),
    ...(own.length ? [t("ghost.pins.own", { names: list(own) })] : []),
    ...(ground.length ? [t("ghost.ground", { names: names(ground) })] : []),
  ];
}

const GROUND_RULES = {
  cover: "R10.4",
  fortified: "R10.7",
  defensive: "R10.6",
  high_ground: "R10.8",
  cave: "R10.11",
  windmill: "R9.6",
} as const;

function groundNotes(board: BoardState, disk: number, pieces: ReadonlyArray<number>, isMove: boolean): Note[] {
  return pieces.flatMap((number) => {
    const terrain = board.terrain[number]?.terrain;
    if (!terrain) return [];
    const isEntered = !(board.disks[disk]?.terrain ?? []).includes(number);
    const notes: Note[] = [];
    for (const { id } of terrain.keywords ?? []) {
      if (id === "rough" && isMove && isEntered)
        notes.push(note(t("note.rough", { name: terrain.name }), "R10.9", "bad"));
      else if (id in GROUND_RULES)
        notes.push(
          note(
            t(`note.${id as keyof typeof GROUND_RULES}`, { name: terrain.name }),
            GROUND_RULES[id as keyof typeof GROUND_RULES],
            "good",
          ),
        );
    }
    return notes.length || hasGround(board, [number], "dangerous")
      ? notes
      : [note(t("note.ground", { name: terrain.name }), "R10.10")];
  });
}

function outlookNotes(board: BoardState, disk: number, outlook: FightOutlook): Note[] {
  const steps = outlook.steps.flatMap((step) => [
    ...step.blows.map(({ disk: striker, target, strength }) => {
      const fate = step.fates.get(target);
      const text = t("note.melee", { text: blowText(step.board, striker, target, strength, fate) });
      const isHarmed = target === disk && fate !== "unharmed";
      return {
        ...note(text, "R15.3.3", isHarmed ? "bad" : "plain"),
        loss: isHarmed ? lossOf([fate]) : undefined,
        fates: blowFates(outlook, target, fate),
      };
    }),
    ...fallNotes(board, disk, step.falls).map((one) => ({ ...one, text: t("note.melee", { text: one.text }) })),
  ]);
  return [...steps, ...triggerNotes(board, outlook)];
}

/** Say which disks come to lie on which enemies when others are removed, and whose engage abilities may follow. */
export const triggerNotes = (board: BoardState, { triggers }: FightOutlook): Note[] =>
  triggers.map((pin) =>
    note(
      t("unforecast.melee_trigger", {
        top: diskName(board, pin.top),
        bottom: diskName(board, pin.bottom),
        names: names(engagersOf(board, pin).map((disk) => diskName(board, disk))),
      }),
      "R6.6",
    ),
  );

/** Return what becomes of the target of a blow: its damage is that after all blows of the fight. */
export const blowFates = ({ damage }: FightOutlook, target: number, fate: Fate | undefined): DiskFate[] =>
  fate === undefined ? [] : [{ disk: target, fate, tokens: damage.get(target) ?? 0 }];

/** Say what a blow does to whom. */
export function blowText(
  board: BoardState,
  disk: number,
  target: number,
  strength: number,
  fate: string | undefined,
  toughness = toughnessOf(board, target),
): string {
  const key = fate === "destroyed" ? "fight.destroys" : fate === "wounded" ? "fight.wounds" : "fight.strikes";
  return t(key, { name: diskName(board, disk), target: diskName(board, target), strength, toughness });
}

const isRelentlessMover = (board: BoardState, disk: number): boolean =>
  hasKeyword(profileOf(board, disk), "relentless") && !hasKeyword(profileOf(board, disk), "flying");

/** Whether the last landing of a path stops the move, so that no more flips are planned after it. */
export function stopsPath(board: BoardState, disk: number, path: ReadonlyArray<Landing>): boolean {
  const steps = stepsOf(board, disk, path);
  const last = steps.at(-1);
  if (!last) return false;
  if (!isFielded(last.clash.board.disks[disk])) return true;
  // R10.9 asks what the disk lay on before this flip, and not before the whole move.
  if (stopsMove(last.before, disk, last.landing.x, last.landing.y)) return true;
  // R8.6: the second landing on enemies ends the move.
  return (
    isRelentlessMover(board, disk) &&
    enemiesUnder(last.before, disk, last.landing).length > 0 &&
    (hasLandedOnEnemies(board, disk) === true ||
      steps.slice(0, -1).some(({ before, landing }) => enemiesUnder(before, disk, landing).length > 0))
  );
}

/** Whether a landing stops a move on the board on which its flip begins. */
export function stopsMove(board: BoardState, disk: number, x: number, y: number): boolean {
  const profile = profileOf(board, disk);
  if (hasKeyword(profile, "flying")) return false;
  // R8.6: enemies do not stop the first landing on them; rough ground does.
  if (
    !hasKeyword(profile, "relentless") &&
    pinsIfPlaced(board, disk, x, y).some((other) => areEnemies(board, disk, other))
  )
    return true;
  if (hasKeyword(profile, "strider")) return false;
  const entered = piecesUnder(board, { ...circleOf(board, disk), x, y }).filter(
    (piece) => !(board.disks[disk]?.terrain ?? []).includes(piece),
  );
  return hasGround(board, entered, "rough");
}
