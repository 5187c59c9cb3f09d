// The pit on the page: fighters in cells, combats in tints, attacks with what they need.

import { letterOf } from "../../client/records/seats";
import { names } from "../../messages";
import type { BattleTask, pit } from "../../protocol/types";
import {
  NOTHING_ASKED,
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
  type Sheet,
  type Shown,
  type SmallGame,
  type StripItem,
  type Token,
} from "../small/game";
import { attackOdds, blowOf } from "./odds";
import { pitForms, pitOrder } from "./orders";
import { pitRolls } from "./rolls";
import { areasOf, cellGround, taskText } from "../small/ground";
import { contentName, smallText, percent } from "../small/texts";
import { seatMarks } from "../small/typed_orders";

export type Board = Required<Omit<pit.Board, "combat" | "fighters" | "task">> & {
  readonly task: BattleTask | null;
  readonly combat: Required<pit.CombatState> | null;
  readonly fighters: ReadonlyArray<Required<pit.Fighter>>;
};
export type Fighter = Board["fighters"][number];

const CELL_MM = 60;
const PHASES = ["engage", "move", "melee"] as const;
const FIELDED = new Set(["ok", "staggered", "dazed", "stunned"]);
const isFielded = ({ status }: Fighter) => FIELDED.has(status);
const middle = ({ x, y }: { readonly x: number; readonly y: number }): [number, number] => [
  (x + 0.5) * CELL_MM,
  (y + 0.5) * CELL_MM,
];
const profileOf = (board: Board, fighter: Fighter) => board.profiles[fighter.profile] as pit.FighterProfile;
const namesOf = (board: Board) =>
  numbered(board.fighters.map((one) => ({ seat: one.seat, name: contentName(profileOf(board, one).name) })));
const nameOf = (board: Board, id: number) => namesOf(board)[id] ?? `#${id}`;
const listed = (board: Board, ids: ReadonlyArray<number>) => names(ids.map((id) => nameOf(board, id)));
const touches = (one: Fighter, other: Fighter) =>
  one.id !== other.id && Math.max(Math.abs(one.x - other.x), Math.abs(one.y - other.y)) === 1;
/** Return the name of a weapon; without one, a fighter strikes with what it was born with. */
const weaponName = (board: Board, id: string | undefined, fighter?: Fighter) =>
  contentName(
    board.weapons.find((one) => one.id === id)?.name ??
      smallText(fighter && profileOf(board, fighter).natural_weapons ? "pit.natural" : "pit.unarmed"),
  );
const cellName = ({ x, y }: { readonly x: number; readonly y: number }) => smallText("cell", { x, y });

function tokensOf(board: Board, context: Context): Token[] {
  const all = namesOf(board);
  const fighting = new Set(board.combats.filter((_, k) => !board.fought.includes(k)).flat());
  return board.fighters.filter(isFielded).map((one) => {
    const [x, y] = context.toPicture(...middle(one));
    const name = all[one.id] ?? "";
    const owner = context.seats[one.seat] ?? "";
    const state = [
      one.status === "ok" ? "" : smallText(`pit.status.${one.status}`),
      smallText("pit.wounds", { count: one.wounds }),
      one.has_acted ? smallText("has.acted") : "",
    ]
      .filter(Boolean)
      .join(", ");
    return {
      id: one.id,
      seat: one.seat,
      letter: letterOf(one.seat),
      name,
      short: name,
      owner,
      place: cellName(one),
      state,
      x,
      y,
      r: CELL_MM * 0.43,
      isEngaged: fighting.has(one.id),
      isCovered: false,
      damage: 0,
      label: `${name}, ${owner}, ${cellName(one)}, ${state}`,
      look: {
        kind: "fighter",
        mark: markOf(name),
        rank: profileOf(board, one).rank,
        wounds: one.wounds,
        status: one.status,
        hasActed: one.has_acted,
        hasEngaged: one.has_engaged,
      },
    };
  });
}

function linksOf(board: Board): Link[] {
  const groupOf = (id: number) =>
    Math.max(
      0,
      board.combats.findIndex((group) => group.includes(id)),
    );
  const fielded = board.fighters.filter(isFielded);
  const contacts = fielded.flatMap((one) =>
    fielded
      .filter((other) => other.id > one.id && other.seat !== one.seat && touches(one, other))
      .map((other) => ({ from: one.id, to: other.id, kind: "contact" as const, group: groupOf(one.id) })),
  );
  const attacker = board.combat?.fighter ?? null;
  const targets = attacker === null ? [] : [...new Set((board.combat?.declared ?? []).map(({ target }) => target))];
  return [
    ...contacts,
    ...targets.map((to, k) => ({
      from: attacker as number,
      to,
      kind: "attack" as const,
      group: 0,
      text: String(k + 1),
    })),
  ];
}

