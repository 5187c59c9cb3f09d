// The command line of the page: a typed order, read against the open options. The grammar is that of the terminal and the SDK.
//
//   4                        the answer of that number, as `list` shows it
//   move Swordsmen 45 x2     two flips to the north-east: degrees clockwise from north, or N, NE, E ...; `flip` means the same
//   move Swordsmen toward Orc Boyz 1
//   shoot Archers at Orc Boyz 1; use, focus likewise
//   bring Trolls at 18 4.5   from the reserve; without a place where the server would put it
//   lock Powder and Shot     a command card
//   pass Trolls, end, default
//
// Whether an order is legal is left to the server.

import { disksOverlap, flipAtBearing, flipToward, type Point } from "../../board/geometry";
import { cardName, diskName } from "./names";
import type { BoardState, Decision } from "../../client/records/match.js";
import { orderSizeFault } from "../../match/order_size";
import { names, t } from "../../messages";
import { describe, disksWithModes, modesOf } from "./orders";
import type { diskwars } from "../../protocol/types";
import { boardRefusalText } from "./refusals";
import { nearestVector } from "./forecast/path";
import { INCH_UM, circleOf, isFielded } from "./forecast/position";

/** Why a line is no order, in words for the player. */
export class OrderError extends Error {}

export interface OrderContext {
  readonly board: BoardState;
  readonly decision: Decision;
  readonly options: diskwars.Options;
  readonly seats: ReadonlyArray<string>;
}

const COMPASS = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];
/** The longest path that any disk may go, and more than any line needs. */
const MAX_FLIPS = 99;
/** Answers that `list` writes out at most. */
const MAX_LISTED = 40;

const answersOf = ({ options }: OrderContext): ReadonlyArray<diskwars.Action> => [
  ...(options.actions ?? []),
  ...(options.parametric ?? []).map(({ example }) => example),
];
const textOf = (context: OrderContext, action: diskwars.Action): string =>
  describe(action, context.board, context.seats, context.decision);

/** Return the answers with their numbers, which begin with 1. */
export function listAnswers(context: OrderContext): string[] {
  const all = answersOf(context).map((action, place) => `${place + 1} ${textOf(context, action)}`);
  return all.length > MAX_LISTED ? [...all.slice(0, MAX_LISTED), "…"] : all;
}

type Aimed = diskwars.Focus | diskwars.Shoot | diskwars.UseAbility;
type Of<Type extends diskwars.Action["type"]> = Extract<diskwars.Action, { type: Type }>;

/** Return the verbs by which the open question can be answered. */
export function expectedVerbs(context: OrderContext): string[] {
  return Object.entries(VERBS)
    .filter(([, { types }]) => answersOf(context).some(({ type }) => types.includes(type)))
    .map(([verb]) => verb);
}

/** Return the action that a line means. Throws OrderError. */
export function parseOrder(line: string, context: OrderContext): diskwars.Action {
  const fault = orderSizeFault(line);
  if (fault) throw new OrderError(fault);
  const [first = "", ...rest] = line.trim().split(/\s+/);
  if (/^\d+$/.test(first) && rest.length === 0) return numbered(Number(first), context);
  const verb = ALIASES[first.toLowerCase()] ?? first.toLowerCase();
  const found = VERBS[verb];
  if (!found) throw new OrderError(t("cmd.verbs", { verbs: expected(context) }));
  return found.parse(rest, context);
}

function expected(context: OrderContext): string {
  const count = answersOf(context).length;
  return [...(count ? [t("cmd.numbers", { count })] : []), ...expectedVerbs(context)].join(", ");
}

function numbered(number: number, context: OrderContext): diskwars.Action {
  const all = answersOf(context);
  const action = all[number - 1];
  if (!action) throw new OrderError(t("cmd.number", { count: all.length }));
  if (action.type === "move_disk" && modesOf(context.options, action.disk).move) {
    throw new OrderError(t("cmd.whereto", { name: diskName(context.board, action.disk) }));
  }
  return action;
}

const ofType = <Type extends diskwars.Action["type"]>(context: OrderContext, type: Type): Of<Type>[] =>
  answersOf(context).filter((action): action is Of<Type> => action.type === type);

