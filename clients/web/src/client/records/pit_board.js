// The board of the pit and its fold. docs/match-state-pit.md.

const FIGHTER = { defence: null, new_wounds: 0, status: "ok", promoted: false, has_engaged: false, has_acted: false };
const SEAT = { losses: 0, withdrawn: false };
const COMBAT = { fighter: null, declared: [] };
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
};
const ON_THE_FIELD = new Set(["ok", "staggered", "dazed", "stunned"]);

const without = (array, gone) => array.filter((item) => item !== gone);
const copiesOf = (deck) => deck.map(({ copies }) => copies);

function makeFighter({ seat, profile, x, y }, id, profiles) {
  const { wounds, melee, agility, morale, attacks, injury = 0, pierce = 0, defence = null } = profiles[profile];
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

function makeBoard({ width, height, rounds, profiles, weapons, deck, fighters, rout_losses: losses }) {
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
  };
}

function withdraw(board, seat) {
  for (const fighter of board.fighters) {
    if (fighter.seat === seat && ON_THE_FIELD.has(fighter.status)) fighter.status = "withdrawn";
  }
  board.seats[seat].withdrawn = true;
  const { combat } = board;
  if (combat === null || combat.fighter === null) return;
  const isThere = (id) => ON_THE_FIELD.has(board.fighters[id].status);
  if (!isThere(combat.fighter)) {
    Object.assign(combat, { fighter: null, declared: [] });
    return;
  }
  const left = combat.declared.filter(({ target }) => isThere(target));
  if (combat.declared.length && !left.length) combat.fighter = null;
  combat.declared = left;
}

const nothing = () => {};

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
    Object.assign(board, {
      active_seat: seat,
      phase: "upkeep",
      is_first_turn: board.round === 1 && seat === board.order[0],
      may_concede: false,
      combats: [],
      fought: [],
      combat: null,
    });
    for (const fighter of board.fighters) Object.assign(fighter, { has_engaged: false, has_acted: false });
  },
  phase_began(board, { phase }) {
    Object.assign(board, { phase, may_concede: false });
  },
  morale_checked(board, { passed }) {
    board.may_concede = passed;
  },
  seat_withdrew(board, { seat }) {
    withdraw(board, seat);
  },
  status_changed(board, { fighter, status }) {
    board.fighters[fighter].status = status;
  },
  fighter_engaged(board, { fighter, x, y }) {
    Object.assign(board.fighters[fighter], { x, y, has_engaged: true, has_acted: true });
  },
  fighter_moved(board, { fighter, x, y }) {
    Object.assign(board.fighters[fighter], { x, y, has_acted: true });
  },
  combats_fixed(board, { combats }) {
    Object.assign(board, { combats, fought: [] });
  },
  combat_began(board, { combat, order }) {
    board.combat = { id: combat, waiting: order, ...structuredClone(COMBAT) };
  },
  slot_lost({ combat }, { fighter }) {
    combat.waiting = without(combat.waiting, fighter);
    if (combat.fighter === fighter) combat.fighter = null;
  },
  slot_taken({ combat }, { fighter }) {
    Object.assign(combat, { waiting: without(combat.waiting, fighter), fighter });
  },
  attacks_declared({ combat }, { attacks }) {
    combat.declared = attacks;
  },
  wounds_lost(board, { fighter, wounds }) {
    board.fighters[fighter].wounds = wounds;
  },
  fighter_injured(board, { fighter: id, status }) {
    const fighter = board.fighters[id];
    if (status === "incapacitated" && fighter.status !== "incapacitated") board.seats[fighter.seat].losses += 1;
    fighter.status = status;
  },
  target_resolved({ combat }, { target }) {
    combat.declared = combat.declared.filter((attack) => attack.target !== target);
    if (!combat.declared.length) combat.fighter = null;
  },
  improvement_drawn(board, { card, reshuffled = false }) {
    if (reshuffled) board.cards_left = copiesOf(board.deck);
    const place = board.deck.findIndex(({ id }) => id === card);
    board.cards_left = board.cards_left.map((left, k) => (k === place ? left - 1 : left));
  },
  fighter_improved(board, { fighter: id, stat, value, promoted = false }) {
    const fighter = board.fighters[id];
    if (stat === undefined) fighter.promoted = fighter.promoted || promoted;
    else if (stat === "wounds") {
      fighter.new_wounds += value - fighter.wound_limit;
      fighter.wound_limit = value;
    } else fighter[stat] = value;
  },
  wounds_gained(board, { fighter, wounds }) {
    Object.assign(board.fighters[fighter], { wounds, new_wounds: 0 });
  },
  combat_ended(board, { combat }) {
    board.combat = null;
    board.fought = [...board.fought, combat];
  },
};

/** The folds of the board, its defaults, and those of its parts. */
export const PIT = {
  makeBoard,
  folds: FOLDS,
  defaults: BOARD,
  parts: { fighters: FIGHTER, seats: SEAT },
  plainParts: (board, lean) => ({ combat: board.combat && lean(board.combat, COMBAT) }),
};
