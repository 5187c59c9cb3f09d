"""The greedy bot of regiments: charges where it expects to win the round, and marches to where it soon can.

It computes with exact chances and expected wounds, and looks as far as the next charge of either side; what it thinks
worth how much is in `weights`.
"""

import random

from msgspec.structs import replace

from diskwars_bots.rulesets.regiments import task_play
from diskwars_bots.rulesets.regiments.expectations import (
    ChargeValues,
    can_take_in_the_flank,
    charge_value,
    fight_or_retreat,
    may_charge,
    round_value,
)
from diskwars_bots.rulesets.regiments.secret_orders import choose_secret_orders
from diskwars_bots.rulesets.regiments.weights import (
    CHARGED_COST,
    EXPOSED_COST,
    IMPATIENCE,
    READY_GAIN,
    REFORM_GAIN,
)
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
    Reform,
    SecretOrdersQuestion,
)
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard, Unit
from diskwars_protocol.rulesets.regiments.events import Contact
from diskwars_protocol.rulesets.regiments.options import MarchEnd, RegimentsOptions


def choose_greedy(
    match: Match[Question, RegimentsBoard], decision: Decision[Question], options: RegimentsOptions, rng: random.Random
) -> Action:
    """Choose the order of the highest expected value; equal ones at random."""
    if match.board is None:
        return options.actions[0]
    return answer_on(match.board, decision.question, options, rng)


def answer_on(board: RegimentsBoard, question: Question, options: RegimentsOptions, rng: random.Random) -> Action:
    """Choose as `choose_greedy` does, which needs no more of a match than its board."""
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
        least = -IMPATIENCE * board.round if board.task is None else task_play.least_gain(board, board.task, unit)
        if charge_value(board, unit, best.target) > least:
            return best
    return _better_files(board, unit, options) or _best_march(board, unit, options, rng)


# ---------------------------------------------------------------- marches


def _best_march(board: RegimentsBoard, unit: Unit, options: RegimentsOptions, rng: random.Random) -> OrderAction:
    """Return the march to the best place, or hold if no place is better than where the unit is."""
    stay, charges = MarchEnd(unit.x, unit.y, unit.facing, ()), ChargeValues(board)
    ends = [stay, *(end for limits in options.parametric for end in limits.ends)]
    best = max(ends, key=lambda end: (place_value(board, unit, end, charges), end is stay, rng.random()))
    return March(best.path) if best.path else Hold()


def place_value(board: RegimentsBoard, unit: Unit, end: MarchEnd, charges: ChargeValues) -> float:
    """Return how good a place is, in steps: near an enemy that it faces, out of reach of charges that would win.

    Every enemy has an order before the next one of this unit, so that a unit in its reach may be charged first.
    `charges` are those of the board.
    """
    there = replace(unit, x=end.x, y=end.y, facing=end.facing)
    enemies = [enemy for enemy in position.enemies(board, unit) if enemy.status == "steady"]
    if not enemies:
        return 0.0
    nearest = min(
        position.distance(there.cell, enemy.cell) + 2 * (position.arc_of(there, enemy.cell) != "front")
        for enemy in enemies
    )
    exposed = sum(can_take_in_the_flank(board, enemy, there) for enemy in enemies)
    lost = max((charges.value(enemy, there) for enemy in enemies if may_charge(board, enemy, there)), default=0.0)
    won = max((charges.value(there, enemy) for enemy in enemies if may_charge(board, there, enemy)), default=0.0)
    if board.task is not None:
        by_task = task_play.place_value(board, board.task, unit, there)
        return (
            by_task - nearest / 2 - EXPOSED_COST * exposed - CHARGED_COST * max(0.0, lost) + READY_GAIN * max(0.0, won)
        )
    return -nearest - EXPOSED_COST * exposed - CHARGED_COST * max(0.0, lost) + READY_GAIN * max(0.0, won)


# ---------------------------------------------------------------- reforming


def _better_files(board: RegimentsBoard, unit: Unit, options: RegimentsOptions) -> Reform | None:
    """Return to reform to files in which it fights the nearest enemy better, while nobody can charge it (C-25)."""
    enemy = position.nearest_enemy(board, unit)
    if enemy is None or any(may_charge(board, other, unit) for other in position.enemies(board, unit)):
        return None
    reforms = [action for action in options.actions if isinstance(action, Reform)]
    scored = [(_width_value(board, replace(unit, files=reform.files), enemy), reform) for reform in reforms]
    best = max(scored, key=lambda pair: pair[0], default=None)
    if best is None or best[0] <= _width_value(board, unit, enemy) + REFORM_GAIN:
        return None
    return best[1]


def _width_value(board: RegimentsBoard, unit: Unit, enemy: Unit) -> float:
    """Return what a unit wins in a round in which it charges an enemy from the front, and in the next one."""
    ahead = position.beside(enemy, "front")
    facing = position.facing_towards(ahead, enemy.cell)
    there = replace(unit, x=ahead[0], y=ahead[1], facing=facing)
    units = tuple(there if other.id == unit.id else other for other in board.units)
    contact = replace(board, units=units, contacts=(Contact(unit.id, enemy.id),))
    return round_value(contact, replace(there, has_charged=True), enemy) + round_value(contact, there, enemy)
