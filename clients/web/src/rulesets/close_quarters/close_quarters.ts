// Close quarters on the page: squads with their halo, formations that move as one, the cycle of a close combat.

import { letterOf } from "../../client/records/seats";
import { decimal, names } from "../../messages";
import type { close_quarters } from "../../protocol/types";
import {
  NOTHING_ASKED,
  markOf,
  numbered,
  type Action,
  type Asked,
  type Context,
  type Decision,
  type Draft,
  type Halo,
  type Inspected,
  type Link,
  type LogText,
  type Row,
  type Sheet,
  type Shown,
  type SmallGame,
  type StripItem,
  type Token,
} from "../small/game";
import { isStanding, modelsOf, profileOf, type Board, type Model } from "./board";
import { closeQuartersForms, closeQuartersOrder, modelMarks, type CloseQuartersWords } from "./orders";
import { defensiveFirers, fireOdds, leadershipChance, meleeOdds, type AttackOdds } from "./odds";
import { closeQuartersRolls } from "./rolls";
import { areasOf, pointGround, taskText } from "../small/ground";
import { contentName, smallText, percent } from "../small/texts";

type Moves = close_quarters.Advance | close_quarters.Consolidate | close_quarters.Double;

/** Millimetres of a hundredth of an inch. */
const MM = 0.254;
const BASE_RADIUS = 50;
const PHASES = ["action", "defensive_fire", "cycle", "winner_consolidation"] as const;
const NO_TARGET = "";

const unitNames = (board: Board) =>
  numbered(board.units.map(({ id, seat }) => ({ seat, name: contentName(profileOf(board, id).name) })));
const unitName = (board: Board, id: number) => unitNames(board)[id] ?? `#${id}`;
const listed = (board: Board, ids: ReadonlyArray<number>) => names(ids.map((id) => unitName(board, id)));
const leaderOf = (board: Board, unit: number) =>
  modelsOf(board, unit).find(({ is_leader }) => is_leader) ?? modelsOf(board, unit)[0];
const inches = (hundredths: number) => decimal(hundredths / 100);

function modelName(board: Board, id: number): string {
  const model = board.models[id];
  if (!model) return `#${id}`;
  if (model.is_leader) return smallText("cq.leader", { name: unitName(board, model.unit) });
  return smallText("cq.model", { name: unitName(board, model.unit), number: numberOf(board, model) });
}

/** A model among those of its squad, whose name is said already. */
function rowName(board: Board, id: number): string {
  const model = board.models[id];
  return !model
    ? `#${id}`
    : model.is_leader
      ? smallText("cq.row.leader")
      : smallText("cq.row.model", { number: numberOf(board, model) });
}

/** The place of a model in its squad, from 1. */
const numberOf = (board: Board, { id, unit }: Model): number =>
  board.models.filter((one) => one.unit === unit).findIndex((one) => one.id === id) + 1;

function unitState(board: Board, id: number): string {
  const unit = board.units[id];
  if (!unit) return "";
  return [
    unit.markers ? smallText("cq.markers", { count: unit.markers }) : "",
    unit.hit_counter ? smallText("cq.hits", { count: unit.hit_counter }) : "",
    unit.is_doubled ? smallText("cq.doubled") : "",
    unit.has_fallen_back ? smallText("cq.fell_back") : "",
    unit.has_acted ? smallText("has.acted") : "",
  ]
    .filter(Boolean)
    .join(", ");
}

function tokensOf(board: Board, { seats, toPicture }: Context): Token[] {
  return board.models.filter(isStanding).map((one) => {
    const unit = board.units[one.unit];
    const [x, y] = toPicture(one.x * MM, one.y * MM);
    const [name, owner, seat] = [modelName(board, one.id), seats[unit?.seat ?? 0] ?? "", unit?.seat ?? 0];
    const place = smallText("inches", { x: inches(one.x), y: inches(one.y) });
    const state = unitState(board, one.unit);
    return {
      id: one.id,
      seat,
      letter: letterOf(seat),
      name,
      short: name,
      owner,
      place,
      state,
      x,
      y,
      r: BASE_RADIUS * MM,
      isEngaged: false,
      isCovered: false,
      damage: 0,
      label: [name, owner, place, state].filter(Boolean).join(", "),
      look: {
        kind: "model",
        mark: one.is_leader ? "" : String(numberOf(board, one)),
        isLeader: one.is_leader,
        isDone: unit?.has_acted ?? false,
      },
    };
  });
}

