// Regiments on the page: blocks of files and ranks with a facing, marches to a cell, and the score sheet of a combat.

import { letterOf } from "../../client/records/seats";
import { names } from "../../messages";
import type { BattleTask, regiments } from "../../protocol/types";
import {
  NOTHING_ASKED,
  isSameAction,
  markOf,
  numbered,
  type Action,
  type Asked,
  type Context,
  type Decision,
  type Draft,
  type Inspected,
  type Link,
  type LogText,
  type Row,
  type Sheet,
  type Shown,
  type SmallGame,
  type Spot,
  type StripItem,
  type Token,
} from "../small/game";
import { attackOdds } from "./odds";
import { ORDER_FORMS, SECRET_FORMS, regimentsOrder, secretOrders, type RegimentsWords } from "./orders";
import { regimentsRolls } from "./rolls";
import { areasOf, cellGround, taskText } from "../small/ground";
import { contentName, smallText, percent } from "../small/texts";
import { seatMarks } from "../small/typed_orders";

export type Board = Required<Omit<regiments.Board, "task" | "units">> & {
  readonly task: BattleTask | null;
  readonly units: ReadonlyArray<Required<regiments.Unit>>;
};
export type Unit = Board["units"][number];
type Order = regiments.UnitOrder["order"];
type Facing = Unit["facing"];

const CELL_MM = 90;
const PHASES = ["orders", "melee", "score", "break", "morale"] as const;
const QUARTERS: Readonly<Record<Facing, number>> = { north: 0, east: 90, south: 180, west: 270 };
const ARROWS = ["↑", "→", "↓", "←"];
const AHEAD: Readonly<Record<Facing, readonly [number, number]>> = {
  north: [0, 1],
  east: [1, 0],
  south: [0, -1],
  west: [-1, 0],
};

const isFielded = ({ status }: Unit) => status === "steady" || status === "fleeing";
const sizeOf = ({ models }: Unit) => models.filter((wounds) => wounds > 0).length;
const profileOf = (board: Board, unit: Unit) => board.profiles[unit.profile] as regiments.UnitProfile;
const namesOf = (board: Board) =>
  numbered(board.units.map((unit) => ({ seat: unit.seat, name: contentName(profileOf(board, unit).name) })));
const nameOf = (board: Board, id: number) => namesOf(board)[id] ?? `#${id}`;
const listed = (board: Board, ids: ReadonlyArray<number>) => names(ids.map((id) => nameOf(board, id)));
const middle = ({ x, y }: { readonly x: number; readonly y: number }): [number, number] => [
  (x + 0.5) * CELL_MM,
  (y + 0.5) * CELL_MM,
];
const cellName = ({ x, y }: { readonly x: number; readonly y: number }) => smallText("cell", { x, y });
const arrow = (facing: Facing, turned: number) => ARROWS[((QUARTERS[facing] + turned) % 360) / 90] ?? "";

/** The side of a unit on which a cell lies; a diagonal belongs to the front, then to the rear (C-19). */
function arcOf(unit: Unit, cell: { readonly x: number; readonly y: number }): "flank" | "front" | "rear" {
  const [dx, dy] = [cell.x - unit.x, cell.y - unit.y];
  const [ax, ay] = AHEAD[unit.facing];
  const [ahead, aside] = [dx * ax + dy * ay, Math.abs(dy * ax - dx * ay)];
  return ahead >= aside ? "front" : -ahead >= aside ? "rear" : "flank";
}

