// The board of the pit and its fold. docs/match-state-pit.md.

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
  without,
  withoutDefaults,
} from "./folding.js";

/** @import { pit } from "../../protocol/types" */
/** @import { BoardFolds, BoardRules, MatchStartedOf, PitBoardState, PitCombatState, PitFighterState } from "./states" */

/** @type {Pick<PitFighterState, "defence" | "has_acted" | "has_engaged" | "new_wounds" | "promoted" | "status">} */
const FIGHTER = { defence: null, new_wounds: 0, status: "ok", promoted: false, has_engaged: false, has_acted: false };
const SEAT = { losses: 0, withdrawn: false };
/** @type {Pick<PitCombatState, "declared" | "fighter">} */
const COMBAT = { fighter: null, declared: [] };
/** @typedef {"cards_left" | "deck" | "fighters" | "height" | "profiles" | "rounds" | "seats" | "weapons" | "width"} Printed */
/** @type {Omit<PitBoardState, Printed>} */
const BOARD = {
  order: [],
  round: 0,
  active_seat: null,
  phase: "upkeep",
  is_first_turn: true,
  may_concede: false,
  combats: [],
  fought: [],
  combat: null,
  walls: [],
  task: null,
};
/** @type {ReadonlySet<PitFighterState["status"]>} */
const ON_THE_FIELD = new Set(["ok", "staggered", "dazed", "stunned"]);

/** @type {(board: PitBoardState, id: number) => PitFighterState} */
const fighterOf = (board, id) => existing(board.fighters, id, "fighter");
/** @type {(board: PitBoardState, seat: number) => PitBoardState["seats"][number]} */
const seatOf = (board, seat) => existing(board.seats, seat, "seat");
/** @type {(board: PitBoardState) => PitCombatState} */
const combatOf = ({ combat }) => present(combat, "combat");
/** @type {(deck: ReadonlyArray<pit.ImprovementCard>) => number[]} */
const copiesOf = (deck) => deck.map(({ copies }) => copies);

/**
 * @param {pit.StartingFighter} starting
 * @param {number} id
 * @param {ReadonlyArray<pit.FighterProfile>} profiles
 * @returns {PitFighterState}
 */
function makeFighter({ seat, profile, x, y }, id, profiles) {
  const figures = existing(profiles, profile, "profile");
  const { wounds, melee, agility, morale, attacks, injury = 0, pierce = 0, defence = null } = figures;
  return {
    id,
    seat,
    profile,
    x,
    y,
    wounds,
    melee,
    agility,
    morale,
    attacks,
    wound_limit: wounds,
    injury,
    pierce,
    ...FIGHTER,
    defence,
  };
}

/**
 * @param {MatchStartedOf<"pit">} event
 * @returns {PitBoardState}
 */
function makeBoard({
  width,
  height,
  rounds,
  profiles,
  weapons,
  deck,
  fighters,
  rout_losses: losses,
  walls = [],
  task,
}) {
  return {
    width,
    height,
    rounds,
    profiles,
    weapons,
    deck,
    fighters: fighters.map((fighter, id) => makeFighter(fighter, id, profiles)),
    seats: losses.map((rout_losses) => ({ rout_losses, ...SEAT })),
    cards_left: copiesOf(deck),
    ...structuredClone(BOARD),
    walls,
    task: task ?? null,
  };
}

/**
 * @param {PitBoardState} board
 * @param {number} seat
 */
function withdraw(board, seat) {
  for (const fighter of board.fighters) {
    if (fighter.seat === seat && ON_THE_FIELD.has(fighter.status)) fighter.status = "withdrawn";
  }
  seatOf(board, seat).withdrawn = true;
  const { combat } = board;
  if (combat === null || combat.fighter === null) return;
  /** @param {number} id */
  const isThere = (id) => ON_THE_FIELD.has(fighterOf(board, id).status);
  if (!isThere(combat.fighter)) {
    change(combat, { fighter: null, declared: [] });
    return;
  }
  const left = combat.declared.filter(({ target }) => isThere(target));
  if (combat.declared.length && !left.length) combat.fighter = null;
  combat.declared = left;
}