function halosOf(board: Board, { toPicture }: Context): Halo[] {
  const active = new Set([board.active_unit, board.combat?.unit]);
  return board.units.flatMap((unit) => {
    const own = modelsOf(board, unit.id);
    if (!own.length) return [];
    const at = own.map((one) => toPicture(one.x * MM, one.y * MM));
    const x = at.reduce((sum, [px]) => sum + px, 0) / at.length;
    const y = at.reduce((sum, [, py]) => sum + py, 0) / at.length;
    const r = Math.max(...at.map(([px, py]) => Math.hypot(px - x, py - y))) + BASE_RADIUS * MM * 1.7;
    const marks = [
      unitName(board, unit.id),
      unit.markers ? smallText("cq.halo.markers", { count: unit.markers }) : "",
      unit.hit_counter ? smallText("cq.halo.hits", { count: unit.hit_counter }) : "",
    ];
    return [
      { x, y, r, letter: letterOf(unit.seat), text: marks.filter(Boolean).join(", "), isActive: active.has(unit.id) },
    ];
  });
}

function linksOf(board: Board): Link[] {
  const standing = board.models.filter(isStanding);
  const side = (one: Model) => board.units[one.unit]?.side;
  return standing.flatMap((one) =>
    standing
      .filter(
        (other) =>
          other.id > one.id &&
          side(other) !== side(one) &&
          Math.hypot(one.x - other.x, one.y - other.y) <= 2 * BASE_RADIUS + 1,
      )
      .map((other) => ({ from: one.id, to: other.id, kind: "contact" as const, group: 0 })),
  );
}

function stripOf(board: Board): StripItem[] {
  const { combat } = board;
  const item = (id: number, state: StripItem["state"]): StripItem[] => {
    const token = leaderOf(board, id)?.id;
    if (token === undefined) return [];
    const name = unitName(board, id);
    return [{ token, name, mark: markOf(name), letter: letterOf(board.units[id]?.seat ?? 0), state }];
  };
  if (combat) {
    const waiting = new Set(combat.waiting);
    const rest = combat.units.filter(
      (id) => id !== combat.unit && !waiting.has(id) && board.units[id]?.side === combat.attacker,
    );
    return [
      ...(combat.unit === null || combat.unit === undefined ? [] : item(combat.unit, "now")),
      ...combat.waiting.flatMap((id) => item(id, "waiting")),
      ...rest.flatMap((id) => item(id, "done")),
    ];
  }
  const side = board.order[(board.turn - 1) % Math.max(1, board.order.length)];
  const own = board.units.filter((one) => one.side === side);
  return own.flatMap(({ id, has_acted: done }) =>
    item(id, id === board.active_unit ? "now" : done ? "done" : "waiting"),
  );
}

function taskOf(board: Board, { seats }: Context): Shown["task"] {
  const { task = null } = board;
  const own = board.models.filter(({ unit }) => board.units[unit]?.side === (task?.side ?? 0));
  const piece = task?.piece === undefined ? "" : unitName(board, own[task.piece]?.unit ?? 0);
  const sides = board.sides.map((side) => names(side.map((seat) => seats[seat] ?? "")));
  return task && { text: taskText(task, sides, piece, smallText("task.models")), rule: "B-29" };
}

function show(board: Board, context: Context): Shown {
  const { barricade, combat } = board;
  return {
    tokens: tokensOf(board, context),
    links: linksOf(board),
    halos: halosOf(board, context),
    strip: stripOf(board),
    stripTitle: smallText(combat ? "cq.strip.cycle" : "cq.strip"),
    grounds: [...pointGround("hill", board.high_ground ?? [], MM), ...pointGround("task", areasOf(board.task), MM)],
    task: taskOf(board, context),
    walls: barricade ? [[barricade.x0 * MM, barricade.y0 * MM, barricade.x1 * MM, barricade.y1 * MM]] : [],
    round: smallText("turn", { turn: board.turn, turns: board.turns * Math.max(1, board.order.length) }),
    phases: PHASES.map((id) => ({
      id,
      name: smallText(`cq.phase.${id}`),
      isOn: board.phase === id || (id === "cycle" && board.phase === "initial_consolidation"),
    })),
    counter: combat && combat.cycle ? { label: smallText("cq.cycle"), value: String(combat.cycle) } : null,
    tallies: board.sides
      .flatMap((seats, side) => seats.map((seat) => ({ seat, side })))
      .sort((a, b) => a.seat - b.seat)
      .map(({ side }) =>
        smallText("cq.tally", {
          count: board.models.filter((one) => isStanding(one) && board.units[one.unit]?.side === side).length,
        }),
      ),
  };
}