function stripOf(board: Board): StripItem[] {
  const { combat } = board;
  if (!combat) return [];
  const item = (id: number, state: StripItem["state"]): StripItem => {
    const name = nameOf(board, id);
    return { token: id, name, mark: markOf(name), letter: letterOf(board.fighters[id]?.seat ?? 0), state };
  };
  const done = (board.combats[combat.id] ?? []).filter((id) => id !== combat.fighter && !combat.waiting.includes(id));
  return [
    ...(combat.fighter === null ? [] : [item(combat.fighter, "now")]),
    ...combat.waiting.map((id) => item(id, "waiting")),
    ...done.map((id) => item(id, "done")),
  ];
}

function taskOf(board: Board, { seats }: Context): Shown["task"] {
  const { task = null } = board;
  const own = board.fighters.filter(({ seat }) => seat === (task?.side ?? 0));
  const piece = task?.piece === undefined ? "" : nameOf(board, own[task.piece]?.id ?? 0);
  return task && { text: taskText(task, seats, piece, smallText("task.fighters")), rule: "A-25" };
}

function show(board: Board, context: Context): Shown {
  return {
    tokens: tokensOf(board, context),
    links: linksOf(board),
    halos: [],
    strip: stripOf(board),
    stripTitle: smallText("pit.strip"),
    walls: [],
    grounds: [...cellGround("task", areasOf(board.task), CELL_MM), ...cellGround("wall", board.walls ?? [], CELL_MM)],
    task: taskOf(board, context),
    round: smallText("round", { round: board.round, rounds: board.rounds }),
    phases: PHASES.map((id) => ({ id, name: smallText(`pit.phase.${id}`), isOn: board.phase === id })),
    counter: null,
    tallies: board.seats.map((seat, k) =>
      smallText("pit.tally", {
        count: board.fighters.filter((one) => one.seat === k && isFielded(one)).length,
        losses: seat.losses ?? 0,
        limit: seat.rout_losses,
      }),
    ),
  };
}

const title = (_board: Board, question: pit.Question): string => smallText(`pit.q.${question.type}` as never);

function ask(board: Board, { question }: Decision<pit.Question>, options: pit.Options, draft: Draft): Asked {
  const actions = (options.actions ?? []) as ReadonlyArray<Action>;
  const limits = options.parametric ?? [];
  const onOrder = (line: string) =>
    pitOrder(line, {
      question: question.type,
      limits,
      pieces: {
        ids: board.fighters.filter(isFielded).map(({ id }) => id),
        marks: seatMarks(board.fighters.map(({ seat }) => seat)),
        names: namesOf(board),
      },
      weaponWords: (weapon) =>
        [weapon, board.weapons.find(({ id }) => id === weapon)?.name ?? weapon, weaponName(board, weapon)].map((word) =>
          word.toLowerCase(),
        ),
    });
  const base: Asked = {
    ...NOTHING_ASKED,
    title: title(board, question),
    onOrder,
    orderForms: pitForms(question.type),
    unavailable: (options.unavailable ?? []).filter(({ fighter }) => fighter === draft.selected),
  };
  const choices = actions.map((action) => ({ label: labelOf(board, action), action, ...commitOf(board, action) }));
  switch (question.type) {
    case "engagement":
    case "movement":
      return askPlace(board, base, limits, choices, draft, question.type);
    case "attack_declaration":
      return askAttacks(board, base, limits[0], draft, question.fighter);
    case "combat": {
      const tokens = actions.flatMap((action) =>
        action.type === "choose_combat"
          ? (board.combats[action.combat] ?? []).map((id) => [id, { selected: null, action }] as const)
          : [],
      );
      return { ...base, choices, tokens: new Map(tokens), help: smallText("pit.q.combat.help") };
    }
    case "fighter":
    case "target": {
      const tokens = actions.flatMap((action): Array<readonly [number, Draft]> => {
        const piece =
          action.type === "choose_fighter" ? action.fighter : action.type === "choose_target" ? action.target : null;
        return typeof piece === "number" ? [[piece, { selected: null, action }]] : [];
      });
      const { action: chosen } = draft;
      const attacks =
        chosen?.type === "choose_target"
          ? (board.combat?.declared ?? []).filter(({ target }) => target === chosen.target)
          : [];
      return {
        ...base,
        choices,
        tokens: new Map(tokens),
        help: smallText(question.type === "fighter" ? "pit.q.fighter.help" : "pit.q.target.help"),
        outlook: outlookOf(board, board.combat?.fighter ?? null, attacks),
      };
    }
    case "concession":
      return { ...base, choices, help: smallText("pit.q.concession.help") };
    default:
      return { ...base, choices };
  }
}

