// Bounds of positions that come from a file: what every reader can check without rules and packs. The same as
// `position_bounds.py`; tests/vectors/positions.json holds both to them.

/** @import { RulesetName } from "./states" */
/** @import { Fields } from "./records.js" */

export const LIMITS = { number: 10_000_000, entries: 1_000, text: 20_000, values: 50_000 };

/**
 * A place is a path such as `fighters[].profile`: the least and the largest number there, the list of which a number or
 * an id there names an entry, and the field in which the entries of a list state their own number.
 *
 * @typedef {{
 *   readonly ranges: Readonly<Record<string, readonly [number, number]>>,
 *   readonly references: Readonly<Record<string, string>>,
 *   readonly names: Readonly<Record<string, string>>,
 *   readonly numbered: Readonly<Record<string, string>>,
 * }} PositionBounds
 */

/** @type {{ readonly [Name in RulesetName]: PositionBounds }} */
export const BOUNDS = {
  diskwars: {
    ranges: {
      "field.width": [1, 10000000],
      "field.height": [1, 10000000],
      "profiles[].radius": [1, 1000000],
      "profiles[].movement": [0, 100],
      "profiles[].shots[].dice": [0, 100],
      rounds: [1, 1000],
      "disks[].z": [0, 1000000],
      "disks[].damage": [0, 1000],
      "disks[].wounds": [0, 1000],
      "disks[].weakened": [0, 1000],
      "sides[].card_count": [0, 1000],
      "layout.laid_cards[].face": [0, 1],
    },
    references: {
      "disks[].seat": "sides",
      "disks[].profile": "profiles",
      "disks[].terrain[]": "terrain",
      "zones[].seat": "sides",
      "order[]": "sides",
      active_seat: "sides",
      active_disk: "disks",
      active_engagement: "engagements",
      "pins[].top": "disks",
      "pins[].bottom": "disks",
      "engagements[].attackers[]": "disks",
      "engagements[].defenders[]": "disks",
      "engagements[].strikers[]": "disks",
      "layout.laid_cards[].seat": "sides",
    },
    names: {
      "sides[].hand[]": "cards",
      "sides[].locked_card": "cards",
      "sides[].revealed_card": "cards",
      "sides[].discards[]": "cards",
      "sides[].drawn_scenarios[]": "layout.scenarios",
      "sides[].objective": "layout.scenarios",
      "layout.active_scenario": "layout.scenarios",
      "layout.laid_cards[].card": "layout.deployments",
    },
    numbered: {
      disks: "id",
      sides: "seat",
    },
  },
  pit: {
    ranges: {
      width: [1, 100],
      height: [1, 100],
      rounds: [1, 1000],
      "walls[].x0": [0, 99],
      "walls[].y0": [0, 99],
      "walls[].x1": [0, 99],
      "walls[].y1": [0, 99],
      "task.zone.x0": [0, 99],
      "task.zone.y0": [0, 99],
      "task.zone.x1": [0, 99],
      "task.zone.y1": [0, 99],
      "task.side": [0, 1],
      "task.count": [1, 100],
      "fighters[].x": [0, 99],
      "fighters[].y": [0, 99],
      "fighters[].wounds": [0, 100],
      "fighters[].new_wounds": [0, 100],
      "fighters[].wound_limit": [0, 100],
      "fighters[].attacks": [0, 100],
    },
    references: {
      "task.piece": "fighters",
      "fighters[].seat": "seats",
      "fighters[].profile": "profiles",
      "order[]": "seats",
      active_seat: "seats",
      "combats[][]": "fighters",
      "fought[]": "combats",
      "combat.id": "combats",
      "combat.waiting[]": "fighters",
      "combat.fighter": "fighters",
      "combat.declared[].target": "fighters",
    },
    names: {
      "profiles[].weapons[]": "weapons",
      "combat.declared[].weapon": "weapons",
    },
    numbered: {
      fighters: "id",
    },
  },
  close_quarters: {
    ranges: {
      width: [1, 100000],
      height: [1, 100000],
      turns: [1, 1000],
      turn: [0, 4000],
      "high_ground[].x0": [0, 100000],
      "high_ground[].y0": [0, 100000],
      "high_ground[].x1": [0, 100000],
      "high_ground[].y1": [0, 100000],
      "task.zone.x0": [0, 100000],
      "task.zone.y0": [0, 100000],
      "task.zone.x1": [0, 100000],
      "task.zone.y1": [0, 100000],
      "task.side": [0, 1],
      "task.count": [1, 100],
      "models[].x": [-100000, 200000],
      "models[].y": [-100000, 200000],
      "units[].markers": [0, 1000],
      "units[].hit_counter": [0, 1000],
      "units[].seat": [0, 3],
      "sides[][]": [0, 3],
      "withdrawn[]": [0, 3],
      "combat.cycle": [0, 1000],
      "combat.loss.casualties": [1, 1000],
      "combat.loss.sixes": [0, 2000],
    },
    references: {
      "task.piece": "models",
      "units[].side": "sides",
      "units[].profile": "profiles",
      "models[].unit": "units",
      "order[]": "sides",
      active_unit: "units",
      "combat.attacker": "sides",
      "combat.units[]": "units",
      "combat.waiting[]": "units",
      "combat.unit": "units",
      "combat.source": "units",
      "combat.weapons[].model": "models",
      "combat.pools[].models[]": "models",
      "combat.pools[].hits[].model": "models",
      "combat.pending[].unit": "units",
      "combat.pending[].eligible[]": "models",
      "combat.pending[].hits[].model": "models",
      "combat.loss.unit": "units",
      "combat.loss.eligible[]": "models",
      "combat.loss.picked[]": "models",
    },
    names: {
      "profiles[].weapons[]": "melee_weapons",
      "profiles[].leader_weapons[]": "melee_weapons",
      "profiles[].ranged_weapon": "ranged_weapons",
      "combat.weapons[].weapon": "melee_weapons",
    },
    numbered: {
      units: "id",
      models: "id",
    },
  },
  regiments: {
    ranges: {
      width: [1, 100],
      height: [1, 100],
      rounds: [1, 1000],
      round: [0, 1000],
      "obstacles[].x0": [0, 99],
      "obstacles[].y0": [0, 99],
      "obstacles[].x1": [0, 99],
      "obstacles[].y1": [0, 99],
      "task.zone.x0": [0, 99],
      "task.zone.y0": [0, 99],
      "task.zone.x1": [0, 99],
      "task.zone.y1": [0, 99],
      "task.side": [0, 1],
      "task.count": [1, 100],
      "units[].x": [0, 99],
      "units[].y": [0, 99],
      "units[].files": [1, 100],
      "units[].models[]": [0, 100],
      "units[].started": [1, 1000],
      "units[].seat": [0, 3],
      "sides[][]": [0, 3],
      "withdrawn[]": [0, 3],
      "locks[].seat": [0, 3],
    },
    references: {
      "task.piece": "units",
      "units[].profile": "profiles",
      "waiting[]": "units",
      "contacts[].charger": "units",
      "contacts[].target": "units",
      "locks[].orders[].unit": "units",
    },
    names: {
      "profiles[].weapon": "weapons",
    },
    numbered: {
      units: "id",
    },
  },
};