// ---------------------------------------------------------------- questions

/** Questions that are explained before anything is chosen. */
const HELPS: ReadonlySet<string> = new Set([
  "activation",
  "unit_action",
  "defensive_fire",
  "consolidation",
  "next_unit",
  "weapon",
]);

function title(board: Board, question: close_quarters.Question): string {
  const name =
    "unit" in question ? unitName(board, question.unit) : "model" in question ? modelName(board, question.model) : "";
  return smallText(`cq.q.${question.type}` as never, { name });
}

function ask(
  board: Board,
  { question }: Decision<close_quarters.Question>,
  options: close_quarters.Options,
  draft: Draft,
  context: Context,
): Asked {
  const actions = (options.actions ?? []) as ReadonlyArray<Action>;
  const limits = options.parametric ?? [];
  const unit = "unit" in question ? question.unit : null;
  const base: Asked = {
    ...NOTHING_ASKED,
    title: title(board, question),
    help: HELPS.has(question.type) ? smallText(`cq.q.${question.type}.help` as never) : "",
    focus: unit === null ? ("model" in question ? question.model : null) : (leaderOf(board, unit)?.id ?? null),
    choices: actions.map((action) => ({
      label: labelOf(board, action),
      action,
      ...commitOf(board, question.type, action),
    })),
    tokens: new Map(
      actions.flatMap((action) =>
        action.type === "choose_unit"
          ? tokensOfUnit(board, action.unit, action)
          : action.type === "fire_at"
            ? tokensOfUnit(board, action.target, action)
            : [],
      ),
    ),
    unavailable: options.unavailable ?? [],
    orderForms: closeQuartersForms(question.type, limits),
    onOrder: (line) => closeQuartersOrder(line, wordsOf(board, question.type, limits)),
  };
  switch (question.type) {
    case "unit_action":
    case "consolidation":
      return askMoves(board, base, limits, draft, context);
    case "shooting":
      return askShots(board, base, question.unit, limits[0], draft);
    case "hit_split":
    case "allocation":
    case "casualties":
      return askModels(board, base, limits[0], draft);
    case "defensive_fire":
      return { ...base, ...aimedFire(board, question.unit, draft) };
    case "weapon":
      return draft.action?.type === "choose_weapon"
        ? { ...base, outlook: weaponOutlook(board, question.model, draft.action.weapon) }
        : base;
    default:
      return base;
  }
}

/** What typed orders may name. Inches are those of the field, as in the terminal, also for a side that sees it turned. */
function wordsOf(
  board: Board,
  question: close_quarters.Question["type"],
  limits: ReadonlyArray<close_quarters.Limits>,
): CloseQuartersWords {
  const letters = board.units.map(({ id }) => modelMarks([{ unit: id }])[0]?.slice(0, 1) ?? "");
  return {
    question,
    limits,
    marks: modelMarks(board.models),
    units: {
      ids: board.units.filter(({ id }) => modelsOf(board, id).length > 0).map(({ id }) => id),
      marks: letters,
      names: unitNames(board),
    },
    shift: (own, right, up) => {
      const leader = leaderOf(board, own.unit);
      return leader ? moved(board, own, (own.example as Moves).moves, null, leader.x + right, leader.y + up) : [];
    },
  };
}

/** What the drafted fire before the combat aims at, and what it is likely to do. */
function aimedFire(board: Board, unit: number, { action }: Draft): Pick<Asked, "links" | "outlook"> {
  if (action?.type !== "fire_at") return { links: [], outlook: [] };
  const chance = leadershipChance(board, unit);
  const fire = fireOutlook(board, unit, action.target, defensiveFirers(board, unit, action.target));
  return {
    links: aimOf(board, unit, action.target),
    outlook: [...(chance < 1 ? [smallText("cq.odds.leadership", { chance: percent(chance) })] : []), ...fire],
  };
}

function aimOf(board: Board, unit: number, target: number): Link[] {
  const [from, to] = [leaderOf(board, unit)?.id, leaderOf(board, target)?.id];
  return from === undefined || to === undefined ? [] : [{ from, to, kind: "attack", group: 0 }];
}

