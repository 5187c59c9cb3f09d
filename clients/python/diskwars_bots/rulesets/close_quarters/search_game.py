"""Close quarters as the search sees it: ways and manoeuvres of one unit, played on to the end of the next turn."""

import random
from fractions import Fraction
from functools import cache

from diskwars_bots.rulesets.close_quarters import greedy_bot, plain_bot
from diskwars_bots.rulesets.close_quarters.greedy_bot import choose_greedy
from diskwars_bots.search.game import AnyOptions, WeighedAnswer, Width
from diskwars_content.rulesets.registry import RULESETS
from diskwars_engine.ruleset import AnyRuleset
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.state import Match
from diskwars_protocol.rulesets.close_quarters import odds, plans, position
from diskwars_protocol.rulesets.close_quarters.actions import (
    Action,
    ActionQuestion,
    ActivateQuestion,
    Advance,
    ChooseUnit,
    ConsolidateBy,
    ConsolidateQuestion,
    DefensiveFireQuestion,
    FireAt,
    Hold,
    NextUnitQuestion,
    Question,
    Shoot,
    ShootQuestion,
    UnitId,
)
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard
from diskwars_protocol.rulesets.close_quarters.options import CloseQuartersOptions

HORIZON_TURNS = 2
POINT = 100
"""The unit of values: a hundredth of a model point."""
WON = 3 * POINT
MARKER_COST, MAX_MARKERS = 12, 5
"""What a marker costs a unit, for each of its models, and how many count: with five it routs."""
SHOOTERS = 0.13
"""The expected casualties of a model's fire from which a unit keeps its distance in roll-outs."""
CHARGE_INCHES = 9
"""How far beyond its advance an enemy may be that a unit goes for in roll-outs."""
DIRECTIONS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1))
SEARCHED = (
    ActionQuestion | ActivateQuestion | ConsolidateQuestion | DefensiveFireQuestion | NextUnitQuestion | ShootQuestion
)


@cache
def close_quarters_rules() -> AnyRuleset:
    """Return the rules that simulations follow."""
    return RULESETS["close_quarters"](())


class QuickCloseQuartersPolicy:
    """Advances on an enemy that is near; those that shoot well stand off, and the others consolidate into contact."""

    def __init__(self) -> None:
        self._shoots: dict[UnitId, bool] = {}

    def choose(self, board: CloseQuartersBoard, seat: Seat, question: Question, rng: random.Random) -> Action | None:
        """Return an answer; the default for weapons and picks."""
        match question:
            case ActionQuestion(unit=unit):
                return _quick_action(board, unit)
            case ConsolidateQuestion(unit=unit):
                return ConsolidateBy("hold" if self._stands_off(board, unit) else "engage")
            case ShootQuestion(unit=unit):
                return Shoot(tuple(plain_bot.best_shots(board, unit)))
            case _:
                return None

    def _stands_off(self, board: CloseQuartersBoard, unit: UnitId) -> bool:
        known = self._shoots.get(unit)
        if known is None:
            side = board.units[unit].side
            targets = [other.id for other in position.fielded(board) if other.side != side]
            best = max((odds.shot_casualties(board, unit, target) for target in targets), default=0)
            known = self._shoots[unit] = best >= SHOOTERS
        return known


def _quick_action(board: CloseQuartersBoard, unit: UnitId) -> Action:
    leader, advance = position.reference(board, unit), plans.advance_distance(board, unit)
    enemy = position.nearest(leader, position.enemies(board, board.units[unit].side))
    reach = advance + position.INCH * CHARGE_INCHES
    if enemy is None or position.squared_distance(leader, enemy) > reach**2:
        return Hold()
    moves = plans.approach(board, unit, advance)
    return Advance(moves) if moves else Hold()