/** @type {(value: unknown) => value is Fields} */
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/**
 * Yield what is out of bounds in a board, each with its place. Hidden values have none.
 *
 * @param {unknown} board
 * @param {PositionBounds} bounds
 * @returns {Generator<string, void>}
 */
export function* boardFaults(board, bounds) {
  if (!isObject(board)) {
    yield "$.board: it is no object";
    return;
  }
  const { ranges, references, names, numbered } = bounds;
  /** @type {[string, string, unknown][]} */
  const left = [["", "$.board", board]];
  for (let values = 1, next = left.pop(); next; values += 1, next = left.pop()) {
    const [place, path, value] = next;
    if (values > LIMITS.values) {
      yield `$.board: more than ${LIMITS.values} values`;
      return;
    }
    if (typeof value === "number") {
      const list = references[place];
      const range = ranges[place] ?? [-LIMITS.number, LIMITS.number];
      const [least, most] = list === undefined ? range : [0, entries(board, list).length - 1];
      if (!(least <= value && value <= most)) yield `${path}: ${value} is not in ${least} to ${most}`;
    } else if (typeof value === "string") {
      if ([...value].length > LIMITS.text) yield `${path}: longer than ${LIMITS.text}`;
      const list = names[place];
      if (list !== undefined && !entries(board, list).some((entry) => isObject(entry) && entry["id"] === value))
        yield `${path}: nothing has this id`;
    } else if (Array.isArray(value)) {
      if (value.length > LIMITS.entries) {
        yield `${path}: more than ${LIMITS.entries} entries`;
        continue;
      }
      const own = numbered[place];
      for (const [number, entry] of value.entries()) {
        if (own !== undefined && !(isObject(entry) && entry[own] === number))
          yield `${path}[${number}]: it is number ${number}`;
        left.push([`${place}[]`, `${path}[${number}]`, entry]);
      }
    } else if (isObject(value) && !("#" in value)) {
      for (const [name, part] of Object.entries(value))
        left.push([place ? `${place}.${name}` : name, `${path}.${name}`, part]);
    }
  }
}

/**
 * The list at a place of a board; empty without one, as a field with its default is not there.
 *
 * @param {unknown} board
 * @param {string} place
 * @returns {ReadonlyArray<unknown>}
 */
function entries(board, place) {
  for (const name of place.split(".")) board = isObject(board) ? board[name] : undefined;
  return Array.isArray(board) ? board : [];
}

/**
 * Return the first value that is out of bounds in the positions of a record, with its place in it; null without one.
 *
 * @param {{ readonly events?: ReadonlyArray<unknown> }} body
 * @param {string} ruleset
 * @returns {string | null}
 */
export function positionFault({ events = [] }, ruleset) {
  const bounds = Object.hasOwn(BOUNDS, ruleset) ? BOUNDS[/** @type {RulesetName} */ (ruleset)] : undefined;
  if (!bounds || !Array.isArray(events)) return null;
  for (const [number, event] of events.entries()) {
    if (!isObject(event)) continue;
    if (event["type"] === "position_set") {
      const board = isObject(event["position"]) ? event["position"]["board"] : undefined;
      for (const fault of boardFaults(board, bounds)) return `$.events[${number}].position${fault.slice(1)}`;
    } else if (event["type"] === "branch_began" && event["board"] !== undefined && event["board"] !== null) {
      for (const fault of boardFaults(event["board"], bounds)) return `$.events[${number}]${fault.slice(1)}`;
    }
  }
  return null;
}
