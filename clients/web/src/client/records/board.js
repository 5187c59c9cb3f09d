// The board of Diskwars and its fold. docs/match-state.md, "Board of Diskwars".

import {
  allWithout,
  change,
  existing,
  makeFold,
  nothing,
  numerically,
  shown,
  withDefaults,
  withoutDefaults,
} from "./folding.js";

/** @import { diskwars } from "../../protocol/types" */
/** @import { BoardFolds, BoardRules, BoardState, DiskState, EngagementState, LayoutState, MatchStartedOf, SideState } from "./states" */

/** @type {Omit<DiskState, "id" | "profile" | "seat">} */
const DISK = {
  place: "reserve",
  x: 0,
  y: 0,
  z: 0,
  damage: 0,
  wounds: 0,
  activated: false,
  empowered: false,
  weakened: 0,
  poisoned: false,
  terrain: [],
};
/** @type {LayoutState} */
const LAYOUT = {
  scenarios: [],
  deployments: [],
  terrain: [],
  edges: [],
  active_scenario: null,
  offered_cards: [],
  laid_cards: [],
};
/** @satisfies {Partial<SideState>} */
const HIDDEN_CARDS = { has_locked: false, locked_card: null, locked_salt: null };

/** @type {Omit<SideState, "seat">} */
const SIDE = {
  hand: null,
  card_count: 0,
  has_locked: false,
  locked_card: null,
  locked_salt: null,
  revealed_card: null,
  discards: [],
  eliminated: false,
  points: 0,
  army: null,
  drawn_scenarios: null,
  objective: null,
  objective_revealed: false,
};
/**
 * @typedef {Exclude<keyof BoardState, PrintedField>} BoardDefault
 * @typedef {"settings" | "field" | "battle_die" | "profiles" | "cards" | "zones" | "rounds" | "disks" | "sides" | "layout"} PrintedField
 */
/** @type {Pick<BoardState, BoardDefault>} */
const BOARD = {
  pins: [],
  order: [],
  round: 0,
  phase: "setup",
  top_z: 0,
  active_seat: null,
  active_disk: null,
  engagements: [],
  active_engagement: null,
  cursor: "",
  terrain: [],
  revealed_salts: [],
};

/** @type {ReadonlyArray<PrintedField>} */
const PRINTED = ["settings", "field", "battle_die", "profiles", "cards", "zones", "rounds", "disks", "sides", "layout"];

/** @type {(one: diskwars.Pin, other: diskwars.Pin) => number} */
const pairwise = (one, other) => one.top - other.top || one.bottom - other.bottom;
/** @type {(one: diskwars.Pin) => (other: diskwars.Pin) => boolean} */
const samePin = (one) => (other) => one.top === other.top && one.bottom === other.bottom;

/**
 * @param {BoardState} board
 * @param {{ readonly pins_gained?: ReadonlyArray<diskwars.Pin>, readonly pins_lost?: ReadonlyArray<diskwars.Pin> }} event
 */
function changePins(board, event) {
  const gained = event.pins_gained ?? [];
  const lost = event.pins_lost ?? [];
  const kept = board.pins.filter((pin) => !lost.some(samePin(pin)) && !gained.some(samePin(pin)));
  board.pins = [...kept, ...gained].sort(pairwise);
}

/**
 * @param {DiskState} disk
 * @param {ReadonlyArray<number>} [entered]
 * @param {ReadonlyArray<number>} [left]
 */
function changeGround(disk, entered = [], left = []) {
  const ground = disk.terrain.filter((piece) => !left.includes(piece));
  disk.terrain = [...new Set([...ground, ...entered])].sort(numerically);
}

/**
 * @param {BoardState} board
 * @param {{ readonly disk: number, readonly x: number, readonly y: number, readonly z: number }} event
 */
function putDown(board, event) {
  change(diskOf(board, event.disk), { place: "battlefield", x: event.x, y: event.y, z: event.z });
  board.top_z = Math.max(board.top_z, event.z);
}

/**
 * @param {BoardState} board
 * @param {ReadonlyArray<number>} numbers
 * @param {DiskState["place"]} place
 */
function takeOff(board, numbers, place) {
  for (const number of numbers) change(diskOf(board, number), { ...structuredClone(DISK), place });
}

/** @type {(board: BoardState, number: number) => DiskState} */
const diskOf = (board, number) => existing(board.disks, number, "disk");
/** @type {(board: BoardState, seat: number) => SideState} */
const sideOf = (board, seat) => existing(board.sides, seat, "seat");
/** @type {(board: BoardState, number: number) => EngagementState} */
const engagementOf = (board, number) => existing(board.engagements, number, "engagement");

/**
 * @param {BoardState} board
 * @param {string} card
 */
function withoutOffered(board, card) {
  board.layout.offered_cards = board.layout.offered_cards.filter((offered) => offered !== card);
}