interface Verb {
  readonly types: ReadonlyArray<diskwars.Action["type"]>;
  readonly parse: (words: string[], context: OrderContext) => diskwars.Action;
}
const ALIASES: Readonly<Record<string, string>> = { flip: "move", reinforce: "bring", strike: "default" };
const VERBS: Readonly<Record<string, Verb>> = {
  move: { types: ["move_disk"], parse: parseMove },
  shoot: { types: ["shoot"], parse: (words, context) => parseAimed(words, context, ofType(context, "shoot")) },
  focus: { types: ["focus"], parse: (words, context) => parseAimed(words, context, ofType(context, "focus")) },
  use: { types: ["use_ability", "use_engage_ability"], parse: parseUse },
  bring: { types: ["reinforce"], parse: parseBring },
  lock: { types: ["lock_card"], parse: parseLock },
  pass: { types: ["pass_disk"], parse: parsePass },
  end: {
    types: ["end_card", "end_scouting"],
    parse: (_, context) => firstOf(context, ["end_card", "end_scouting", "pass_disk"]),
  },
  default: {
    types: ["deploy", "choose_targets"],
    parse: (_, context) => firstOf(context, ["deploy", "choose_targets"]),
  },
};

/** Return how many activations an answer would leave unused although a disk can act. */
export function unusedActivations(
  action: diskwars.Action,
  { decision: { question }, options }: Pick<OrderContext, "decision" | "options">,
): number {
  return action.type === "end_card" && question.type === "activation" && disksWithModes(options).length
    ? question.activations_left
    : 0;
}

function firstOf(context: OrderContext, types: ReadonlyArray<diskwars.Action["type"]>): diskwars.Action {
  const found = answersOf(context).find(({ type }) => types.includes(type));
  if (!found) throw new OrderError(t("cmd.notnow", { verbs: expected(context) }));
  return found;
}

// ---------------------------------------------------------------- disks by name

interface Named<Value> {
  readonly value: Value;
  readonly rest: string[];
}

function diskNamed(words: ReadonlyArray<string>, context: OrderContext, able: ReadonlyArray<number>): Named<number> {
  const { board, seats } = context;
  const candidates = [...new Set(able)];
  if (candidates.length === 0) throw new OrderError(t("cmd.notnow", { verbs: expected(context) }));
  const list = (disks: ReadonlyArray<number>) =>
    names(
      disks.map((disk) => {
        const name = diskName(board, disk);
        const isShared = disks.some((other) => other !== disk && diskName(board, other) === name);
        return isShared ? `${name} (${seats[board.disks[disk]?.seat ?? 0] ?? ""})` : name;
      }),
    );
  for (let count = words.length; count > 0; count -= 1) {
    const found = matching(words.slice(0, count).join(" "), board, candidates);
    if (found.length === 1) return { value: found[0] ?? 0, rest: words.slice(count) };
    if (found.length > 1) throw new OrderError(t("cmd.which", { names: list(found) }));
  }
  for (let count = words.length; count > 0; count -= 1) {
    const [other, ...more] = matching(
      words.slice(0, count).join(" "),
      board,
      board.disks.map(({ id }) => id),
    );
    if (other !== undefined && more.length === 0)
      throw new OrderError(
        whyNot(context, other) ?? t("cmd.cannot", { name: diskName(board, other), names: list(candidates) }),
      );
  }
  throw new OrderError(t("cmd.disk", { names: list(candidates) }));
}

/** By the whole name, else by the beginning of one of its words, of which one letter is too little. */
function matching(text: string, board: BoardState, candidates: ReadonlyArray<number>): number[] {
  const wanted = text.replace("#", " ").replace(/\s+/g, " ").toLowerCase();
  const whole = candidates.filter((disk) => diskName(board, disk).toLowerCase() === wanted);
  if (whole.length || wanted.length < 2) return whole;
  return candidates.filter((disk) => {
    const name = diskName(board, disk).toLowerCase();
    return name.startsWith(wanted) || name.includes(` ${wanted}`);
  });
}

function whyNot({ board, options }: OrderContext, disk: number): string | null {
  const found = (options.unavailable ?? []).find((one) => one.disk === disk);
  return found ? `${boardRefusalText(found, board)} (${found.rule})` : null;
}