function tokensOf(board: Board, { seats, toPicture, turned }: Context): Token[] {
  const fighting = new Set(board.contacts.flatMap(({ charger, target }) => [charger, target]));
  return board.units.filter(isFielded).map((unit) => {
    const [x, y] = toPicture(...middle(unit));
    const [name, owner] = [nameOf(board, unit.id), seats[unit.seat] ?? ""];
    const state = [
      smallText("rg.size", { count: sizeOf(unit), started: unit.started }),
      smallText("rg.formation", { files: unit.files }),
      smallText(`rg.facing.${unit.facing}`),
      unit.status === "fleeing" ? smallText("rg.fleeing") : "",
      unit.has_charged ? smallText("rg.charged") : "",
      board.waiting.includes(unit.id) ? "" : smallText("has.acted"),
    ]
      .filter(Boolean)
      .join(", ");
    return {
      id: unit.id,
      seat: unit.seat,
      letter: letterOf(unit.seat),
      name,
      short: name,
      owner,
      place: cellName(unit),
      state,
      x,
      y,
      r: CELL_MM * 0.44,
      isEngaged: fighting.has(unit.id),
      isCovered: false,
      damage: 0,
      label: `${name}, ${owner}, ${cellName(unit)}, ${state}`,
      look: {
        kind: "block",
        mark: markOf(name),
        files: unit.files,
        models: unit.models,
        angle: (QUARTERS[unit.facing] + turned) % 360,
        status: unit.status,
        isDone: board.round > 0 && !board.waiting.includes(unit.id),
      },
    };
  });
}

function linksOf(board: Board): Link[] {
  return board.contacts.flatMap(({ charger, target }) => {
    const [one, other] = [board.units[charger], board.units[target]];
    if (!one || !other) return [];
    const arc = arcOf(other, one);
    return [
      {
        from: charger,
        to: target,
        kind: arc === "front" ? ("contact" as const) : arc,
        group: 0,
        ...(arc === "front" ? {} : { text: smallText(`rg.${arc}`) }),
      },
    ];
  });
}

function taskOf(board: Board, { seats }: Context): Shown["task"] {
  const { task = null } = board;
  const own = board.units.filter(({ seat }) => board.sides[task?.side ?? 0]?.includes(seat));
  const piece = task?.piece === undefined ? "" : nameOf(board, own[task.piece]?.id ?? 0);
  const sides = board.sides.map((side) => names(side.map((seat) => seats[seat] ?? "")));
  return task && { text: taskText(task, sides, piece, smallText("task.units")), rule: "C-32" };
}

function show(board: Board, context: Context): Shown {
  const item = (id: number, state: StripItem["state"]): StripItem => {
    const name = nameOf(board, id);
    return { token: id, name, mark: markOf(name), letter: letterOf(board.units[id]?.seat ?? 0), state };
  };
  const sideOf = (seat: number) => board.sides.findIndex((seats) => seats.includes(seat));
  return {
    tokens: tokensOf(board, context),
    links: linksOf(board),
    halos: [],
    walls: [],
    grounds: [
      ...cellGround("task", areasOf(board.task), CELL_MM),
      ...cellGround("wall", board.obstacles ?? [], CELL_MM),
    ],
    task: taskOf(board, context),
    strip: board.waiting.map((id, k) => item(id, k === 0 && board.phase === "orders" ? "now" : "waiting")),
    stripTitle: smallText("rg.strip"),
    round: smallText("round", { round: board.round, rounds: board.rounds }),
    phases: PHASES.map((id) => ({ id, name: smallText(`rg.phase.${id}`), isOn: board.phase === id })),
    counter: null,
    tallies: board.sides
      .flat()
      .sort((a, b) => a - b)
      .map((seat) => {
        const own = board.units.filter((unit) => sideOf(unit.seat) === sideOf(seat) && isFielded(unit));
        return smallText("rg.tally", { units: own.length, models: own.reduce((sum, unit) => sum + sizeOf(unit), 0) });
      }),
  };
}

// ---------------------------------------------------------------- questions

function title(board: Board, question: regiments.Question): string {
  return question.type === "order"
    ? smallText("rg.q.order", { name: nameOf(board, question.unit) })
    : smallText("rg.q.secret_orders");
}