/** @type {BoardFolds<"pit">} */
const FOLDS = {
  turn_order_rolled: nothing,
  agility_rolled: nothing,
  melee_rolled: nothing,
  defence_rolled: nothing,
  hits_dropped: nothing,
  turn_order_set(board, { order }) {
    board.order = order;
  },
  round_began(board, { round }) {
    board.round = round;
  },
  turn_began(board, { seat }) {
    change(board, {
      active_seat: seat,
      phase: "upkeep",
      is_first_turn: board.round === 1 && seat === board.order[0],
      may_concede: false,
      combats: [],
      fought: [],
      combat: null,
    });
    for (const fighter of board.fighters) change(fighter, { has_engaged: false, has_acted: false });
  },
  phase_began(board, { phase }) {
    change(board, { phase, may_concede: false });
  },
  morale_checked(board, { passed }) {
    board.may_concede = passed;
  },
  seat_withdrew(board, { seat }) {
    withdraw(board, seat);
  },
  status_changed(board, { fighter, status }) {
    fighterOf(board, fighter).status = status;
  },
  fighter_engaged(board, { fighter, x, y }) {
    change(fighterOf(board, fighter), { x, y, has_engaged: true, has_acted: true });
  },
  fighter_moved(board, { fighter, x, y }) {
    change(fighterOf(board, fighter), { x, y, has_acted: true });
  },
  combats_fixed(board, { combats }) {
    change(board, { combats, fought: [] });
  },
  combat_began(board, { combat, order }) {
    board.combat = { id: combat, waiting: order, ...structuredClone(COMBAT) };
  },
  slot_lost(board, { fighter }) {
    const combat = combatOf(board);
    combat.waiting = without(combat.waiting, fighter);
    if (combat.fighter === fighter) combat.fighter = null;
  },
  slot_taken(board, { fighter }) {
    const combat = combatOf(board);
    change(combat, { waiting: without(combat.waiting, fighter), fighter });
  },
  attacks_declared(board, { attacks }) {
    const combat = combatOf(board);
    combat.declared = attacks;
  },
  wounds_lost(board, { fighter, wounds }) {
    fighterOf(board, fighter).wounds = wounds;
  },
  fighter_injured(board, { fighter: id, status }) {
    const fighter = fighterOf(board, id);
    if (status === "incapacitated" && fighter.status !== "incapacitated") seatOf(board, fighter.seat).losses += 1;
    fighter.status = status;
  },
  target_resolved(board, { target }) {
    const combat = combatOf(board);
    combat.declared = combat.declared.filter((attack) => attack.target !== target);
    if (!combat.declared.length) combat.fighter = null;
  },
  improvement_drawn(board, { card, reshuffled = false }) {
    if (reshuffled) board.cards_left = copiesOf(board.deck);
    const place = board.deck.findIndex(({ id }) => id === card);
    board.cards_left = board.cards_left.map((left, k) => (k === place ? left - 1 : left));
  },
  fighter_improved(board, { fighter: id, stat, value, promoted = false }) {
    const fighter = fighterOf(board, id);
    if (stat === undefined || value === undefined) fighter.promoted = fighter.promoted || promoted;
    else if (stat === "wounds") {
      fighter.new_wounds += value - fighter.wound_limit;
      fighter.wound_limit = value;
    } else fighter[stat] = value;
  },
  wounds_gained(board, { fighter, wounds }) {
    change(fighterOf(board, fighter), { wounds, new_wounds: 0 });
  },
  combat_ended(board, { combat }) {
    board.combat = null;
    board.fought = [...board.fought, combat];
  },
};

/** @type {BoardRules<"pit">} */
export const PIT = {
  fold: makeFold(makeBoard, FOLDS, cloned),
  copy: cloned,
  plain: (board) =>
    withoutDefaults(
      {
        ...board,
        fighters: allWithout(board.fighters, FIGHTER),
        seats: allWithout(board.seats, SEAT),
        combat: board.combat && withoutDefaults(board.combat, COMBAT),
      },
      BOARD,
    ),
  full: (plain) => ({
    ...inOrder(plain, BOARD),
    fighters: allInOrder(plain.fighters, FIGHTER),
    seats: allInOrder(plain.seats, SEAT),
    combat: plain.combat ? inOrder(plain.combat, COMBAT) : null,
  }),
};
