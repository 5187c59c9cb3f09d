"""Regiments as the search sees it: orders of one unit, played on by greedy bots to the end of the next round."""

import random
from functools import cache

from diskwars_bots.rulesets.regiments import greedy_bot
from diskwars_bots.rulesets.regiments.expectations import ChargeValues, charge_value
from diskwars_bots.rulesets.regiments.greedy_bot import choose_greedy
from diskwars_bots.search.game import AnyOptions, WeighedAnswer, Width
from diskwars_content.rulesets.registry import RULESETS
from diskwars_engine.ruleset import AnyRuleset
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.state import Match
from diskwars_protocol.rulesets.regiments.actions import (
    Action,
    Charge,
    Hold,
    March,
    OrderAction,
    OrderQuestion,
    Question,
)
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard, Unit
from diskwars_protocol.rulesets.regiments.options import RegimentsOptions

HORIZON_ROUNDS = 2
"""Won 43 of 64 against greedy with 200 simulations; one round, and all of them, won half: later dice hide an order."""
UNIT = 100
"""The unit of values: a hundredth of a whole unit in good order."""
WON = 2 * UNIT
FLEEING_PERCENT = 40
"""The percent of its worth that a fleeing unit keeps: it may yet rally."""
SELDOM = 3 * UNIT
"""How far holding, reforming and retreating are below all marches: seldom right where the greedy bot has others."""


@cache
def regiments_rules() -> AnyRuleset:
    """Return the rules that simulations follow."""
    return RULESETS["regiments"](())


class GreedyOrdersPolicy:
    """Gives every unit the order of the greedy bot: what a worse opponent would let pass is no reason for an order."""

    def choose(self, board: RegimentsBoard, seat: Seat, question: Question, rng: random.Random) -> Action:
        """Return the answer of the greedy bot."""
        return greedy_bot.answer_on(board, question, regiments_rules().options(board, seat, question), rng)


class RegimentsGame:
    """Implements `search.game.SearchGame`; a piece is a unit. Secret orders are left to the greedy bot."""

    widths = (Width(150, 8, 4), Width(2000, 16, 8))
    unsearched = Width(0, 10, 3)
    simulation_ms = 2.5
    secret_choices = None

    def rules(self) -> AnyRuleset:
        """Return the rules of regiments."""
        return regiments_rules()

    def is_searched(self, board: RegimentsBoard, question: Question) -> bool:
        """Return whether one unit gets its order."""
        return isinstance(question, OrderQuestion)

    is_reviewed = is_searched

    def is_passing(self, action: Action) -> bool:
        """Return whether a unit waits."""
        return isinstance(action, Hold)

    def choose_unsearched(
        self,
        match: Match[Question, RegimentsBoard],
        decision: Decision[Question],
        options: RegimentsOptions,
        rng: random.Random,
    ) -> Action:
        """Return the greedy bot's answer."""
        return choose_greedy(match, decision, options, rng)

    choose_unweighed = choose_unsearched

    def possible_board(self, board: RegimentsBoard, seat: Seat, rng: random.Random) -> RegimentsBoard:
        """Draw the orders that the seat does not see."""
        drawn: RegimentsBoard = regiments_rules().determinize(board, seat, rng)
        return drawn

    def proposals(
        self,
        board: RegimentsBoard,
        decision: Decision[Question],
        options: AnyOptions,
        rng: random.Random,
        per_piece: int,
    ) -> list[WeighedAnswer]:
        """Return the greedy bot's order, all others that are listed, and the marches to the best places."""
        assert isinstance(decision.question, OrderQuestion)
        unit = board.units[decision.question.unit]
        usual = greedy_bot.choose_order(board, unit, options, rng)
        charges = ChargeValues(board)
        ends = [
            (greedy_bot.place_value(board, unit, end, charges), rng.random(), March(end.path))
            for limits in options.parametric
            for end in limits.ends
        ]
        ends.sort(key=lambda entry: entry[:2], reverse=True)
        weighed: list[WeighedAnswer] = [(round(UNIT * value), march) for value, _, march in ends[:per_piece]]
        lowest = min((value for value, _ in weighed), default=0)
        for action in options.actions:
            if isinstance(action, Charge):
                weighed.append((_charge_value(board, unit, action), action))
            elif isinstance(action, OrderAction):
                weighed.append((lowest - SELDOM - rng.randrange(UNIT), action))
        others = [(value, action) for value, action in weighed if action != usual]
        return [(max((value for value, _ in others), default=0) + 1, usual), *others]

    def seat_count(self, board: RegimentsBoard) -> int:
        """Return how many seats play."""
        return sum(map(len, board.sides))

    def policy(self, board: RegimentsBoard) -> GreedyOrdersPolicy:
        """Return the policy of the greedy bot."""
        return GreedyOrdersPolicy()

    def is_past_horizon(self, first: RegimentsBoard, board: RegimentsBoard) -> bool:
        """Return whether the round and the one after it are over."""
        return board.round >= first.round + HORIZON_ROUNDS

    def value(self, board: RegimentsBoard, seat: Seat, winners: tuple[Seat, ...] | None) -> int:
        """Return the parts of a side's units that are left less the enemy's, and the result once there is one."""
        own = board.sides[board.side_of(seat)]
        total = 0
        for unit in board.units:
            if not unit.is_fielded:
                continue
            worth = UNIT * sum(unit.models) // (unit.started * board.profile(unit).wounds)
            if unit.status == "fleeing":
                worth = worth * FLEEING_PERCENT // 100
            total += worth if unit.seat in own else -worth
        if winners is not None:
            total += 0 if not winners else WON if seat in winners else -WON
        return total


def _charge_value(board: RegimentsBoard, unit: Unit, charge: Charge) -> int:
    """Return the value of a charge by the round that follows; more than any march, if it wins."""
    return round(10 * UNIT * charge_value(board, unit, charge.target))


REGIMENTS_GAME = RegimentsGame()
