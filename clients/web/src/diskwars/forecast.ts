// What a landing would do, in words with the rules that say so. The server decides; this looks ahead on the board as it is.

import { diskName } from "../board/view";
import type { BoardState } from "../core/match.js";
import { names, t } from "../messages";
import type { diskwars } from "../protocol/types";
import { fightOutlook, linksOnto, type FightOutlook } from "./fight";
import { areEnemies, circleOf, hasGround, isOnField, piecesUnder, pinsIfPlaced, profileOf } from "./position";
import { hasKeyword, toughnessOf } from "./stats";

export interface Note {
  readonly text: string;
  readonly rule: string;
  readonly tone: "bad" | "good" | "plain";
}
export const note = (text: string, rule = "", tone: Note["tone"] = "plain"): Note => ({ text, rule, tone });

/** Write an amount as printed: `3`, `d6` or `d6+1`. */
export function amountText({ flat = 0, d6 = 0 }: diskwars.Amount): string {
  const dice = d6 === 0 ? "" : d6 === 1 ? "d6" : `${d6}d6`;
  return dice && flat ? `${dice}+${flat}` : dice || String(flat);
}

/** Return what landing at a place would bring, in the order in which it happens (R8.5). */
export function landingNotes(board: BoardState, disk: number, x: number, y: number, isMove: boolean): Note[] {
  const at = { ...circleOf(board, disk), x, y };
  if (!isOnField(board, at)) return [note(t("bar.off"), "R8.4", "bad")];
  const profile = profileOf(board, disk);
  const pinned = pinsIfPlaced(board, disk, x, y);
  const enemies = pinned.filter((other) => areEnemies(board, disk, other));
  const own = pinned.filter((other) => !areEnemies(board, disk, other));
  const found: Note[] = [];
  const list = (ids: ReadonlyArray<number>) => names(ids.map((id) => diskName(board, id)));
  if (enemies.length) found.push(note(t(isMove ? "note.pins.end" : "note.pins", { names: list(enemies) }), isMove ? "R8.5.5" : "R6.1", "good"));
  if (own.length) found.push(note(t("note.pins.own", { names: list(own) }), "R6.3", "bad"));
  const impact = (profile.keywords ?? []).find(({ id }) => id === "impact")?.amount;
  if (impact && pinned.length) {
    const struck = pinned.filter((other) => board.settings.impact_own !== false || areEnemies(board, disk, other));
    if (struck.length) found.push(note(t("note.impact", { amount: amountText(impact), names: list(struck) }), "R8.5.2"));
  }
  for (const enemy of enemies) {
    const guard = (profileOf(board, enemy).keywords ?? []).find(({ id }) => id === "guard")?.amount;
    if (guard) found.push(note(t("note.guard", { name: diskName(board, enemy), amount: amountText(guard) }), "R16.2", "bad"));
  }
  if (!isMove || !hasKeyword(profile, "strider")) found.push(...groundNotes(board, disk, piecesUnder(board, at), isMove));
  found.push(...outlookNotes(board, disk, fightOutlook(board, linksOnto(board, disk, enemies)), enemies));
  return found.length ? found : [note(t("bar.clear"))];
}

/** Say in a few words what a landing would do: whom it pins, or on what it lies. */
export function landingWords(board: BoardState, disk: number, x: number, y: number): string[] {
  const pinned = pinsIfPlaced(board, disk, x, y);
  const list = (ids: ReadonlyArray<number>) => names(ids.map((id) => diskName(board, id)));
  const enemies = pinned.filter((other) => areEnemies(board, disk, other));
  const own = pinned.filter((other) => !areEnemies(board, disk, other));
  const ground = piecesUnder(board, { ...circleOf(board, disk), x, y }).flatMap((number) => board.terrain[number]?.terrain.name ?? []);
  return [
    ...(enemies.length ? [t("ghost.pins", { names: list(enemies) })] : []), ...(own.length ? [t("ghost.pins.own", { names: list(own) })] : []),
    ...(ground.length ? [t("ghost.ground", { names: names(ground) })] : []),
  ];
}

const GROUND_RULES = { cover: "R10.4", fortified: "R10.7", defensive: "R10.6", high_ground: "R10.8", cave: "R10.11", windmill: "R9.6" } as const;

function groundNotes(board: BoardState, disk: number, pieces: ReadonlyArray<number>, isMove: boolean): Note[] {
  return pieces.flatMap((number) => {
    const terrain = board.terrain[number]?.terrain;
    if (!terrain) return [];
    const isEntered = !(board.disks[disk]?.terrain ?? []).includes(number);
    const notes: Note[] = [];
    for (const { id, damage_type: type } of terrain.keywords ?? []) {
      if (id === "dangerous") notes.push(note(t("note.dangerous", { name: terrain.name, type: t(`damage.${type === "arcane" ? "arcane" : "physical"}`) }), "R10.5", "bad"));
      else if (id === "rough" && isMove && isEntered) notes.push(note(t("note.rough", { name: terrain.name }), "R10.9", "bad"));
      else if (id in GROUND_RULES) notes.push(note(t(`note.${id as keyof typeof GROUND_RULES}`, { name: terrain.name }), GROUND_RULES[id as keyof typeof GROUND_RULES], "good"));
    }
    return notes.length ? notes : [note(t("note.ground", { name: terrain.name }), "R10.10")];
  });
}

function outlookNotes(board: BoardState, disk: number, outlook: FightOutlook, enemies: ReadonlyArray<number>): Note[] {
  return enemies.length ? outlookLines(board, outlook).map(({ text, tone }) => note(t("note.melee", { text }), "R15.3.3", tone === "own" ? "bad" : "plain")) : [];
  function outlookLines(of: BoardState, fight: FightOutlook): { text: string; tone: "enemy" | "own" }[] {
    return fight.steps.flatMap((step) => step.blows.map((blow) => ({
      text: blowText(of, blow.disk, blow.target, blow.strength, step.fates.get(blow.target)),
      tone: blow.target === disk && step.fates.get(disk) !== "unharmed" ? "own" : "enemy",
    })));
  }
}

/** Say what a blow does to whom. */
export function blowText(board: BoardState, disk: number, target: number, strength: number, fate: string | undefined): string {
  const key = fate === "destroyed" ? "fight.destroys" : fate === "wounded" ? "fight.wounds" : "fight.strikes";
  return t(key, { name: diskName(board, disk), target: diskName(board, target), strength, toughness: toughnessOf(board, target) });
}

/** Whether a landing that stops a move follows, so that no more flips are planned after it. */
export function stopsMove(board: BoardState, disk: number, x: number, y: number): boolean {
  const profile = profileOf(board, disk);
  if (hasKeyword(profile, "flying")) return false;
  // R8.6: enemies do not stop the first landing on them; rough ground does.
  if (!hasKeyword(profile, "relentless") && pinsIfPlaced(board, disk, x, y).some((other) => areEnemies(board, disk, other))) return true;
  if (hasKeyword(profile, "strider")) return false;
  const entered = piecesUnder(board, { ...circleOf(board, disk), x, y }).filter((piece) => !(board.disks[disk]?.terrain ?? []).includes(piece));
  return hasGround(board, entered, "rough");
}
