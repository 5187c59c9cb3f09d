// The board of regiments and its fold. docs/match-state-regiments.md.

import {
  allInOrder,
  allWithout,
  change,
  cloned,
  existing,
  inOrder,
  makeFold,
  nothing,
  shown,
  withoutDefaults,
} from "./folding.js";

/** @import { regiments } from "../../protocol/types" */
/** @import { BoardFolds, BoardRules, MatchStartedOf, RegimentState, RegimentsBoardState } from "./states" */

/** @type {Pick<RegimentState, "has_charged" | "hit" | "status">} */
const UNIT = { status: "steady", has_charged: false, hit: false };
/** @typedef {"height" | "profiles" | "rounds" | "settings" | "sides" | "units" | "weapons" | "width"} Printed */
/** @type {Omit<RegimentsBoardState, Printed>} */
const BOARD = {
  contacts: [],
  waiting: [],
  round: 0,
  phase: "orders",
  withdrawn: [],
  locks: [],
  revealed_salts: [],
  obstacles: [],
  task: null,
};

/** @type {(board: RegimentsBoardState, id: number) => RegimentState} */
const unitOf = (board, id) => existing(board.units, id, "unit");
/** @type {(one: regiments.Contact) => (other: regiments.Contact) => boolean} */
const sameContact = (one) => (other) => one.charger === other.charger && one.target === other.target;

/**
 * @param {regiments.StartingUnit} starting
 * @param {number} id
 * @param {ReadonlyArray<regiments.UnitProfile>} profiles
 * @returns {RegimentState}
 */
function makeUnit({ seat, profile, x, y, facing, files, models }, id, profiles) {
  const { wounds } = existing(profiles, profile, "profile");
  return {
    id,
    seat,
    profile,
    x,
    y,
    facing,
    files,
    models: Array.from({ length: models }, () => wounds),
    started: models,
    ...UNIT,
  };
}

/**
 * @param {MatchStartedOf<"regiments">} event
 * @returns {RegimentsBoardState}
 */
function makeBoard({ settings, width, height, rounds, profiles, weapons, units, sides, obstacles = [], task }) {
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
    obstacles,
    task: task ?? null,
  };
}

/** @type {(board: RegimentsBoardState, event: { readonly units_hit: ReadonlyArray<number> }) => void} */
const hit = (board, { units_hit: units }) => {
  for (const unit of units) unitOf(board, unit).hit = true;
};
/** @type {(board: RegimentsBoardState, event: { readonly unit: number } & Pick<RegimentState, "facing" | "x" | "y">) => void} */
const place = (board, { unit, x, y, facing }) => change(unitOf(board, unit), { x, y, facing });
/** @type {(status: RegimentState["status"]) => (board: RegimentsBoardState, event: { readonly unit: number }) => void} */
const setStatus =
  (status) =>
  (board, { unit }) => {
    unitOf(board, unit).status = status;
  };

/** @type {BoardFolds<"regiments">} */
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
  unit_marched: place,
  unit_pursued: place,
  unit_reformed: (board, { unit, files }) => change(unitOf(board, unit), { files }),
  unit_fled: (board, { unit, x, y }) => change(unitOf(board, unit), { x, y }),
  unit_redressed: (board, { unit, models }) => change(unitOf(board, unit), { models }),
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
    board.locks = [...board.locks, { seat, orders: shown(orders), salt: shown(salt) }];
  },
  orders_revealed(board, { locks }) {
    board.locks = [];
    board.revealed_salts = [...board.revealed_salts, ...locks.map(({ salt }) => salt)];
  },
  unit_acted(board, { unit }) {
    board.waiting = board.waiting.filter((one) => one !== unit);
  },
  unit_charged(board, { unit, target, x, y, facing }) {
    change(unitOf(board, unit), { x, y, facing, has_charged: true });
    board.contacts = [...board.contacts, { charger: unit, target }];
  },
  models_wounded(board, { unit: id, models }) {
    const unit = unitOf(board, id);
    const wounds = [...unit.models];
    for (const wounded of models) wounds[wounded.model] = wounded.wounds;
    unit.models = wounds;
  },
  contacts_ended(board, { contacts }) {
    board.contacts = board.contacts.filter((one) => !contacts.some(sameContact(one)));
  },
  flight_began(board, { unit, facing }) {
    change(unitOf(board, unit), { status: "fleeing", facing });
  },
  unit_rallied(board, { unit, facing }) {
    change(unitOf(board, unit), { status: "steady", facing });
  },
  round_ended(board) {
    for (const unit of board.units) change(unit, { has_charged: false, hit: false });
  },
  seat_withdrew(board, { seat, units }) {
    for (const unit of units) unitOf(board, unit).status = "withdrawn";
    board.withdrawn = [...board.withdrawn, seat];
  },
};

/** @type {BoardRules<"regiments">} */
export const REGIMENTS = {
  fold: makeFold(makeBoard, FOLDS, cloned),
  copy: cloned,
  plain: (board) => withoutDefaults({ ...board, units: allWithout(board.units, UNIT) }, BOARD),
  full: (plain) => ({ ...inOrder(plain, BOARD), units: allInOrder(plain.units, UNIT) }),
};