function fireOutlook(board: Board, unit: number, target: number, models: number): string[] {
  const odds = fireOdds(board, unit, target, models);
  return odds ? outlookOf(odds, smallText("cq.odds.at", { count: odds.dice, name: unitName(board, target) })) : [];
}

function weaponOutlook(board: Board, id: number, weapon: string): string[] {
  const model = board.models[id];
  const odds = model && meleeOdds(board, model, weapon);
  return odds ? outlookOf(odds, smallText("cq.odds.with", { count: odds.dice })) : [];
}

/** What dice need, and how likely they hit and kill; who falls then (B-14) is left out. */
function outlookOf({ hitNeeded, hits, anyHit, saveNeeded, kill, anyFalls }: AttackOdds, dice: string): string[] {
  const first = smallText("cq.odds.hit", {
    dice,
    needed: hitNeeded,
    chance: percent(hitNeeded / 6),
    hits: decimal(hits),
    any: percent(anyHit),
  });
  if (saveNeeded === null || kill === null || anyFalls === null) return [first, smallText("cq.odds.open")];
  const save = saveNeeded
    ? smallText("cq.odds.save", { needed: saveNeeded, chance: percent(saveNeeded / 6) })
    : smallText("cq.odds.no_save");
  return [first, smallText("cq.odds.falls", { save, kill: percent(kill), falls: percent(anyFalls) })];
}

const tokensOfUnit = (board: Board, unit: number, action: Action): Array<readonly [number, Draft]> =>
  modelsOf(board, unit).map(({ id }) => [id, { selected: null, action }] as const);

function askMoves(
  board: Board,
  base: Asked,
  limits: ReadonlyArray<close_quarters.Limits>,
  draft: Draft,
  context: Context,
): Asked {
  const action = draft.action as Moves | null;
  const own = limits.find(({ example }) => example.type === action?.type);
  const ways = limits.map((one) => ({
    label: smallText("cq.way", {
      verb: smallText(`cq.${one.example.type}` as never),
      inches: inches(one.distance ?? 0),
    }),
    isOn: one === own,
    draft: { selected: null, action: one.example as Action },
  }));
  if (!action || !own) return { ...base, ways };
  const models = modelsOf(board, own.unit);
  const placed = new Map(action.moves.map((move) => [move.model, move]));
  const anchor = models.find(({ id }) => id === draft.selected) ?? leaderOf(board, own.unit);
  const there = anchor && (placed.get(anchor.id) ?? anchor);
  const toPlace = (x: number, y: number): Draft => ({
    ...draft,
    action: { ...action, moves: moved(board, own, action.moves, draft.selected, x, y) },
  });
  const place =
    anchor && there
      ? ` ${smallText("cq.move.place", {
          name: rowName(board, anchor.id),
          place: smallText("inches", { x: inches(there.x), y: inches(there.y) }),
          far: inches(Math.hypot(there.x - anchor.x, there.y - anchor.y)),
          limit: inches(own.distance ?? 0),
        })}`
      : "";
  const ghosts = models.map((one) => {
    const move = placed.get(one.id);
    const [x, y] = context.toPicture((move?.x ?? one.x) * MM, (move?.y ?? one.y) * MM);
    return {
      x,
      y,
      r: BASE_RADIUS * MM,
      label: one.is_leader ? "★" : "",
      isLegal: !move || Math.hypot(move.x - one.x, move.y - one.y) <= (own.distance ?? 0) + 0.5,
    };
  });
  const verb = smallText(`cq.${action.type}` as never);
  return {
    ...base,
    ways,
    ghosts,
    help: `${draft.selected === null ? smallText("cq.move.help") : smallText("cq.move.one", { name: modelName(board, draft.selected) })}${place}`,
    tokens: new Map(models.map(({ id }) => [id, { selected: draft.selected === id ? null : id, action }])),
    onPlace: (x, y) => toPlace(x / MM, y / MM),
    onStep: (dx, dy) => toPlace((there?.x ?? 0) + dx / MM, (there?.y ?? 0) + dy / MM),
    commit: { label: smallText("cq.move.do", { verb }), action },
  };
}