function requireEnd(rest: ReadonlyArray<string>): void {
  if (rest.length) throw new OrderError(t("cmd.extra", { words: rest.join(" ") }));
}

// ---------------------------------------------------------------- moves

function parseMove(words: string[], context: OrderContext): diskwars.Action {
  const { value: disk, rest } = diskNamed(
    words,
    context,
    ofType(context, "move_disk").map((action) => action.disk),
  );
  const { move, moves } = modesOf(context.options, disk);
  const isLast = rest.at(-1)?.toLowerCase() === "end";
  const way = isLast ? rest.slice(0, -1) : rest;
  const length = move?.length ?? 2 * circleOf(context.board, disk).r;
  const path = TOWARD.has(way[0]?.toLowerCase() ?? "")
    ? pathToward(way.slice(1), context, disk, move?.flips ?? 1, length)
    : pathAlong(way, length);
  if (!move) {
    const [dx, dy] = path[0] ?? [0, 0];
    const fixed = nearestVector(
      moves.flatMap((one) => one.path.slice(0, 1)),
      dx,
      dy,
    );
    return { type: "move_disk", disk, path: fixed ? [[fixed[0], fixed[1]]] : [] };
  }
  const isFree = context.decision.question.type === "rampage";
  return { type: "move_disk", disk, path, ...(isFree ? {} : { over_own_disks: true }), end_activation: isLast };
}

const TOWARD = new Set(["onto", "to", "toward", "towards"]);

function pathAlong(words: ReadonlyArray<string>, length: number): [number, number][] {
  const path: [number, number][] = [];
  let last: Point | null = null;
  for (const word of words.join(" ").replaceAll(",", " ").split(/\s+/).filter(Boolean)) {
    const times = /^x(\d{1,2})$/i.exec(word);
    if (times && last) {
      for (let more = 1; more < Math.min(MAX_FLIPS, Number(times[1])); more += 1) path.push([last[0], last[1]]);
      last = null;
      continue;
    }
    const found = /^(\d{1,3}|[a-z]{1,2})°?(?:x(\d{1,2}))?$/i.exec(word);
    const angle = found ? angleOf(found[1] ?? "") : null;
    if (angle === null) throw new OrderError(t("cmd.direction", { word, compass: COMPASS.join(", ") }));
    last = flipAtBearing(angle, length);
    for (let count = 0; count < Number(found?.[2] ?? 1); count += 1) path.push([last[0], last[1]]);
  }
  if (path.length === 0) throw new OrderError(t("cmd.way"));
  return path;
}

function angleOf(word: string): number | null {
  if (/^\d+$/.test(word)) return Number(word) <= 360 ? Number(word) % 360 : null;
  const place = COMPASS.indexOf(word.toUpperCase());
  return place < 0 ? null : place * 45;
}

/** Straight flips until the disk lies on its target or is out of flips; at least one. */
function pathToward(
  words: ReadonlyArray<string>,
  context: OrderContext,
  disk: number,
  flips: number,
  length: number,
): [number, number][] {
  const { board } = context;
  const limit = /^x(\d{1,2})$/i.exec(words.at(-1) ?? "");
  const others = board.disks.filter((one) => isFielded(one) && one.id !== disk).map(({ id }) => id);
  const { value: other, rest } = diskNamed(limit ? words.slice(0, -1) : words, context, others);
  requireEnd(rest);
  const most = Math.min(flips, limit ? Number(limit[1]) : flips);
  const target = circleOf(board, other);
  let { x, y } = circleOf(board, disk);
  const { r } = circleOf(board, disk);
  const path: [number, number][] = [];
  while (path.length < most && !(path.length > 0 && disksOverlap({ x, y, r }, target))) {
    const [dx, dy] = [target.x - x, target.y - y];
    const vector = dx || dy ? flipToward(dx, dy, length) : flipAtBearing(0, length);
    path.push([vector[0], vector[1]]);
    [x, y] = [x + vector[0], y + vector[1]];
  }
  return path;
}

// ---------------------------------------------------------------- the other verbs