function ask(
  board: Board,
  { question }: Decision<regiments.Question>,
  options: regiments.Options,
  draft: Draft,
  context: Context,
): Asked {
  const limits = options.parametric ?? [];
  if (question.type === "secret_orders") return askSecret(board, limits, draft, context);
  if (question.type !== "order") return NOTHING_ASKED;
  const actions = (options.actions ?? []) as ReadonlyArray<Action>;
  const unit = board.units[question.unit] as Unit;
  const march = limits.find((one) => one.unit === question.unit && (one.ends ?? []).length);
  const chosen = draft.action?.type === "march" || draft.action?.type === "reform" ? draft.action : null;
  const reforms = actions.flatMap((action) => (action.type === "reform" ? [action] : []));
  const marched = marching(
    unit,
    march?.ends ?? [],
    chosen?.type === "march" ? chosen.path : null,
    (path) => ({ selected: unit.id, action: { type: "march", path } }),
    context,
  );
  const reform: Row = {
    label: smallText("rg.files"),
    value: chosen?.type === "reform" ? String(chosen.files) : "",
    values: [
      { value: "", label: smallText("rg.files.now", { files: unit.files }) },
      ...reforms.map(({ files }) => ({ value: String(files), label: smallText("rg.reform", { files }) })),
    ],
    set: (value) => ({ selected: unit.id, action: value === "" ? null : { type: "reform", files: Number(value) } }),
  };
  const charges = actions.flatMap((action) =>
    action.type === "charge" ? [[action.target, { selected: null, action }] as const] : [],
  );
  return {
    ...NOTHING_ASKED,
    title: title(board, question),
    help: march
      ? smallText(charges.length ? "rg.charge.help" : "rg.march.help", { points: march.points ?? 0 })
      : charges.length
        ? smallText("ask.help")
        : "",
    choices: actions
      .filter(({ type }) => type !== "reform")
      .map((action) => ({ label: orderLabel(board, action as Order), action })),
    focus: question.unit,
    tokens: new Map(charges),
    ...aimed(board, unit, draft.action as Order | null),
    unavailable: draft.action ? [] : (options.unavailable ?? []),
    onOrder: (line) => regimentsOrder(line, unit.id, wordsOf(board, limits)),
    orderForms: ORDER_FORMS,
    ...marched,
    rows: [...marched.rows, ...(reforms.length && (!draft.action || chosen?.type === "reform") ? [reform] : [])],
    commit: chosen
      ? {
          label:
            chosen.type === "march"
              ? smallText("rg.march.do", { name: nameOf(board, unit.id) })
              : smallText("rg.reform", { files: chosen.files }),
          action: chosen,
        }
      : null,
  };
}

const wordsOf = (board: Board, limits: ReadonlyArray<regiments.OrderLimits>): RegimentsWords => ({
  limits,
  pieces: {
    ids: board.units.filter(isFielded).map(({ id }) => id),
    marks: seatMarks(board.units.map(({ seat }) => seat)),
    names: namesOf(board),
  },
  facingOf: (unit) => board.units[unit]?.facing ?? "",
});

