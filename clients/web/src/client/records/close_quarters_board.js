// The board of close quarters and its fold. docs/match-state-close-quarters.md.

import {
  allInOrder,
  allWithout,
  present,
  change,
  cloned,
  existing,
  inOrder,
  makeFold,
  nothing,
  numerically,
  without,
  withoutDefaults,
} from "./folding.js";

/** @import { close_quarters } from "../../protocol/types" */
/** @import { BoardFolds, BoardRules, LossState, MatchStartedOf, ModelState, SquadBoardState, SquadCombatState, SquadState } from "./states" */

const UNIT = { markers: 0, hit_counter: 0, is_doubled: false, has_fallen_back: false, has_acted: false };
/** @type {Pick<ModelState, "is_leader" | "status">} */
const MODEL = { is_leader: false, status: "standing" };
/** @type {Omit<SquadCombatState, "attacker" | "units">} */
const COMBAT = {
  cycle: 0,
  waiting: [],
  unit: null,
  step: "shoot",
  weapons: [],
  source: null,
  is_melee: false,
  pools: [],
  pending: [],
  loss: null,
};
/** @type {Pick<LossState, "is_attacker_done" | "picked">} */
const LOSS = { picked: [], is_attacker_done: false };
/** @typedef {"height" | "melee_weapons" | "models" | "profiles" | "ranged_weapons" | "sides" | "turns" | "units" | "width"} Printed */
/** @type {Omit<SquadBoardState, Printed>} */
const BOARD = {
  order: [],
  turn: 0,
  phase: "action",
  active_unit: null,
  combat: null,
  withdrawn: [],
  barricade: null,
  high_ground: [],
  task: null,
  slow_start: false,
};

/** @type {(board: SquadBoardState, id: number) => SquadState} */
const unitOf = (board, id) => existing(board.units, id, "unit");
/** @type {(board: SquadBoardState, id: number) => ModelState} */
const modelOf = (board, id) => existing(board.models, id, "model");
/** @type {(board: SquadBoardState) => SquadCombatState} */
const combatOf = ({ combat }) => present(combat, "combat");

/**
 * Fields stand in the order of the page, so that a state is the same text everywhere.
 *
 * @param {MatchStartedOf<"close_quarters">} event
 * @returns {SquadBoardState}
 */
function makeBoard({
  type,
  settings,
  barricade,
  high_ground = [],
  task,
  slow_start = false,
  units,
  models,
  ...figures
}) {
  return {
    ...figures,
    units: units.map((unit, id) => ({ id, ...unit, ...UNIT })),
    models: models.map(({ unit, x, y, ...model }, id) => ({ id, unit, x, y, ...MODEL, ...model })),
    ...structuredClone(BOARD),
    barricade: barricade ?? null,
    high_ground,
    task: task ?? null,
    slow_start,
  };
}

/**
 * @param {SquadBoardState} board
 * @param {ReadonlyArray<close_quarters.ModelMove>} moves
 */
function move(board, moves) {
  for (const { model, x, y } of moves) change(modelOf(board, model), { x, y });
}

/**
 * @param {SquadBoardState} board
 * @param {number} unit
 */
function finishUnit({ combat }, unit) {
  if (!combat) return;
  combat.waiting = without(combat.waiting, unit);
  if (combat.unit === unit) combat.unit = null;
}

/**
 * @param {SquadBoardState} board
 * @param {number} unit
 */
function leaveCombat(board, unit) {
  const { combat } = board;
  if (!combat) return;
  combat.units = without(combat.units, unit);
  if (combat.loss?.unit === unit) combat.loss = null;
  finishUnit(board, unit);
}

/**
 * @param {SquadBoardState} board
 * @param {ReadonlyArray<number>} models
 * @param {ModelState["status"]} status
 */
function takeOff(board, models, status) {
  for (const model of models) modelOf(board, model).status = status;
  /** @param {number} unit */
  const isStanding = (unit) => board.models.some((model) => model.unit === unit && model.status === "standing");
  for (const unit of board.combat?.units ?? []) if (!isStanding(unit)) leaveCombat(board, unit);
}

/** @type {(board: SquadBoardState, event: { readonly unit: number }) => void} */
const finish = (board, { unit }) => finishUnit(board, unit);

