"""Opponents of one idea, against which the bots of regiments are measured: each moves by a rule, and else is greedy."""

import random
from collections.abc import Callable
from typing import Any

from diskwars_bots.chooser import Chooser
from diskwars_bots.rulesets.regiments.plain_bot import choose_plain
from diskwars_bots.rulesets.regiments.secret_orders import choose_secret_orders
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.rulesets.regiments import position
from diskwars_protocol.rulesets.regiments.actions import (
    Action,
    Charge,
    Fight,
    Hold,
    March,
    OrderAction,
    OrderQuestion,
    Question,
    SecretOrdersQuestion,
)
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard, Unit
from diskwars_protocol.rulesets.regiments.options import MarchEnd, RegimentsOptions

Rule = Callable[[RegimentsBoard, Unit, RegimentsOptions, random.Random], OrderAction]


def choose_hold(match: Any, decision: Decision[Question], options: RegimentsOptions, rng: random.Random) -> Action:
    """Never move: hold, and fight an enemy that comes."""
    return _choose(match, decision, options, rng, lambda board, unit, own, rng: Hold())


def choose_charge(match: Any, decision: Decision[Question], options: RegimentsOptions, rng: random.Random) -> Action:
    """Charge the nearest enemy in reach, and march as near as possible to one while none is."""
    return _choose(match, decision, options, rng, _charge_or_close_in)


def choose_longest(match: Any, decision: Decision[Question], options: RegimentsOptions, rng: random.Random) -> Action:
    """Take the longest march that leads nearer to an enemy, and charge only where no march does."""
    return _choose(match, decision, options, rng, _march_far)


def _choose(
    match: Any, decision: Decision[Question], options: RegimentsOptions, rng: random.Random, rule: Rule
) -> Action:
    board: RegimentsBoard | None = match.board
    if board is None:
        return choose_plain(match, decision, options, rng)

    def order(unit: int, own: RegimentsOptions) -> OrderAction:
        if position.is_in_melee(board, board.units[unit]):
            return Fight()
        return rule(board, board.units[unit], own, rng)

    match decision.question:
        case SecretOrdersQuestion():
            return choose_secret_orders(options, order)
        case OrderQuestion(unit=unit):
            return order(unit, options)
        case _:
            return choose_plain(match, decision, options, rng)


def _charge_or_close_in(
    board: RegimentsBoard, unit: Unit, options: RegimentsOptions, rng: random.Random
) -> OrderAction:
    charges = [action for action in options.actions if isinstance(action, Charge)]
    if charges:
        return min(charges, key=lambda charge: position.distance(unit.cell, board.units[charge.target].cell))
    ends = _nearer_ends(board, unit, options)
    return March(min(ends, key=lambda end: (_gap(board, unit, end), rng.random())).path) if ends else Hold()


def _march_far(board: RegimentsBoard, unit: Unit, options: RegimentsOptions, rng: random.Random) -> OrderAction:
    ends = _nearer_ends(board, unit, options)
    if ends:
        return March(max(ends, key=lambda end: (position.distance(unit.cell, (end.x, end.y)), rng.random())).path)
    return _charge_or_close_in(board, unit, options, rng)


def _nearer_ends(board: RegimentsBoard, unit: Unit, options: RegimentsOptions) -> list[MarchEnd]:
    here = _gap(board, unit, MarchEnd(unit.x, unit.y, unit.facing, ()))
    return [end for limits in options.parametric for end in limits.ends if _gap(board, unit, end) < here]


def _gap(board: RegimentsBoard, unit: Unit, end: MarchEnd) -> int:
    """Return how far the end of a march is from the nearest enemy."""
    enemies = position.enemies(board, unit)
    return min((position.distance((end.x, end.y), enemy.cell) for enemy in enemies), default=0)


REFERENCES: dict[str, Chooser] = {"hold": choose_hold, "charge": choose_charge, "longest": choose_longest}
