// The board of regiments and its fold. docs/match-state-regiments.md.

import { isSealed } from "./records.js";

const UNIT = { status: "steady", has_charged: false, hit: false };
const BOARD = { contacts: [], waiting: [], round: 0, phase: "orders", withdrawn: [], locks: [], revealed_salts: [] };

const shown = (value) => (isSealed(value) ? { "#": "" } : value);
const sameContact = (one) => (other) => one.charger === other.charger && one.target === other.target;

function makeUnit({ seat, profile, x, y, facing, files, models }, id, profiles) {
  return {
    id,
    seat,
    profile,
    x,
    y,
    facing,
    files,
    models: Array.from({ length: models }, () => profiles[profile].wounds),
    started: models,
    ...UNIT,
  };
}

function makeBoard({ settings, width, height, rounds, profiles, weapons, units, sides }) {
  return {
    settings,
    width,
    height,
    rounds,
    profiles,
    weapons,
    units: units.map((unit, id) => makeUnit(unit, id, profiles)),
    sides,
    ...structuredClone(BOARD),
  };
}

const nothing = () => {};
const hit = (board, { units_hit: units }) => {
  for (const unit of units) board.units[unit].hit = true;
};
const change =
  (...fields) =>
  (board, event) => {
    for (const field of fields) board.units[event.unit][field] = event[field];
  };
const setStatus =
  (status) =>
  (board, { unit }) => {
    board.units[unit].status = status;
  };

const FOLDS = {
  speed_rolled: nothing,
  order_replaced: nothing,
  flank_tested: nothing,
  combats_fixed: nothing,
  combat_scored: nothing,
  break_tested: nothing,
  pursuit_rolled: nothing,
  rout_tested: nothing,
  rally_tested: nothing,
  attacks_rolled: hit,
  hacks_rolled: hit,
  unit_marched: change("x", "y", "facing"),
  unit_pursued: change("x", "y", "facing"),
  unit_reformed: change("files"),
  unit_fled: change("x", "y"),
  unit_redressed: change("models"),
  unit_destroyed: setStatus("destroyed"),
  unit_routed: setStatus("routed"),
  round_began(board, { round }) {
    board.round = round;
  },
  phase_began(board, { phase }) {
    board.phase = phase;
  },
  turn_order_set(board, { order }) {
    board.waiting = order;
  },
  orders_locked(board, { seat, orders, salt }) {
    board.locks.push({ seat, orders: shown(orders), salt: shown(salt) });
  },
  orders_revealed(board, { locks }) {
    board.locks = [];
    board.revealed_salts.push(...locks.map(({ salt }) => salt));
  },
  unit_acted(board, { unit }) {
    board.waiting = board.waiting.filter((one) => one !== unit);
  },
  unit_charged(board, { unit, target, x, y, facing }) {
    Object.assign(board.units[unit], { x, y, facing, has_charged: true });
    board.contacts.push({ charger: unit, target });
  },
  models_wounded(board, { unit, models }) {
    for (const { model, wounds } of models) board.units[unit].models[model] = wounds;
  },
  contacts_ended(board, { contacts }) {
    board.contacts = board.contacts.filter((one) => !contacts.some(sameContact(one)));
  },
  flight_began(board, { unit, facing }) {
    Object.assign(board.units[unit], { status: "fleeing", facing });
  },
  unit_rallied(board, { unit, facing }) {
    Object.assign(board.units[unit], { status: "steady", facing });
  },
  round_ended(board) {
    for (const unit of board.units) Object.assign(unit, { has_charged: false, hit: false });
  },
  seat_withdrew(board, { seat, units }) {
    for (const unit of units) board.units[unit].status = "withdrawn";
    board.withdrawn.push(seat);
  },
};

/** The folds of the board, its defaults, and those of its parts. */
export const REGIMENTS = { makeBoard, folds: FOLDS, defaults: BOARD, parts: { units: UNIT }, plainParts: () => ({}) };