/**
 * @param {MatchStartedOf<"diskwars">} event
 * @returns {BoardState}
 */
function startBoard(event) {
  const { settings, field, battle_die, profiles, cards, zones, rounds } = event;
  return {
    settings,
    field,
    battle_die,
    profiles,
    cards,
    zones,
    rounds,
    disks: event.disks.map(({ seat, profile }, id) => ({ id, seat, profile, ...structuredClone(DISK) })),
    sides: event.armies.map((army, seat) => ({ seat, ...structuredClone(SIDE), army })),
    layout: {
      ...structuredClone(LAYOUT),
      scenarios: event.scenarios ?? [],
      deployments: event.deployments ?? [],
      terrain: event.terrain ?? [],
    },
    ...structuredClone(BOARD),
  };
}

/** @type {BoardFolds<"diskwars">} */
const FOLDS = {
  // ---------------------------------------------------------------- setup
  hand_taken(board, event) {
    change(sideOf(board, event.seat), { hand: shown(event.cards), card_count: event.count });
  },
  initiative_rolled: nothing,
  order_set(board, event) {
    board.order = event.order;
  },
  disks_deployed(board, event) {
    for (const placed of event.disks) {
      putDown(board, placed);
      diskOf(board, placed.disk).terrain = placed.terrain ?? [];
    }
    changePins(board, event);
  },
  edges_drawn(board, event) {
    board.layout.edges = event.edges.map(({ edge }) => edge);
  },
  deployment_cards_dealt(board, event) {
    board.layout.offered_cards = event.cards;
  },
  deployment_card_laid(board, event) {
    const { seat, card, face, offset } = event;
    board.layout.laid_cards = [...board.layout.laid_cards, { seat, card, face, offset }];
    withoutOffered(board, card);
    board.zones = event.zones;
  },
  setup_card_discarded(board, event) {
    withoutOffered(board, event.card);
  },
  terrain_cards_dealt(board, event) {
    board.layout.offered_cards = event.cards;
  },
  terrain_placed(board, event) {
    withoutOffered(board, event.card);
    const card = board.layout.terrain.find(({ id }) => id === event.card);
    const terrain = existing(card?.faces ?? [], event.face, "face");
    board.terrain = [...board.terrain, { terrain, corners: event.corners }];
  },
  scenarios_drawn(board, event) {
    sideOf(board, event.seat).drawn_scenarios = shown(event.cards);
  },
  scenario_chosen(board, event) {
    board.layout.active_scenario = event.scenario;
  },
  objective_dealt(board, event) {
    sideOf(board, event.seat).objective = shown(event.scenario);
  },
  objectives_revealed(board, event) {
    for (const { seat, scenario } of event.objectives) {
      change(sideOf(board, seat), { objective: scenario, objective_revealed: true });
    }
  },

  // ---------------------------------------------------------------- cards
  card_locked(board, event) {
    const locked = { has_locked: true, locked_card: shown(event.card), locked_salt: shown(event.salt) };
    change(sideOf(board, event.seat), locked);
  },
  cards_revealed(board, event) {
    for (const { seat, card } of event.cards) {
      const side = sideOf(board, seat);
      if (Array.isArray(side.hand)) side.hand = side.hand.filter((held) => held !== card);
      change(side, { card_count: side.card_count - 1, ...HIDDEN_CARDS, revealed_card: card });
    }
    board.revealed_salts = [...board.revealed_salts, ...event.cards.map(({ salt }) => salt)];
  },
  card_began(board, event) {
    board.active_seat = event.seat;
  },
  cards_discarded(board) {
    board.active_seat = null;
    for (const side of board.sides) {
      if (side.revealed_card) side.discards = [...side.discards, side.revealed_card];
      side.revealed_card = null;
    }
  },
  cards_returned(board) {
    for (const side of board.sides) {
      if (Array.isArray(side.hand)) side.hand = [...side.hand, ...side.discards];
      side.card_count += side.discards.length;
      side.discards = [];
    }
  },

  // ---------------------------------------------------------------- the course of the game
  round_began(board, event) {
    board.round = event.round;
  },
  phase_began(board, event) {
    change(board, { phase: event.phase, active_seat: null });
  },
  activation_began(board, event) {
    diskOf(board, event.disk);
    board.active_disk = event.disk;
  },
  activation_ended(board, event) {
    if (event.activated) diskOf(board, event.disk).activated = true;
    board.active_disk = null;
  },
  tokens_cleared(board, event) {
    const poisoned = event.still_poisoned ?? [];
    for (const number of [...event.disks, ...poisoned]) {
      change(diskOf(board, number), { activated: false, empowered: false, weakened: 0 });
      if (!poisoned.includes(number)) change(diskOf(board, number), { damage: 0, poisoned: false });
    }
  },
  seat_eliminated(board, event) {
    const side = sideOf(board, event.seat);
    change(side, { card_count: 0, ...HIDDEN_CARDS, revealed_card: null, discards: [] });
    if (Array.isArray(side.hand)) side.hand = [];
    side.eliminated = true;
  },
  disks_withdrawn(board, event) {
    takeOff(board, event.disks, "gone");
    changePins(board, event);
  },
  reserves_lost(board, event) {
    takeOff(board, event.disks, "casualty");
  },
  scored(board, event) {
    for (const side of board.sides) side.points = existing(event.points, side.seat, "score");
  },

  // ---------------------------------------------------------------- what was rolled and used
  shot_fired: nothing,
  shot_scattered: nothing,
  ability_used: nothing,
  impact_rolled: nothing,
  guard_rolled: nothing,
  danger_rolled: nothing,
  move_stopped: nothing,
  rampaged: nothing,
  trigger_resolved: nothing,

  // ---------------------------------------------------------------- disks
  disk_flipped(board, event) {
    putDown(board, event);
    changeGround(diskOf(board, event.disk), event.terrain_entered, event.terrain_left);
    changePins(board, event);
  },
  disk_reinforced(board, event) {
    putDown(board, event);
    changeGround(diskOf(board, event.disk), event.terrain_entered);
    changePins(board, event);
  },
  damage_dealt(board, event) {
    diskOf(board, event.disk).damage = event.tokens;
  },
  disk_healed(board, event) {
    diskOf(board, event.disk).damage = event.tokens;
  },
  disk_poisoned(board, event) {
    diskOf(board, event.disk).poisoned = event.poisoned;
  },
  disk_wounded(board, event) {
    change(diskOf(board, event.disk), { damage: 0, poisoned: false, wounds: event.wounds });
  },
  disks_removed(board, event) {
    takeOff(board, event.disks, "casualty");
    changePins(board, event);
  },
  activation_token_changed(board, event) {
    diskOf(board, event.disk).activated = event.activated;
  },
  disk_empowered(board, event) {
    diskOf(board, event.disk).empowered = event.empowered;
  },
  disk_weakened(board, event) {
    diskOf(board, event.disk).weakened = event.reduction;
  },

  // ---------------------------------------------------------------- melee
  engagements_frozen(board, event) {
    board.engagements = event.engagements.map(fullEngagement);
  },
  engagement_began(board, event) {
    engagementOf(board, event.engagement);
    board.active_engagement = event.engagement;
  },
  blows_struck(board, event) {
    const engagement = engagementOf(board, event.engagement);
    const struck = [...new Set(event.blows.map((blow) => blow.disk))].sort(numerically);
    engagement.strikers = [...engagement.strikers, ...struck];
  },
  engagement_ended(board, event) {
    engagementOf(board, event.engagement).resolved = true;
    if (board.active_engagement === event.engagement) board.active_engagement = null;
  },
};