/** @type {BoardFolds<"close_quarters">} */
const FOLDS = {
  turn_order_rolled: nothing,
  leadership_tested: nothing,
  saves_rolled: nothing,
  kills_rolled: nothing,
  defensive_fire_declared: finish,
  defensive_fire_lost: finish,
  turn_order_set(board, { order }) {
    board.order = order;
  },
  turn_began(board, { side, turn }) {
    change(board, { turn, phase: "action", active_unit: null, combat: null });
    for (const unit of board.units) {
      change(unit, { has_acted: false, has_fallen_back: false });
      if (unit.side === side) unit.is_doubled = false;
    }
  },
  phase_began(board, { phase, units = [] }) {
    change(board, { phase, active_unit: null });
    if (board.combat) change(board.combat, { waiting: units, unit: null });
  },
  unit_activated(board, { unit }) {
    board.active_unit = unit;
  },
  markers_changed(board, { unit, markers }) {
    unitOf(board, unit).markers = markers;
  },
  unit_held(board, { unit }) {
    unitOf(board, unit).has_acted = true;
    board.active_unit = null;
  },
  unit_moved(board, { unit, moves, is_doubled = false }) {
    move(board, moves);
    change(unitOf(board, unit), { has_acted: true, is_doubled });
    board.active_unit = null;
  },
  unit_fell_back(board, { unit, moves, models_lost = [] }) {
    move(board, moves);
    takeOff(board, models_lost, "lost");
    change(unitOf(board, unit), { has_acted: true, has_fallen_back: true });
    board.active_unit = null;
    leaveCombat(board, unit);
  },
  combat_began(board, { attacker, units }) {
    board.combat = { attacker, units, ...structuredClone(COMBAT) };
  },
  units_joined_combat(board, { units }) {
    const combat = combatOf(board);
    combat.units = [...combat.units, ...units].sort(numerically);
  },
  shots_fired(board, { unit, targets = [] }) {
    const combat = combatOf(board);
    change(combat, { step: "melee", source: unit, is_melee: false, pending: targets });
  },
  weapon_chosen(board, { model, weapon }) {
    const combat = combatOf(board);
    combat.weapons = [...combat.weapons, { model, weapon }];
  },
  melee_rolled(board, { unit, targets = [], pools = [] }) {
    const combat = combatOf(board);
    change(combat, { step: "consolidate", source: unit, is_melee: true, pending: targets, pools });
  },
  hits_split(board, { targets }) {
    const combat = combatOf(board);
    combat.pending = targets;
    combat.pools = combat.pools.slice(1);
  },
  hits_counted(board, { unit, hit_counter, markers }) {
    change(unitOf(board, unit), { hit_counter, markers });
    const combat = combatOf(board);
    combat.pending = combat.pending.filter((hits) => hits.unit !== unit);
  },
  allocation_rolled(board, { unit, casualties, eligible, sixes }) {
    const combat = combatOf(board);
    combat.loss = { unit, casualties, eligible, sixes, ...structuredClone(LOSS), is_attacker_done: sixes === 0 };
  },
  casualties_picked(board, { models }) {
    const loss = present(combatOf(board).loss, "loss");
    loss.picked = [...loss.picked, ...models];
    loss.is_attacker_done = true;
  },
  models_removed(board, { unit, models, reason_kind }) {
    takeOff(board, models, reason_kind);
    if (board.combat?.loss?.unit === unit) board.combat.loss = null;
  },
  unit_consolidated(board, { unit, moves }) {
    move(board, moves);
    finishUnit(board, unit);
  },
  cycle_began(board, { cycle, attacker, units }) {
    board.phase = "cycle";
    board.combat = { attacker, units: combatOf(board).units, ...structuredClone(COMBAT), cycle, waiting: units };
  },
  unit_chosen(board, { unit }) {
    const combat = combatOf(board);
    change(combat, { unit, step: "shoot", waiting: without(combat.waiting, unit), weapons: [] });
  },
  combat_ended(board) {
    board.combat = null;
  },
  seat_withdrew(board, { seat, to_seat }) {
    for (const unit of board.units) if (unit.seat === seat) unit.seat = to_seat;
    board.withdrawn = [...board.withdrawn, seat];
  },
};

/** @type {BoardRules<"close_quarters">} */
export const CLOSE_QUARTERS = {
  fold: makeFold(makeBoard, FOLDS, cloned),
  copy: cloned,
  plain: (board) =>
    withoutDefaults(
      {
        ...board,
        units: allWithout(board.units, UNIT),
        models: allWithout(board.models, MODEL),
        combat: board.combat && plainCombat(board.combat),
      },
      BOARD,
    ),
  full: (plain) => ({
    ...inOrder(plain, BOARD),
    units: allInOrder(plain.units, UNIT),
    models: allInOrder(plain.models, MODEL),
    combat: plain.combat ? fullCombat(plain.combat) : null,
  }),
};

/** @param {SquadCombatState} combat */
function plainCombat(combat) {
  return withoutDefaults({ ...combat, loss: combat.loss && withoutDefaults(combat.loss, LOSS) }, COMBAT);
}

/**
 * @param {close_quarters.CombatState} combat
 * @returns {SquadCombatState}
 */
function fullCombat(combat) {
  return { ...inOrder(combat, COMBAT), loss: combat.loss ? inOrder(combat.loss, LOSS) : null };
}