/** The cells where a march can end, and for the chosen one the ways to face there. */
function marching(
  unit: Unit,
  ends: ReadonlyArray<regiments.MarchEnd>,
  path: ReadonlyArray<string> | null,
  draft: (path: regiments.March["path"]) => Draft,
  { toPicture, turned }: Context,
): Pick<Asked, "ghosts" | "rows" | "spots"> {
  const chosen = ends.find((end) => path !== null && end.path.join() === path.join());
  const cells = new Map<string, regiments.MarchEnd>();
  for (const end of ends) {
    const key = `${end.x},${end.y}`;
    const before = cells.get(key);
    // Of the ways to face in a cell, the present one comes first.
    if (!before || (end.facing === unit.facing && before.facing !== unit.facing)) cells.set(key, end);
  }
  const spots: Spot[] = [...cells.values()].map((end) => {
    const [x, y] = middle(end);
    return {
      x,
      y,
      label: smallText("rg.march.spot", { cell: cellName(end) }),
      draft: draft(end.path),
      isChosen: chosen?.x === end.x && chosen.y === end.y,
    };
  });
  const there = chosen ? ends.filter((end) => end.x === chosen.x && end.y === chosen.y) : [];
  const rows: Row[] =
    there.length > 1
      ? [
          {
            label: smallText("rg.facing"),
            value: chosen?.facing ?? "",
            values: there.map(({ facing }) => ({
              value: facing,
              label: `${arrow(facing, turned)} ${smallText(`rg.facing.${facing}`)}`,
            })),
            set: (facing) => draft(there.find((end) => end.facing === facing)?.path ?? []),
          },
        ]
      : [];
  const ghosts = chosen
    ? [chosen].map((end) => {
        const [x, y] = toPicture(...middle(end));
        return { x, y, r: CELL_MM * 0.42, label: arrow(end.facing, turned), isLegal: true };
      })
    : [];
  return { spots, rows, ghosts };
}

function askSecret(board: Board, limits: ReadonlyArray<regiments.OrderLimits>, draft: Draft, context: Context): Asked {
  const example = limits[0]?.example;
  const action = (draft.action ?? example ?? null) as regiments.LockOrders | null;
  if (!action || !Array.isArray(action.orders)) return NOTHING_ASKED;
  const orders = action.orders as ReadonlyArray<regiments.UnitOrder>;
  const selected =
    draft.selected !== null && limits.some(({ unit }) => unit === draft.selected)
      ? draft.selected
      : (limits[0]?.unit ?? 0);
  const own = limits.find(({ unit }) => unit === selected);
  const given = orders.find(({ unit }) => unit === selected)?.order;
  const withOrder = (order: Order): Draft => ({
    selected,
    action: { ...action, orders: orders.map((one) => (one.unit === selected ? { unit: selected, order } : one)) },
  });
  const unit = board.units[selected] as Unit;
  const march = marching(
    unit,
    own?.ends ?? [],
    given?.type === "march" ? given.path : null,
    (path) => withOrder({ type: "march", path }),
    context,
  );
  const listedOrders = own?.orders ?? [];
  const values = [...listedOrders, ...(given && !listedOrders.some((one) => isSameAction(one, given)) ? [given] : [])];
  const row: Row = {
    label: nameOf(board, selected),
    value: String(values.findIndex((one) => given !== undefined && isSameAction(one, given))),
    values: values.map((order, k) => ({ value: String(k), label: orderLabel(board, order) })),
    set: (value) => withOrder(values[Number(value)] as Order),
  };
  const charges = listedOrders.flatMap((order) =>
    order.type === "charge" ? [[order.target, withOrder(order)] as const] : [],
  );
  return {
    ...NOTHING_ASKED,
    ...aimed(board, unit, given ?? null),
    title: smallText("rg.q.secret_orders"),
    help: smallText("rg.secret.help", { name: nameOf(board, selected) }),
    ...march,
    rows: [row, ...march.rows],
    tokens: new Map([...limits.map((one) => [one.unit, { selected: one.unit, action }] as const), ...charges]),
    commit: { label: smallText("rg.secret.do", { count: orders.length }), action },
    onOrder: (line) => secretOrders(line, action, wordsOf(board, limits)),
    orderForms: SECRET_FORMS,
  };
}

