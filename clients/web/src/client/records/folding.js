// What the folds of all boards share: looking up, changing, hiding secrets, and leaving out defaults.

import { isSealed } from "./records.js";

/** @import { Sealed } from "../../protocol/types" */
/** @import { Lean } from "./states" */

export const nothing = () => {};

/**
 * Return a value that has to be there.
 *
 * @template Value
 * @param {Value | null | undefined} value
 * @param {string} what
 * @returns {Value}
 */
export function present(value, what) {
  if (value === null || value === undefined) throw new Error(`there is no ${what}`);
  return value;
}

/**
 * Return the item at a place of a list, which has to be there.
 *
 * @template Item
 * @param {ReadonlyArray<Item>} list
 * @param {number} place
 * @param {string} what
 */
export const existing = (list, place, what) =>
  present(Number.isInteger(place) ? list[place] : undefined, `${what} ${place}`);

/**
 * A browser's `structuredClone` may not be called as the method of another object, as Node's may.
 *
 * @template Value
 * @param {Value} value
 * @returns {Value}
 */
export const cloned = (value) => structuredClone(value);

/**
 * Change fields of a value in place.
 *
 * @template {object} Value
 * @param {Value} value
 * @param {Partial<NoInfer<Value>>} fields
 */
export function change(value, fields) {
  Object.assign(value, fields);
}

/**
 * A state knows that there is a secret, but not its digest.
 *
 * @template Value
 * @param {Value} value
 * @returns {Exclude<Value, Sealed> | Sealed}
 */
export const shown = (value) => (isSealed(value) ? { "#": "" } : /** @type {Exclude<Value, Sealed>} */ (value));

/**
 * @template Item
 * @param {ReadonlyArray<Item>} list
 * @param {Item} gone
 */
export const without = (list, gone) => list.filter((item) => item !== gone);

/** @type {(one: number, other: number) => number} */
export const numerically = (one, other) => one - other;

/**
 * The folds by the types of their events, to be looked up for an event of any type.
 *
 * @template State
 * @template {Readonly<Record<string, { readonly type: string }>>} Events
 * @param {{ readonly [Type in keyof Events]: (state: State, event: Events[Type]) => void }} folds
 * @returns {ReadonlyMap<string, (state: State, event: Events[keyof Events]) => void>}
 */
export const foldsByType = (folds) => new Map(Object.entries(folds));

/**
 * Return the fold of a board: `start` makes it of the first event, `folds` has one fold for each type of the others.
 *
 * @template Board
 * @template {{ readonly type: "match_started" }} Start
 * @template {Readonly<Record<string, { readonly type: string }>>} Events
 * @param {(event: Start) => Board} start
 * @param {{ readonly [Type in keyof Events]: (board: Board, event: Events[Type]) => void }} folds
 * @param {<Event>(event: Event) => Event} [take] makes a copy of events where folds change what they hold
 * @returns {(board: Board | null, event: Start | Events[keyof Events]) => Board}
 */
export function makeFold(start, folds, take = (event) => event) {
  const known = foldsByType(folds);
  /** @type {(event: Start | Events[keyof Events]) => event is Start} */
  const isStart = (event) => event.type === "match_started";
  return (board, taken) => {
    const event = take(taken);
    if (isStart(event)) return start(event);
    const fold = known.get(event.type);
    if (!fold) throw new Error(`${event.type} is no event that is known here`);
    if (board === null) throw new Error("a board begins with match_started");
    fold(board, event);
    return board;
  };
}

// ---------------------------------------------------------------- as JSON

/** @type {(one: unknown, other: unknown) => boolean} */
const equal = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/**
 * The value without the fields that are as its defaults.
 *
 * @template {object} Value
 * @template {object} Defaults
 * @param {Value} value
 * @param {Defaults} defaults
 * @returns {Lean<Value, Defaults>}
 */
export function withoutDefaults(value, defaults) {
  const known = /** @type {Readonly<Record<string, unknown>>} */ (defaults);
  const kept = Object.entries(value).filter(([name, field]) => !(name in known && equal(field, known[name])));
  return /** @type {Lean<Value, Defaults>} */ (Object.fromEntries(kept));
}

/**
 * The value with all its fields: first `always`, then those of `defaults`, in their order, and last what is not known here.
 *
 * @template {object} Value
 * @template {object} Defaults
 * @param {Value} value
 * @param {Defaults} defaults
 * @param {ReadonlyArray<keyof Value>} [always]
 * @returns {Omit<Value, keyof Defaults> & Defaults}
 */
export function withDefaults(value, defaults, always = []) {
  const first = Object.fromEntries(always.map((name) => [name, value[name]]));
  return { ...first, ...structuredClone(defaults), ...value };
}

/**
 * The value with all its fields, those that are always there first: so a fold writes them.
 *
 * @template {object} Value
 * @template {object} Defaults
 * @param {Value} value
 * @param {Defaults} defaults
 */
export function inOrder(value, defaults) {
  const always = /** @type {(keyof Value)[]} */ (Object.keys(value).filter((name) => !(name in defaults)));
  return withDefaults(value, defaults, always);
}

/**
 * @template {object} Value
 * @template {object} Defaults
 * @param {ReadonlyArray<Value>} values
 * @param {Defaults} defaults
 */
export const allWithout = (values, defaults) => values.map((value) => withoutDefaults(value, defaults));

/**
 * @template {object} Value
 * @template {object} Defaults
 * @param {ReadonlyArray<Value>} values
 * @param {Defaults} defaults
 */
export const allInOrder = (values, defaults) => values.map((value) => inOrder(value, defaults));