function parseAimed(words: string[], context: OrderContext, able: ReadonlyArray<Aimed>): Aimed {
  const { value: disk, rest } = diskNamed(
    words,
    context,
    able.map((action) => action.disk),
  );
  const own = able.filter((action) => action.disk === disk);
  const targets = [...new Set(own.flatMap(({ target }) => (target === undefined ? [] : [target])))];
  // `shoot Steam Tank 2 at Shaman`: the second of its attacks.
  const number =
    /^\d+$/.test(rest[0] ?? "") && ["at", undefined].includes(rest[1]?.toLowerCase()) ? Number(rest.shift()) - 1 : 0;
  if (rest[0]?.toLowerCase() === "at") rest.shift();
  if (rest.length === 0 && targets.length > 1)
    throw new OrderError(t("cmd.target", { names: names(targets.map((one) => diskName(context.board, one))) }));
  const aim = rest.length ? diskNamed(rest, context, targets) : null;
  if (aim) requireEnd(aim.rest);
  const meant = own.filter(({ target }) => aim === null || target === aim.value);
  const found =
    meant.find(
      (action) =>
        (action.type === "shoot" ? (action.shot ?? 0) : action.type === "focus" ? (action.ability ?? 0) : 0) === number,
    ) ?? (number === 0 ? meant[0] : undefined);
  if (!found) throw new OrderError(t("cmd.attack", { number: number + 1, name: diskName(context.board, disk) }));
  return found;
}

function parseUse(words: string[], context: OrderContext): diskwars.Action {
  const engage = ofType(context, "use_engage_ability");
  if (engage.length === 0) return parseAimed(words, context, ofType(context, "use_ability"));
  const targets = engage.flatMap(({ target }) => (target === undefined ? [] : [target]));
  if (words.length === 0) {
    if (targets.length > 1)
      throw new OrderError(t("cmd.target", { names: names(targets.map((one) => diskName(context.board, one))) }));
    return engage.find(({ use }) => use !== false) ?? firstOf(context, ["use_engage_ability"]);
  }
  const aim = diskNamed(words[0]?.toLowerCase() === "at" ? words.slice(1) : words, context, targets);
  requireEnd(aim.rest);
  return engage.find(({ target }) => target === aim.value) ?? firstOf(context, ["use_engage_ability"]);
}

function parseBring(words: string[], context: OrderContext): diskwars.Action {
  const all = ofType(context, "reinforce");
  const { value: disk, rest } = diskNamed(
    words,
    context,
    all.map((action) => action.disk),
  );
  if (rest.length === 0) return all.find((action) => action.disk === disk) ?? firstOf(context, ["reinforce"]);
  const place = (rest[0]?.toLowerCase() === "at" ? rest.slice(1) : rest).map((word) =>
    Number(word.replace(/[()]|[,;]$/g, "").replace(",", ".")),
  );
  const [x, y] = place;
  if (place.length !== 2 || x === undefined || y === undefined || !Number.isFinite(x) || !Number.isFinite(y))
    throw new OrderError(t("cmd.place"));
  return { type: "reinforce", disk, x: Math.round(x * INCH_UM), y: Math.round(y * INCH_UM) };
}

function parseLock(words: string[], context: OrderContext): diskwars.Action {
  const cards = ofType(context, "lock_card").flatMap(({ card }) => (typeof card === "string" ? [card] : []));
  const wanted = words.join(" ").toLowerCase();
  const nameOf = (card: string) => cardName(context.board, card);
  const whole = cards.filter((card) => nameOf(card).toLowerCase() === wanted);
  const found =
    whole.length || wanted.length < 2 ? whole : cards.filter((card) => nameOf(card).toLowerCase().includes(wanted));
  const [card] = found;
  if (card === undefined || found.length > 1)
    throw new OrderError(t("cmd.card", { names: names((found.length ? found : cards).map(nameOf)) }));
  return { type: "lock_card", card };
}

function parsePass(words: string[], context: OrderContext): diskwars.Action {
  const all = ofType(context, "pass_disk");
  if (words.length === 0 && all.length === 1 && all[0]) return all[0];
  const { value: disk, rest } = diskNamed(
    words,
    context,
    all.map((action) => action.disk),
  );
  requireEnd(rest);
  return all.find((action) => action.disk === disk) ?? firstOf(context, ["pass_disk"]);
}