/** Move the whole formation so that its leader comes to a point, or one model; nobody farther than the limit. */
function moved(
  board: Board,
  limits: close_quarters.Limits,
  before: ReadonlyArray<close_quarters.ModelMove>,
  only: number | null,
  x: number,
  y: number,
): close_quarters.ModelMove[] {
  const models = modelsOf(board, limits.unit);
  const anchor = models.find(({ id }) => id === only) ?? leaderOf(board, limits.unit);
  if (!anchor) return [...before];
  const [dx, dy] = [x - anchor.x, y - anchor.y];
  const far = Math.hypot(dx, dy);
  const share = Math.min(1, (limits.distance ?? 0) / Math.max(1, far));
  const [mx, my] = [Math.trunc(dx * share), Math.trunc(dy * share)];
  const kept = only === null ? [] : before.filter(({ model }) => model !== only);
  const going = only === null ? models : [anchor];
  return [...kept, ...going.map((one) => ({ model: one.id, x: one.x + mx, y: one.y + my }))].sort(
    (a, b) => a.model - b.model,
  );
}

function askShots(
  board: Board,
  base: Asked,
  unit: number,
  limits: close_quarters.Limits | undefined,
  draft: Draft,
): Asked {
  if (!limits) return base;
  const action = (draft.action ?? limits.example) as close_quarters.Shoot;
  const withShots = (shots: ReadonlyArray<close_quarters.ModelShot>): Draft => ({
    ...draft,
    action: { type: "shoot", shots },
  });
  const rows: Row[] = (limits.shooters ?? []).map(({ model, targets }) => ({
    label: rowName(board, model),
    value: String(action.shots.find((one) => one.model === model)?.target ?? NO_TARGET),
    values: [
      ...targets.map((id) => ({ value: String(id), label: unitName(board, id) })),
      { value: NO_TARGET, label: smallText("cq.hold_fire") },
    ],
    set: (value) =>
      withShots(
        [
          ...action.shots.filter((one) => one.model !== model),
          ...(value === NO_TARGET ? [] : [{ model, target: Number(value) }]),
        ].sort((a, b) => a.model - b.model),
      ),
  }));
  const targets = [...new Set((limits.shooters ?? []).flatMap((one) => one.targets))];
  const aimed = [...new Set((action as close_quarters.Shoot).shots.map(({ target }) => target))];
  const allAt = (target: number) =>
    withShots(
      (limits.shooters ?? []).filter((one) => one.targets.includes(target)).map(({ model }) => ({ model, target })),
    );
  return {
    // Each shot is chosen in its row; only to hold all fire is an answer by itself.
    ...base,
    choices: base.choices.filter((choice) => (choice.action as close_quarters.Shoot).shots?.length === 0),
    rows,
    help: smallText("cq.shoot.help"),
    links: aimed.flatMap((target) => aimOf(board, unit, target)),
    outlook: aimed.flatMap((target) =>
      fireOutlook(board, unit, target, action.shots.filter((one) => one.target === target).length),
    ),
    tokens: new Map(targets.flatMap((target) => modelsOf(board, target).map(({ id }) => [id, allAt(target)] as const))),
    commit: {
      label: action.shots.length ? smallText("cq.shoot.do", { count: action.shots.length }) : smallText("cq.hold_fire"),
      action,
    },
  };
}

function askModels(board: Board, base: Asked, limits: close_quarters.Limits | undefined, draft: Draft): Asked {
  if (!limits) return base;
  const action = (draft.action ?? limits.example) as close_quarters.PickCasualties | close_quarters.SplitHits;
  const { least = 0, most = 0, leader } = limits;
  const toggled = (id: number): Draft => {
    const models = action.models.includes(id)
      ? action.models.filter((one) => one !== id)
      : [...action.models, id].slice(-Math.max(1, most));
    return { ...draft, action: { ...action, models: models.sort((a, b) => a - b) } };
  };
  const isLegal =
    (action.models.length >= least && action.models.length <= most) ||
    (action.models.length === 1 && action.models[0] === leader);
  const all = [...(limits.models ?? []), ...(leader === undefined ? [] : [leader])];
  const isOneSquad = new Set(all.map((id) => board.models[id]?.unit)).size === 1;
  return {
    ...base,
    choices: [],
    tokens: new Map(all.map((id) => [id, toggled(id)])),
    ghosts: [],
    help:
      least === most
        ? smallText("cq.models.help.exact", { count: most })
        : smallText("cq.models.help", { least, most }),
    rows: all.map((id) => ({
      label: isOneSquad ? rowName(board, id) : modelName(board, id),
      value: action.models.includes(id) ? "1" : "",
      isOn: action.models.includes(id),
      values: [
        { value: "1", label: smallText("yes") },
        { value: "", label: smallText("no") },
      ],
      set: () => toggled(id),
    })),
    commit: isLegal ? { label: smallText("cq.models.do", { count: action.models.length }), action } : null,
  };
}