/** What an order aims at, and what each attack then needs on both sides. How many strike depends on who touches whom, and is left out. */
function aimed(board: Board, unit: Unit, order: Order | null): Pick<Asked, "links" | "outlook"> {
  const opponents = board.contacts
    .flatMap(({ charger, target }) => (charger === unit.id ? [target] : target === unit.id ? [charger] : []))
    .map((id) => board.units[id] as Unit);
  switch (order?.type) {
    case "charge": {
      const target = board.units[order.target] as Unit;
      return {
        links: [{ from: unit.id, to: target.id, kind: "attack", group: 0 }],
        outlook: [...exchange(board, unit, target, true), smallText("rg.odds.count")],
      };
    }
    case "fight":
      return {
        links: [],
        outlook: [
          ...opponents.flatMap((enemy) => exchange(board, unit, enemy, unit.has_charged)),
          smallText("rg.odds.count"),
        ],
      };
    case "retreat":
      return {
        links: [],
        outlook: [
          ...opponents.map((enemy) => attackText(board, enemy, unit, { isHack: true })),
          smallText("rg.odds.count"),
        ],
      };
    default:
      return { links: [], outlook: [] };
  }
}

const exchange = (board: Board, unit: Unit, enemy: Unit, isCharging: boolean): string[] => [
  attackText(board, unit, enemy, { isCharging }),
  attackText(board, enemy, unit, { isCharging: enemy.has_charged }),
];

function attackText(board: Board, unit: Unit, target: Unit, how: Parameters<typeof attackOdds>[3]): string {
  const { hitNeeded, woundNeeded, saveNeeded, wound } = attackOdds(board, unit, target, how);
  const [name, other] = [nameOf(board, unit.id), nameOf(board, target.id)];
  if (woundNeeded === null) return smallText("rg.odds.harmless", { name, target: other });
  const needs = [
    hitNeeded === null ? smallText("rg.odds.always") : smallText("rg.odds.hit", { needed: hitNeeded }),
    smallText("rg.odds.wound", { needed: woundNeeded }),
    saveNeeded ? smallText("rg.odds.save", { needed: saveNeeded }) : smallText("rg.odds.no_save"),
  ];
  return smallText("rg.odds.attack", { name, needs: needs.join(", "), chance: percent(wound) });
}

function orderLabel(board: Board, order: Order): string {
  switch (order.type) {
    case "charge":
      return smallText("rg.charge", { name: nameOf(board, order.target) });
    case "reform":
      return smallText("rg.reform", { files: order.files });
    case "march":
      return smallText("rg.march", { count: order.path.length });
    default:
      return smallText(`rg.${order.type}`);
  }
}

/** The orders of a whole side are more than a line says. */
const deed = (board: Board, _decision: Decision<regiments.Question>, action: Action): string =>
  action.type === "lock_orders" ? "" : orderLabel(board, action as Order);

// ---------------------------------------------------------------- words

function inspect(board: Board, id: number): Inspected {
  const unit = board.units[id] as Unit;
  const profile = profileOf(board, unit);
  const weapon = contentName(board.weapons.find((one) => one.id === (profile.weapon ?? "hand"))?.name ?? "");
  return {
    name: nameOf(board, id),
    kind: smallText("rg.size", { count: sizeOf(unit), started: unit.started }),
    figures: [
      [smallText("rg.stat.movement"), String(profile.movement)],
      [smallText("rg.stat.skill"), String(profile.weapon_skill)],
      [smallText("rg.stat.strength"), String(profile.strength)],
      [smallText("rg.stat.toughness"), String(profile.toughness)],
      [smallText("rg.stat.wounds"), String(profile.wounds)],
      [smallText("rg.stat.initiative"), String(profile.initiative)],
      [smallText("rg.stat.attacks"), String(profile.attacks)],
      [smallText("rg.stat.leadership"), String(profile.leadership)],
      [smallText("rg.stat.armour"), String(profile.armour)],
    ],
    lines: [
      weapon,
      smallText(`rg.facing.${unit.facing}`),
      ...(unit.status === "fleeing" ? [smallText("rg.fleeing")] : []),
    ].filter(Boolean),
  };
}

