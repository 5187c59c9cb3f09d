"""Plain play of regiments, which never changes: the answers of the opponents of one idea, but for their idea.

It computes with exact chances and expected wounds, and looks no further than the round that an order leads to.
"""

import random

from msgspec.structs import replace

from diskwars_bots.rulesets.regiments.expectations import can_take_in_the_flank, charge_value, fight_or_retreat
from diskwars_bots.rulesets.regiments.secret_orders import choose_secret_orders
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.state import Match
from diskwars_protocol.rulesets.regiments import position
from diskwars_protocol.rulesets.regiments.actions import (
    Action,
    Charge,
    Hold,
    March,
    OrderAction,
    OrderQuestion,
    Question,
    SecretOrdersQuestion,
)
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard, Unit
from diskwars_protocol.rulesets.regiments.options import MarchEnd, RegimentsOptions

IMPATIENCE = 1 / 30
"""The loss that a charge may bring, for each round: two lines that wait for each other draw the match."""
EXPOSED_COST = 3
"""The number of steps nearer to an enemy that are worth a flank or rear that an enemy can charge."""


def choose_plain(
    match: Match[Question, RegimentsBoard], decision: Decision[Question], options: RegimentsOptions, rng: random.Random
) -> Action:
    """Choose the order of the highest expected value; equal ones at random."""
    if match.board is None:
        return options.actions[0]
    return answer_on(match.board, decision.question, options, rng)


def answer_on(board: RegimentsBoard, question: Question, options: RegimentsOptions, rng: random.Random) -> Action:
    """Choose as `choose_plain` does, which needs no more of a match than its board."""
    if isinstance(question, SecretOrdersQuestion):
        return choose_secret_orders(options, lambda unit, own: choose_order(board, board.units[unit], own, rng))
    if isinstance(question, OrderQuestion):
        return choose_order(board, board.units[question.unit], options, rng)
    return options.actions[0]


def choose_order(board: RegimentsBoard, unit: Unit, options: RegimentsOptions, rng: random.Random) -> OrderAction:
    """Return the order of the highest expected value of one unit."""
    if position.is_in_melee(board, unit):
        return fight_or_retreat(board, unit)
    charges = [action for action in options.actions if isinstance(action, Charge)]
    if charges:
        best = max(charges, key=lambda charge: (charge_value(board, unit, charge.target), rng.random()))
        if charge_value(board, unit, best.target) > -IMPATIENCE * board.round:
            return best
    return _best_march(board, unit, options, rng)


# ---------------------------------------------------------------- marches


def _best_march(board: RegimentsBoard, unit: Unit, options: RegimentsOptions, rng: random.Random) -> OrderAction:
    """Return the march to the best place, or hold if no place is better than where the unit is."""
    stay = MarchEnd(unit.x, unit.y, unit.facing, ())
    ends = [stay, *(end for limits in options.parametric for end in limits.ends)]
    best = max(ends, key=lambda end: (place_value(board, unit, end), end is stay, rng.random()))
    return March(best.path) if best.path else Hold()


def place_value(board: RegimentsBoard, unit: Unit, end: MarchEnd) -> int:
    """Return how good a place is: near an enemy that it faces, with no flank or rear to be charged."""
    there = replace(unit, x=end.x, y=end.y, facing=end.facing)
    enemies = [enemy for enemy in position.enemies(board, unit) if enemy.status == "steady"]
    if not enemies:
        return 0
    nearest = min(
        position.distance(there.cell, enemy.cell) + 2 * (position.arc_of(there, enemy.cell) != "front")
        for enemy in enemies
    )
    exposed = sum(can_take_in_the_flank(board, enemy, there) for enemy in enemies)
    return -nearest - EXPOSED_COST * exposed