class CloseQuartersGame:
    """Implements `search.game.SearchGame`; there are few ways for each unit, so that all of them are compared."""

    widths = (Width(150, 3, 1), Width(600, 6, 1), Width(2000, 12, 1))
    unsearched = Width(0, 10, 1)
    simulation_ms = 12.0
    secret_choices = None

    def rules(self) -> AnyRuleset:
        """Return the rules of close quarters."""
        return close_quarters_rules()

    def is_searched(self, board: CloseQuartersBoard, question: Question) -> bool:
        """Return whether it is asked who acts, goes somewhere or fires: picks and weapons are left to exact chances."""
        return isinstance(question, SEARCHED)

    is_reviewed = is_searched

    def is_passing(self, action: Action) -> bool:
        """Return False: to hold is often right here."""
        return False

    def choose_unsearched(
        self,
        match: Match[Question, CloseQuartersBoard],
        decision: Decision[Question],
        options: CloseQuartersOptions,
        rng: random.Random,
    ) -> Action:
        """Return the greedy bot's answer."""
        return choose_greedy(match, decision, options, rng)

    choose_unweighed = choose_unsearched

    def possible_board(self, board: CloseQuartersBoard, seat: Seat, rng: random.Random) -> CloseQuartersBoard:
        """Return the board: nothing is hidden in close quarters."""
        return board

    def proposals(
        self,
        board: CloseQuartersBoard,
        decision: Decision[Question],
        options: AnyOptions,
        rng: random.Random,
        per_piece: int,
    ) -> list[WeighedAnswer]:
        """Return ways in all directions, manoeuvres, targets and units, by what the greedy bot thinks of them."""
        match decision.question:
            case ActionQuestion(unit=unit):
                return _weigh_ways(board, unit)
            case ConsolidateQuestion(unit=unit):
                return [(_points(value), by) for value, by in greedy_bot.weigh_manoeuvres(board, unit, options)]
            case ShootQuestion(unit=unit):
                return [(POINT, greedy_bot.best_shots(board, unit)), (0, Shoot(()))]
            case DefensiveFireQuestion(unit=unit):
                targets = [action.target for action in options.actions if isinstance(action, FireAt)]
                return [(_points(value), fire) for value, fire in greedy_bot.weigh_fire(board, unit, targets)]
            case _:
                units = [action for action in options.actions if isinstance(action, ChooseUnit)]
                return [(_points(plain_bot.blows(board, action.unit)), action) for action in units]

    def seat_count(self, board: CloseQuartersBoard) -> int:
        """Return how many seats play."""
        return sum(map(len, board.sides))

    def policy(self, board: CloseQuartersBoard) -> QuickCloseQuartersPolicy:
        """Return the quick policy."""
        return QuickCloseQuartersPolicy()

    def is_past_horizon(self, first: CloseQuartersBoard, board: CloseQuartersBoard) -> bool:
        """Return whether the turn and the one after it are over."""
        return board.turn >= first.turn + HORIZON_TURNS

    def value(self, board: CloseQuartersBoard, seat: Seat, winners: tuple[Seat, ...] | None) -> int:
        """Return the model points of a side less the enemy's, less what markers cost, and the result."""
        own = next(side for side, seats in enumerate(board.sides) if seat in seats)
        total = 0
        for side in range(len(board.sides)):
            worth = POINT * position.points(board, side) - _marker_cost(board, side)
            total += worth if side == own else -worth
        if winners is not None:
            total += 0 if not winners else WON if seat in winners else -WON
        return total


def _marker_cost(board: CloseQuartersBoard, side: int) -> int:
    units = [unit for unit in position.fielded(board) if unit.side == side]
    return sum(MARKER_COST * min(unit.markers, MAX_MARKERS) * len(position.models_of(board, unit.id)) for unit in units)


def _weigh_ways(board: CloseQuartersBoard, unit: UnitId) -> list[WeighedAnswer]:
    """Return the ways that the greedy bot weighs, and below all of them an advance in each of eight directions."""
    weighed = [(_points(value), way) for value, way in greedy_bot.weigh_ways(board, unit)]
    lowest, advance = min(value for value, _ in weighed), plans.advance_distance(board, unit)
    for dx, dy in DIRECTIONS:
        if moves := plans.march(board, unit, (dx * position.INCH, dy * position.INCH), advance):
            weighed.append((lowest - 1, Advance(moves)))
    return weighed


def _points(casualties: Fraction | float) -> int:
    return round(POINT * casualties)


CLOSE_QUARTERS_GAME = CloseQuartersGame()