function labelOf(board: Board, action: Action): string {
  switch (action.type) {
    case "choose_unit":
      return unitName(board, action.unit);
    case "fire_at":
      return smallText("cq.fire_at", { name: unitName(board, action.target) });
    case "shoot":
      return smallText("cq.hold_fire");
    case "hold":
    case "hold_fire":
      return smallText(`cq.${action.type}`);
    case "consolidate_by":
      return smallText(`cq.by.${action.manoeuvre}`);
    case "choose_weapon":
      return contentName(board.melee_weapons.find(({ id }) => id === action.weapon)?.name ?? action.weapon);
    default:
      return action.type.replaceAll("_", " ");
  }
}

function deed(board: Board, _decision: Decision<close_quarters.Question>, action: Action): string {
  switch (action.type) {
    case "advance":
    case "double":
    case "consolidate":
      return smallText(`cq.${action.type}`);
    case "shoot": {
      const targets = [...new Set((action as close_quarters.Shoot).shots.map(({ target }) => target))];
      return targets.length
        ? smallText("cq.fire_at", { name: names(targets.map((unit) => unitName(board, unit))) })
        : labelOf(board, action);
    }
    default:
      return labelOf(board, action);
  }
}

/** What sends an answer, where its name alone does not say what it does. */
function commitOf(
  board: Board,
  question: close_quarters.Question["type"],
  action: Action,
): { readonly commit?: string } {
  if (action.type === "choose_weapon") return { commit: smallText("cq.weapon.do", { name: labelOf(board, action) }) };
  if (action.type !== "choose_unit") return {};
  return {
    commit: smallText(question === "activation" ? "cq.activation.do" : "cq.next_unit.do", {
      name: unitName(board, action.unit),
    }),
  };
}

// ---------------------------------------------------------------- words

function inspect(board: Board, id: number): Inspected {
  const model = board.models[id] as Model;
  const profile = profileOf(board, model.unit);
  const weapons = (model.is_leader ? profile.leader_weapons : profile.weapons).map((weapon) =>
    contentName(board.melee_weapons.find((one) => one.id === weapon)?.name ?? weapon),
  );
  const ranged = board.ranged_weapons.find((one) => one.id === profile.ranged_weapon)?.name;
  return {
    name: modelName(board, id),
    kind: unitState(board, model.unit) || smallText("cq.ready"),
    figures: [
      [smallText("cq.stat.movement"), `${profile.movement_inches}″`],
      [smallText("cq.stat.skill"), String(profile.weapon_skill)],
      [smallText("cq.stat.ballistic"), String(profile.ballistic_skill)],
      [smallText("cq.stat.strength"), String(profile.strength)],
      [smallText("cq.stat.toughness"), String(profile.toughness)],
      [smallText("cq.stat.armour"), String(profile.armour)],
      [smallText("cq.stat.evasion"), String(profile.evasion)],
      [smallText("cq.stat.nerve"), `${smallText("cq.dice.letter", { count: profile.leadership })}/${profile.nerve}`],
    ],
    lines: [names([...weapons, ...(ranged ? [contentName(ranged)] : [])])],
  };
}

function sheets(board: Board, events: ReadonlyArray<close_quarters.Event>): Sheet[] {
  const rolls = events.flatMap((event): Sheet[] => {
    if (event.type === "melee_rolled") {
      return [
        {
          title: smallText("cq.melee", { name: unitName(board, event.unit) }),
          columns: [smallText("cq.who"), smallText("cq.dice"), smallText("needed"), smallText("cq.hit")],
          rule: event.reasons[0]?.rule ?? "",
          rows: event.assaults.map((one) => [
            modelName(board, one.model),
            String(one.dice_count),
            `≤ ${one.needed}`,
            String(one.hits),
          ]),
        },
      ];
    }
    if (event.type === "shots_fired" && event.volleys?.length) {
      return [
        {
          title: smallText("cq.fire", { name: unitName(board, event.unit) }),
          columns: [smallText("cq.who"), smallText("cq.dice"), smallText("needed"), smallText("cq.hit")],
          rule: event.reasons[0]?.rule ?? "",
          rows: event.volleys.map((one) => [
            modelName(board, one.model),
            String(one.dice_count),
            `≤ ${one.needed}`,
            String(one.hits),
          ]),
        },
      ];
    }
    return [];
  });
  return rolls.slice(-1);
}

