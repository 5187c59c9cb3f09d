"""Opponents of one idea, against which the bots of close quarters are measured: each moves by a rule, else greedy."""

import random
from typing import Any

from diskwars_bots.chooser import Chooser
from diskwars_bots.rulesets.close_quarters.plain_bot import choose_plain
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.rulesets.close_quarters import plans
from diskwars_protocol.rulesets.close_quarters.actions import (
    Action,
    ActionQuestion,
    Advance,
    ConsolidateBy,
    ConsolidateQuestion,
    Double,
    Hold,
    Manoeuvre,
    Question,
)
from diskwars_protocol.rulesets.close_quarters.options import CloseQuartersOptions


def choose_hold(match: Any, decision: Decision[Question], options: CloseQuartersOptions, rng: random.Random) -> Action:
    """Never move, neither in the action phase nor by consolidation."""
    match decision.question:
        case ActionQuestion():
            return Hold()
        case ConsolidateQuestion():
            return ConsolidateBy("hold")
        case _:
            return choose_plain(match, decision, options, rng)


def choose_no_move(
    match: Any, decision: Decision[Question], options: CloseQuartersOptions, rng: random.Random
) -> Action:
    """Skip the action phase, and consolidate as the greedy bot does."""
    if isinstance(decision.question, ActionQuestion):
        return Hold()
    return choose_plain(match, decision, options, rng)


def choose_charge(
    match: Any, decision: Decision[Question], options: CloseQuartersOptions, rng: random.Random
) -> Action:
    """Advance straight on the nearest enemy, and consolidate into contact."""
    match decision.question:
        case ActionQuestion(unit=unit):
            moves = plans.approach(match.board, unit, plans.advance_distance(match.board, unit))
            return Advance(moves) if moves else Hold()
        case ConsolidateQuestion():
            return _by(options, "engage")
        case _:
            return choose_plain(match, decision, options, rng)


def choose_longest(
    match: Any, decision: Decision[Question], options: CloseQuartersOptions, rng: random.Random
) -> Action:
    """Go at the double straight on the nearest enemy, as far as that leads, and consolidate into contact."""
    match decision.question:
        case ActionQuestion(unit=unit):
            if not plans.may_double(match.board):
                moves = plans.approach(match.board, unit, plans.advance_distance(match.board, unit))
                return Advance(moves) if moves else Hold()
            moves = plans.approach(match.board, unit, plans.double_distance(match.board, unit))
            return Double(moves) if moves else Hold()
        case ConsolidateQuestion():
            return _by(options, "engage")
        case _:
            return choose_plain(match, decision, options, rng)


def _by(options: CloseQuartersOptions, manoeuvre: Manoeuvre) -> Action:
    """Return a manoeuvre, or to hold where nobody can move like that."""
    wanted = ConsolidateBy(manoeuvre)
    return wanted if wanted in options.actions else ConsolidateBy("hold")


REFERENCES: dict[str, Chooser] = {
    "hold": choose_hold,
    "charge": choose_charge,
    "longest": choose_longest,
    "nomove": choose_no_move,
}