function askPlace(
  board: Board,
  base: Asked,
  limits: ReadonlyArray<pit.Limits>,
  choices: Asked["choices"],
  draft: Draft,
  type: "engagement" | "movement",
): Asked {
  const tokens = new Map(limits.map(({ fighter }) => [fighter, { selected: fighter, action: null }]));
  const own = limits.find(({ fighter }) => fighter === draft.selected);
  const verb = type === "engagement" ? "engage" : "move";
  const chosen = draft.action?.type === "engage" || draft.action?.type === "move" ? draft.action : null;
  const spots = (own?.cells ?? []).map((cell) => {
    const [x, y] = middle(cell);
    const action: Action = { type: verb, fighter: own?.fighter ?? 0, x: cell.x, y: cell.y };
    return {
      x,
      y,
      label: smallText(`pit.${verb}.spot`, { cell: cellName(cell) }),
      draft: { selected: draft.selected, action },
      isChosen: chosen?.x === cell.x && chosen.y === cell.y,
    };
  });
  const name = own ? nameOf(board, own.fighter) : "";
  return {
    ...base,
    tokens,
    spots,
    choices,
    title: own ? smallText(`pit.${verb}.title`, { name }) : base.title,
    help: own ? smallText("pit.place.help") : limits.length ? smallText("pit.pick.help") : "",
    commit: chosen && own ? { label: smallText(`pit.${verb}.do`, { name }), action: chosen } : null,
  };
}

function askAttacks(board: Board, base: Asked, limits: pit.Limits | undefined, draft: Draft, fighter: number): Asked {
  if (!limits) return base;
  const { targets = [], weapons = [] } = limits;
  const action = (draft.action ?? limits.example) as pit.DeclareAttacks;
  const withAttacks = (attacks: ReadonlyArray<pit.Attack>): Draft => ({
    ...draft,
    action: { type: "declare_attacks", attacks },
  });
  const change = (k: number, part: Partial<pit.Attack>) =>
    withAttacks(action.attacks.map((one, at) => (at === k ? { ...one, ...part } : one)));
  const aimed = [...new Set(action.attacks.map(({ target }) => target))];
  const rows = action.attacks.flatMap((attack, k) => [
    {
      label: smallText("pit.attack", { number: k + 1 }),
      value: String(attack.target),
      values: targets.map((id) => ({ value: String(id), label: nameOf(board, id) })),
      set: (value: string) => change(k, { target: Number(value) }),
    },
    ...(weapons.length > 1
      ? [
          {
            label: smallText("pit.with", { number: k + 1 }),
            value: attack.weapon ?? "",
            values: weapons.map((id) => ({ value: id, label: weaponName(board, id, board.fighters[fighter]) })),
            set: (value: string) => change(k, { weapon: value }),
          },
        ]
      : []),
  ]);
  return {
    ...base,
    rows: rows.filter(({ values }) => values.length > 1),
    title: smallText("pit.declare.title", { name: nameOf(board, fighter) }),
    focus: fighter,
    help: smallText("pit.declare.help", { count: action.attacks.length }),
    tokens: new Map(targets.map((target) => [target, withAttacks(action.attacks.map((one) => ({ ...one, target })))])),
    links: aimed.map((to) => ({
      from: fighter,
      to,
      kind: "attack",
      group: 0,
      ...(aimed.length > 1 ? { text: `${action.attacks.filter(({ target }) => target === to).length}×` } : {}),
    })),
    outlook: outlookOf(board, fighter, action.attacks),
    commit: { label: smallText("pit.declare.do", { name: listed(board, aimed) }), action },
  };
}

