// The board of close quarters and its fold. docs/match-state-close-quarters.md.

const UNIT = { markers: 0, hit_counter: 0, is_doubled: false, has_fallen_back: false, has_acted: false };
const MODEL = { is_leader: false, status: "standing" };
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
const LOSS = { picked: [], is_attacker_done: false };
const BOARD = { order: [], turn: 0, phase: "action", active_unit: null, combat: null, withdrawn: [], barricade: null };

const without = (array, gone) => array.filter((item) => item !== gone);
const numerically = (one, other) => one - other;

// Fields stand in the order of the page, so that a state is the same text everywhere.
function makeBoard({ type, settings, barricade = null, units, models, ...figures }) {
  return {
    ...figures,
    units: units.map((unit, id) => ({ id, ...unit, ...UNIT })),
    models: models.map(({ unit, x, y, ...model }, id) => ({ id, unit, x, y, ...MODEL, ...model })),
    ...structuredClone(BOARD),
    barricade,
  };
}

function move(board, moves) {
  for (const { model, x, y } of moves) Object.assign(board.models[model], { x, y });
}

function finishUnit({ combat }, unit) {
  if (!combat) return;
  combat.waiting = without(combat.waiting, unit);
  if (combat.unit === unit) combat.unit = null;
}

function leaveCombat(board, unit) {
  const { combat } = board;
  if (!combat) return;
  combat.units = without(combat.units, unit);
  if (combat.loss?.unit === unit) combat.loss = null;
  finishUnit(board, unit);
}

function takeOff(board, models, status) {
  for (const model of models) board.models[model].status = status;
  const isStanding = (unit) => board.models.some((model) => model.unit === unit && model.status === "standing");
  for (const unit of board.combat?.units ?? []) if (!isStanding(unit)) leaveCombat(board, unit);
}

const nothing = () => {};
const finish = (board, { unit }) => finishUnit(board, unit);

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
    Object.assign(board, { turn, phase: "action", active_unit: null, combat: null });
    for (const unit of board.units) {
      Object.assign(unit, { has_acted: false, has_fallen_back: false });
      if (unit.side === side) unit.is_doubled = false;
    }
  },
  phase_began(board, { phase, units = [] }) {
    Object.assign(board, { phase, active_unit: null });
    if (board.combat) Object.assign(board.combat, { waiting: units, unit: null });
  },
  unit_activated(board, { unit }) {
    board.active_unit = unit;
  },
  markers_changed(board, { unit, markers }) {
    board.units[unit].markers = markers;
  },
  unit_held(board, { unit }) {
    board.units[unit].has_acted = true;
    board.active_unit = null;
  },
  unit_moved(board, { unit, moves, is_doubled = false }) {
    move(board, moves);
    Object.assign(board.units[unit], { has_acted: true, is_doubled });
    board.active_unit = null;
  },
  unit_fell_back(board, { unit, moves, models_lost = [] }) {
    move(board, moves);
    takeOff(board, models_lost, "lost");
    Object.assign(board.units[unit], { has_acted: true, has_fallen_back: true });
    board.active_unit = null;
    leaveCombat(board, unit);
  },
  combat_began(board, { attacker, units }) {
    board.combat = { attacker, units, ...structuredClone(COMBAT) };
  },
  units_joined_combat({ combat }, { units }) {
    combat.units = [...combat.units, ...units].sort(numerically);
  },
  shots_fired({ combat }, { unit, targets = [] }) {
    Object.assign(combat, { step: "melee", source: unit, is_melee: false, pending: targets });
  },
  weapon_chosen({ combat }, { model, weapon }) {
    combat.weapons.push({ model, weapon });
  },
  melee_rolled({ combat }, { unit, targets = [], pools = [] }) {
    Object.assign(combat, { step: "consolidate", source: unit, is_melee: true, pending: targets, pools });
  },
  hits_split({ combat }, { targets }) {
    combat.pending = targets;
    combat.pools = combat.pools.slice(1);
  },
  hits_counted(board, { unit, hit_counter, markers }) {
    Object.assign(board.units[unit], { hit_counter, markers });
    board.combat.pending = board.combat.pending.filter((hits) => hits.unit !== unit);
  },
  allocation_rolled({ combat }, { unit, casualties, eligible, sixes }) {
    combat.loss = { unit, casualties, eligible, sixes, ...structuredClone(LOSS), is_attacker_done: sixes === 0 };
  },
  casualties_picked({ combat: { loss } }, { models }) {
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
    board.combat = { attacker, units: board.combat.units, ...structuredClone(COMBAT), cycle, waiting: units };
  },
  unit_chosen({ combat }, { unit }) {
    Object.assign(combat, { unit, step: "shoot", waiting: without(combat.waiting, unit), weapons: [] });
  },
  combat_ended(board) {
    board.combat = null;
  },
  seat_withdrew(board, { seat, to_seat }) {
    for (const unit of board.units) if (unit.seat === seat) unit.seat = to_seat;
    board.withdrawn.push(seat);
  },
};

/** The folds of the board, its defaults, and those of its parts. */
export const CLOSE_QUARTERS = {
  makeBoard,
  folds: FOLDS,
  defaults: BOARD,
  parts: { units: UNIT, models: MODEL },
  plainParts: ({ combat }, lean) => ({
    combat: combat && lean({ ...combat, loss: combat.loss ? lean(combat.loss, LOSS) : null }, COMBAT),
  }),
};
