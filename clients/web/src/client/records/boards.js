// The boards of all rulesets, by the name of the ruleset.

import { DISKWARS } from "./board.js";
import { CLOSE_QUARTERS } from "./close_quarters_board.js";
import { present } from "./folding.js";
import { PIT } from "./pit_board.js";
import { REGIMENTS } from "./regiments_board.js";

/** @import { BoardRules, RulesetName } from "./states" */

/** @type {{ readonly [Name in RulesetName]: BoardRules<Name> }} */
const BOARDS = { diskwars: DISKWARS, pit: PIT, close_quarters: CLOSE_QUARTERS, regiments: REGIMENTS };

/**
 * Return how the boards of a ruleset are folded, copied and spelled.
 *
 * @template {RulesetName} Name
 * @param {Name} ruleset
 * @returns {BoardRules<Name>}
 */
export const boardRulesOf = (ruleset) => present(BOARDS[ruleset], `ruleset ${ruleset}`);