/** What attacks need, and how likely they get through and take their targets out; what they win by it is left out. */
function outlookOf(board: Board, fighter: number | null, attacks: ReadonlyArray<pit.Attack>): string[] {
  const own = fighter === null ? undefined : board.fighters[fighter];
  if (!own) return [];
  return [...new Set(attacks.map(({ target }) => target))].flatMap((id) => {
    const [target, name] = [board.fighters[id] as Fighter, nameOf(board, id)];
    if (target.status === "stunned") return [smallText("pit.odds.stunned", { name })];
    const onIt = attacks.filter((one) => one.target === id);
    const blows = [...new Set(onIt.map(({ weapon }) => weapon))].map((weapon) => {
      const blow = blowOf(board, own, target, weapon);
      const hit = smallText(
        blow.mode > 0 ? "pit.odds.hit.higher" : blow.mode < 0 ? "pit.odds.hit.lower" : "pit.odds.hit",
        {
          needed: blow.hitNeeded,
          chance: percent(blow.hit),
        },
      );
      const save =
        blow.saveNeeded === null
          ? smallText("pit.odds.no_save")
          : smallText(target.status === "staggered" ? "pit.odds.save.lower" : "pit.odds.save", {
              needed: blow.saveNeeded,
              chance: percent(blow.save),
            });
      return smallText("pit.odds.blow", {
        count: onIt.filter((one) => one.weapon === weapon).length,
        name,
        weapon: weaponName(board, weapon, own),
        hit,
        save,
      });
    });
    const odds = attackOdds(board, own, target, onIt);
    return [...blows, smallText("pit.odds.total", { name, unsaved: percent(odds.unsaved), out: percent(odds.out) })];
  });
}

function labelOf(board: Board, action: Action): string {
  switch (action.type) {
    case "choose_combat":
      return listed(board, board.combats[action.combat] ?? []);
    case "choose_fighter":
      return nameOf(board, action.fighter);
    case "choose_target":
      return nameOf(board, action.target as number);
    case "concede":
      return smallText(action.concede ? "pit.concede" : "pit.fight_on");
    case "end_phase":
      return smallText(board.phase === "engage" ? "pit.end.engage" : "pit.end.move");
    default:
      return action.type.replaceAll("_", " ");
  }
}

function deed(board: Board, _decision: Decision<pit.Question>, action: Action): string {
  switch (action.type) {
    case "engage":
      return smallText("pit.engage.do", { name: nameOf(board, action.fighter) });
    case "move":
      return smallText("pit.move.do", { name: nameOf(board, action.fighter as number) });
    case "declare_attacks":
      return smallText("pit.declare.do", {
        name: listed(board, [...new Set(action.attacks.map(({ target }) => target))]),
      });
    default:
      return labelOf(board, action);
  }
}

/** What sends an answer, where its name alone does not say what it does. */
function commitOf(board: Board, action: Action): { readonly commit?: string } {
  switch (action.type) {
    case "choose_combat":
      return { commit: smallText("pit.combat.do") };
    case "choose_fighter":
      return { commit: smallText("pit.fighter.do", { name: nameOf(board, action.fighter) }) };
    case "choose_target":
      return { commit: smallText("pit.target.do", { name: nameOf(board, action.target as number) }) };
    default:
      return {};
  }
}

function inspect(board: Board, id: number): Inspected {
  const one = board.fighters[id] as Fighter;
  const profile = profileOf(board, one);
  const arms = (profile.weapons ?? []).map((weapon) => weaponName(board, weapon, one));
  return {
    name: nameOf(board, id),
    kind: smallText(`pit.rank.${profile.rank}`),
    figures: [
      [smallText("pit.stat.movement"), String(profile.movement)],
      [smallText("pit.stat.melee"), `${one.melee}+`],
      [smallText("pit.stat.defence"), one.defence === null || one.defence === undefined ? "–" : `${one.defence}+`],
      [smallText("pit.stat.agility"), String(one.agility)],
      [smallText("pit.stat.morale"), `${one.morale}+`],
      [smallText("pit.stat.attacks"), String(one.attacks)],
      [smallText("pit.stat.wounds"), `${one.wounds}/${one.wound_limit}`],
    ],
    lines: [
      arms.length ? names(arms) : weaponName(board, undefined, one),
      ...(one.status === "ok" ? [] : [smallText(`pit.status.${one.status}`)]),
    ],
  };
}