function log(board: Board | null, event: close_quarters.Event, { seats }: Context): LogText | null {
  if (!board) return null;
  const name = "unit" in event && typeof event.unit === "number" ? unitName(board, event.unit) : "";
  const side = (number: number) => names((board.sides[number] ?? []).map((seat) => seats[seat] ?? ""));
  switch (event.type) {
    case "turn_order_set":
      return { text: smallText("log.order", { names: names(event.order.map(side)) }), icon: "list" };
    case "turn_began":
      return { text: smallText("log.turn", { name: side(event.side) }), icon: "flag" };
    case "leadership_tested":
      return {
        text: smallText(event.passed ? "cq.log.steady" : "cq.log.shaken", {
          name,
          needed: event.needed,
          dice: event.dice.results.join(", "),
        }),
        icon: "dice",
      };
    case "markers_changed":
      return { text: smallText("cq.log.markers", { name, count: event.markers }), icon: "warn" };
    case "unit_held":
      return { text: smallText("cq.log.held", { name }), icon: "shield" };
    case "unit_moved":
      return { text: smallText(event.is_doubled ? "cq.log.doubled" : "cq.log.advanced", { name }), icon: "rot" };
    case "unit_fell_back":
      return { text: smallText("cq.log.fell_back", { name }), icon: "rot" };
    case "combat_began":
      return { text: smallText("cq.log.combat", { names: listed(board, event.units) }), icon: "sword" };
    case "units_joined_combat":
      return { text: smallText("cq.log.joined", { names: listed(board, event.units) }), icon: "sword" };
    case "cycle_began":
      return { text: smallText("cq.log.cycle", { cycle: event.cycle, name: side(event.attacker) }), icon: "rot" };
    case "shots_fired":
      return {
        text: event.dice
          ? smallText("cq.log.fired", {
              name,
              hits: (event.volleys ?? []).reduce((sum, one) => sum + one.hits, 0),
              count: (event.volleys ?? []).reduce((sum, one) => sum + one.dice_count, 0),
            })
          : smallText("cq.log.no_fire", { name }),
        icon: "target",
      };
    case "melee_rolled":
      return {
        text: smallText("cq.log.melee", {
          name,
          hits: event.assaults.reduce((sum, one) => sum + one.hits, 0),
          count: event.assaults.reduce((sum, one) => sum + one.dice_count, 0),
        }),
        icon: "sword",
      };
    case "saves_rolled":
      return {
        text: smallText("cq.log.saves", {
          name,
          saved: event.hits.length - event.failed.length,
          count: event.hits.length,
        }),
        icon: "fort",
      };
    case "kills_rolled":
      return { text: smallText("cq.log.kills", { name, count: event.killing.length }), icon: "dice" };
    case "models_removed":
      return {
        text: smallText(`cq.log.removed.${event.reason_kind}`, { name, count: event.models.length }),
        icon: "skull",
      };
    case "unit_consolidated":
      return event.moves.length ? { text: smallText("cq.log.consolidated", { name }), icon: "rot" } : null;
    case "combat_ended":
      return { text: smallText("cq.log.combat_ended"), icon: "flag" };
    case "seat_withdrew":
      return { text: smallText("log.withdrew", { name: seats[event.seat] ?? "" }), icon: "x" };
    default:
      return null;
  }
}

export const game: SmallGame<Board, close_quarters.Question, close_quarters.Options, close_quarters.Event> = {
  size: (board) => ({ width: board.width * MM, height: board.height * MM, cell: null }),
  // The first side deploys on one half; a viewer from the other side sees the table turned.
  turn: (board, seat) => {
    const own = board.units.find((unit) => unit.seat === seat);
    const leader = own && leaderOf(board, own.id);
    return leader && leader.y > board.height / 2 ? 180 : 0;
  },
  show,
  title,
  ask,
  deed,
  inspect,
  sheets,
  log,
  rolls: closeQuartersRolls,
  hasTurns: true,
  score: () => smallText("cq.score"),
};