function sheets(board: Board, events: ReadonlyArray<regiments.Event>, { seats }: Context): Sheet[] {
  const scored = events.filter((event) => event.type === "combat_scored");
  const side = (number: number) => names((board.sides[number] ?? []).map((seat) => seats[seat] ?? ""));
  return scored.slice(-2).map((event) => ({
    title: smallText("rg.sheet", { number: event.combat + 1 }),
    columns: ["", side(0), side(1)],
    rule: event.reasons[0]?.rule ?? "",
    rows: [
      ...(["wounds", "ranks", "flanks", "rears"] as const).map((item) => [
        smallText(`rg.sheet.${item}`),
        String(event.side_scores[0][item]),
        String(event.side_scores[1][item]),
      ]),
      [smallText("rg.sheet.total"), String(event.side_scores[0].total), String(event.side_scores[1].total)],
    ],
  }));
}

function log(board: Board | null, event: regiments.Event, { seats }: Context): LogText | null {
  if (!board) return null;
  const name = "unit" in event && typeof event.unit === "number" ? nameOf(board, event.unit) : "";
  const target = "target" in event && typeof event.target === "number" ? nameOf(board, event.target) : "";
  switch (event.type) {
    case "turn_order_set":
      return { text: smallText("log.order", { names: listed(board, event.order) }), icon: "list" };
    case "orders_locked":
      return { text: smallText("rg.log.locked", { name: seats[event.seat] ?? "" }), icon: "lock" };
    case "orders_revealed":
      return { text: smallText("rg.log.revealed"), icon: "eye" };
    case "unit_marched":
      return { text: smallText("rg.log.marched", { name, cell: cellName(event) }), icon: "rot" };
    case "unit_reformed":
      return { text: smallText("rg.log.reformed", { name, files: event.files }), icon: "rot" };
    case "unit_charged":
      return { text: smallText(`rg.log.charged.${event.arc}`, { name, target }), icon: "sword" };
    case "flank_tested":
    case "break_tested":
    case "rout_tested":
    case "rally_tested":
      return {
        text: smallText(event.passed ? `rg.log.${event.type}.passed` : `rg.log.${event.type}.failed`, {
          name,
          needed: event.needed,
          dice: event.dice.results.join(", "),
        }),
        icon: "dice",
      };
    case "attacks_rolled":
    case "hacks_rolled":
      return {
        text: smallText("rg.log.attacks", {
          name,
          count: event.attacks.length,
          wounds: event.attacks.filter(({ wounded }) => wounded).length,
        }),
        icon: "sword",
      };
    case "models_wounded":
      return {
        text: smallText("rg.log.losses", { name, count: event.models.filter(({ wounds }) => wounds === 0).length }),
        icon: "warn",
      };
    case "unit_destroyed":
      return { text: smallText("rg.log.destroyed", { name }), icon: "skull" };
    case "combat_scored":
      return {
        text: smallText("rg.log.scored", { one: event.side_scores[0].total, other: event.side_scores[1].total }),
        icon: "list",
      };
    case "flight_began":
      return { text: smallText("rg.log.flees", { name }), icon: "flag" };
    case "unit_routed":
      return { text: smallText("rg.log.routed", { name }), icon: "skull" };
    case "pursuit_rolled":
      return {
        text: smallText(event.caught ? "rg.log.caught" : "rg.log.not_caught", {
          name,
          target,
          pursuit: event.pursuit,
          flight: event.flight,
        }),
        icon: "dice",
      };
    case "unit_rallied":
      return { text: smallText("rg.log.rallied", { name }), icon: "plus" };
    case "seat_withdrew":
      return { text: smallText("log.withdrew", { name: seats[event.seat] ?? "" }), icon: "x" };
    default:
      return null;
  }
}

export const game: SmallGame<Board, regiments.Question, regiments.Options, regiments.Event> = {
  size: (board) => ({ width: board.width * CELL_MM, height: board.height * CELL_MM, cell: CELL_MM }),
  turn: () => 0,
  show,
  title,
  ask,
  deed,
  inspect,
  sheets,
  log,
  rolls: regimentsRolls,
  score: () => smallText("rg.score"),
};