/** @type {<Value extends object>(value: Value) => Value} */
const copied = (value) => ({ ...value });
/** @type {(board: BoardState) => BoardState} */
const copyBoard = (board) => ({
  // What folds change in place is copied; lists of plain values are replaced whole, and shared.
  ...board,
  disks: board.disks.map(copied),
  sides: board.sides.map(copied),
  layout: copied(board.layout),
  engagements: board.engagements.map(copied),
});

// ---------------------------------------------------------------- as JSON

/** @type {(board: BoardState) => diskwars.Board} */
const plainBoard = (board) => ({
  ...withoutDefaults(
    {
      ...board,
      engagements: allWithout(board.engagements, ENGAGEMENT),
    },
    BOARD,
  ),
  disks: allWithout(board.disks, DISK),
  sides: allWithout(board.sides, SIDE),
  layout: withoutDefaults(board.layout, LAYOUT),
});

/** @type {Pick<EngagementState, "resolved" | "strikers">} */
const ENGAGEMENT = { strikers: [], resolved: false };

/** @type {(engagement: diskwars.Engagement) => EngagementState} */
const fullEngagement = ({ attackers, defenders, links, ...changed }) =>
  structuredClone({ attackers, defenders, links, ...ENGAGEMENT, ...changed });

/** @type {(plain: diskwars.Board) => BoardState} */
const fullBoard = (plain) => ({
  ...withDefaults(plain, BOARD, PRINTED),
  disks: plain.disks.map((disk) => withDefaults(disk, DISK, ["id", "seat", "profile"])),
  sides: plain.sides.map((side) => withDefaults(side, SIDE, ["seat"])),
  layout: withDefaults(plain.layout, LAYOUT),
  engagements: (plain.engagements ?? []).map(fullEngagement),
});

/** @type {BoardRules<"diskwars">} */
export const DISKWARS = {
  fold: makeFold(startBoard, FOLDS),
  copy: copyBoard,
  plain: plainBoard,
  full: fullBoard,
};