function sheets(board: Board, events: ReadonlyArray<pit.Event>): Sheet[] {
  const attacks: (pit.DefenceRolled | pit.MeleeRolled)[][] = [];
  for (const event of events) {
    if (event.type === "melee_rolled") attacks.push([event]);
    else if (event.type === "defence_rolled") attacks.at(-1)?.push(event);
  }
  // Of each seat the last: what one has rolled is still there after the turn of a bot.
  const seatOf = ([roll]: ReadonlyArray<pit.DefenceRolled | pit.MeleeRolled>) =>
    roll?.type === "melee_rolled" ? board.fighters[roll.fighter]?.seat : undefined;
  const last = attacks
    .filter((attack, place) => !attacks.slice(place + 1).some((later) => seatOf(later) === seatOf(attack)))
    .flat();
  if (!last.length) return [];
  return [
    {
      title: smallText("pit.rolls"),
      columns: [smallText("pit.roll"), smallText("needed"), smallText("result")],
      rule: last[0]?.reasons[0]?.rule ?? "",
      rows: last.flatMap((event) =>
        (event.checks ?? []).map((check) => [
          `${event.type === "melee_rolled" ? nameOf(board, event.fighter) : nameOf(board, event.target)}: ${check.faces.join("/")}`,
          `${check.needed}+`,
          smallText(
            event.type === "melee_rolled"
              ? check.passed
                ? "pit.hit"
                : "pit.miss"
              : check.passed
                ? "pit.saved"
                : "pit.unsaved",
          ),
        ]),
      ),
    },
  ];
}

function log(board: Board | null, event: pit.Event, { seats }: Context): LogText | null {
  if (!board) return null;
  const name = "fighter" in event && typeof event.fighter === "number" ? nameOf(board, event.fighter) : "";
  const target = "target" in event ? nameOf(board, event.target) : "";
  switch (event.type) {
    case "turn_order_set":
      return {
        text: smallText("log.order", { names: names(event.order.map((seat) => seats[seat] ?? "")) }),
        icon: "list",
      };
    case "turn_began":
      return { text: smallText("log.turn", { name: seats[event.seat] ?? "" }), icon: "flag" };
    case "morale_checked":
      return {
        text: smallText(event.passed ? "pit.log.morale.passed" : "pit.log.morale.failed", {
          name: seats[event.seat] ?? "",
        }),
        icon: "flag",
      };
    case "seat_withdrew":
      return { text: smallText("log.withdrew", { name: seats[event.seat] ?? "" }), icon: "x" };
    case "status_changed":
      return {
        text: smallText("pit.log.status", { name, status: smallText(`pit.status.${event.status}`) }),
        icon: "plus",
      };
    case "fighter_engaged":
      return { text: smallText("pit.log.engaged", { name, names: listed(board, event.targets) }), icon: "sword" };
    case "fighter_moved":
      return { text: smallText("pit.log.moved", { name, cell: cellName(event) }), icon: "rot" };
    case "combat_began":
      return { text: smallText("pit.log.combat", { names: listed(board, event.order) }), icon: "sword" };
    case "slot_lost":
      return { text: smallText("pit.log.slot_lost", { name }), icon: "x" };
    case "attacks_declared":
      return {
        text: smallText("pit.log.attacks", {
          name,
          names: listed(board, [...new Set(event.attacks.map((one) => one.target))]),
          count: event.attacks.length,
        }),
        icon: "target",
      };
    case "melee_rolled":
      return {
        text: smallText("pit.log.melee", {
          name,
          target,
          dice: event.checks.map(({ kept }) => kept).join(", "),
          hits: event.checks.filter(({ passed }) => passed).length,
        }),
        icon: "dice",
      };
    case "defence_rolled":
      return {
        text: event.dice
          ? smallText("pit.log.defence", {
              target,
              dice: (event.checks ?? []).map(({ kept }) => kept).join(", "),
              saved: (event.checks ?? []).filter(({ passed }) => passed).length,
            })
          : smallText("pit.log.defenceless", { target }),
        icon: "fort",
      };
    case "wounds_lost":
      return { text: smallText("pit.log.wounds", { name, count: event.wounds }), icon: "warn" };
    case "fighter_injured":
      return {
        text: smallText("pit.log.status", { name, status: smallText(`pit.status.${event.status}`) }),
        icon: event.status === "incapacitated" ? "skull" : "warn",
      };
    case "improvement_drawn":
      return {
        text: smallText("pit.log.card", { name, card: contentName(event.card).replaceAll("-", " ") }),
        icon: "hand",
      };
    case "fighter_improved":
      // A failed check keeps the old number.
      if (!event.promoted && (!event.stat || (event.dice && event.value === event.needed)))
        return { text: smallText("pit.log.kept", { name }), icon: "x" };
      return { text: smallText("pit.log.improved", { name }), icon: "plus" };
    default:
      return null;
  }
}

export const game: SmallGame<Board, pit.Question, pit.Options, pit.Event> = {
  size: (board) => ({ width: board.width * CELL_MM, height: board.height * CELL_MM, cell: CELL_MM }),
  turn: () => 0,
  show,
  title,
  ask,
  deed,
  inspect,
  sheets,
  log,
  rolls: pitRolls,
  score: () => smallText("pit.score"),
};
