"""Plain play of regiments, which never changes: the answers of the opponents of one idea, but for their idea.

It computes with exact chances and expected wounds, and looks no further than the round that an order leads to.
"""

import random
from collections.abc import Sequence
from fractions import Fraction

from msgspec.structs import replace

from diskwars_bots.rulesets.regiments.secret_orders import choose_secret_orders
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.state import Match
from diskwars_protocol.rulesets.regiments import checks, formation, odds, position
from diskwars_protocol.rulesets.regiments.actions import (
    Action,
    Charge,
    Fight,
    Hold,
    March,
    OrderAction,
    OrderQuestion,
    Question,
    Retreat,
    SecretOrdersQuestion,
)
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard, Unit
from diskwars_protocol.rulesets.regiments.events import Contact, Touch
from diskwars_protocol.rulesets.regiments.options import MarchEnd, RegimentsOptions

FLIGHT_COST = Fraction(3, 5)
"""The part of a unit that its flight costs: it may leave the field, and seldom rallies in time."""
IMPATIENCE = Fraction(1, 30)
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
        return _fight_or_retreat(board, unit)
    charges = [action for action in options.actions if isinstance(action, Charge)]
    if charges:
        best = max(charges, key=lambda charge: (charge_value(board, unit, charge.target), rng.random()))
        if charge_value(board, unit, best.target) > -IMPATIENCE * board.round:
            return best
    return _best_march(board, unit, options, rng)


# ---------------------------------------------------------------- charges


def charge_value(board: RegimentsBoard, unit: Unit, target: int) -> Fraction:
    """Return what the first round after a charge is worth, with the test of a unit taken in the flank or rear."""
    enemy = board.units[target]
    arc = position.charge_arc(unit, enemy)
    cell = position.beside(enemy, arc)
    facing = position.facing_towards(cell, enemy.cell)
    charging = replace(unit, x=cell[0], y=cell[1], facing=facing, has_charged=True)
    units = tuple(charging if other.id == unit.id else other for other in board.units)
    there = replace(board, units=units, contacts=(*board.contacts, Contact(unit.id, target)))
    value = _round_value(there, charging, enemy)
    if arc == "front" or not board.settings.flank_test:
        return value
    flees = 1 - odds.pass_chance(board.profile(enemy).leadership, "d12")
    return flees * FLIGHT_COST + (1 - flees) * value


def _round_value(board: RegimentsBoard, unit: Unit, enemy: Unit) -> Fraction:
    """Return what a round between two units in contact is worth: the part of the enemy lost, less that of the unit.

    The unit that strikes first weakens the answer. One that breaks is hacked, and half lost.
    """
    touches = formation.all_touches(board)
    dealt = _expected_wounds(board, unit, enemy, touches)
    taken = _expected_wounds(board, enemy, unit, touches)
    first, second = checks.priority_of(board, unit), checks.priority_of(board, enemy)
    if first > second:
        taken *= _unhurt_part(board, enemy, dealt, touches)
    elif second > first:
        dealt *= _unhurt_part(board, unit, taken, touches)
    margin = dealt + _bonus(board, unit, enemy) - taken - _bonus(board, enemy, unit)
    they_lose = dealt / sum(enemy.models) + _flight_chance(board, enemy, -margin) * _flight_cost(board, enemy, [unit])
    we_lose = taken / sum(unit.models) + _flight_chance(board, unit, margin) * _flight_cost(board, unit, [enemy])
    return they_lose - we_lose


def _expected_wounds(board: RegimentsBoard, unit: Unit, enemy: Unit, touches: tuple[Touch, ...]) -> Fraction:
    """Return the wounds that a unit deals on average; a model that touches another enemy too divides its attacks."""
    chance = odds.attack_chance(board, unit, enemy, unit.has_charged)
    attacks = Fraction(0)
    for pairs in formation.targets_by_model(touches, unit.id).values():
        on_enemy = sum(id == enemy.id for id, _ in pairs)
        attacks += Fraction(board.profile(unit).attacks * on_enemy, len(pairs))
    return min(attacks * chance, Fraction(sum(enemy.models)))


def _unhurt_part(board: RegimentsBoard, unit: Unit, wounds: Fraction, touches: tuple[Touch, ...]) -> Fraction:
    """Return which part of the models in contact is left after wounds."""
    in_contact = len(formation.targets_by_model(touches, unit.id))
    dead = wounds / board.profile(unit).wounds
    return max(Fraction(0), 1 - dead / max(1, in_contact))


def _bonus(board: RegimentsBoard, unit: Unit, enemy: Unit) -> int:
    """Return the points that a unit adds to the score of its side by ranks, flank or rear."""
    bonus = formation.rank_bonus(unit.size, unit.files)
    if unit.size < formation.MIN_RANK and board.profile(unit).size == "regular":
        return bonus
    return bonus + {"front": 0, "left": 1, "right": 1, "rear": 2}[position.arc_of(enemy, unit.cell)]


def _flight_chance(board: RegimentsBoard, unit: Unit, margin: Fraction) -> Fraction:
    """Return the chance that a unit breaks that wins by a margin, or loses by one below 0."""
    if margin >= 0:
        return Fraction(0)
    needed = board.profile(unit).leadership - round(-margin)
    return 1 - odds.pass_chance(needed, board.settings.break_die)


def _flight_cost(board: RegimentsBoard, unit: Unit, enemies: Sequence[Unit]) -> Fraction:
    """Return the part of a unit that is lost when it flees from enemies that hack at it."""
    touches, hacked = formation.all_touches(board), Fraction(0)
    for enemy in enemies:
        models = len(formation.targets_by_model(touches, enemy.id))
        hacked += models * board.profile(enemy).attacks * odds.hack_chance(board, enemy, unit)
    return FLIGHT_COST + min(1 - FLIGHT_COST, hacked / sum(unit.models))


# ---------------------------------------------------------------- in melee


def _fight_or_retreat(board: RegimentsBoard, unit: Unit) -> OrderAction:
    """Retreat only from a round that is expected to cost more than the hacks and the flight do."""
    enemies = position.opponents(board, unit)
    fighting = sum((_round_value(board, unit, enemy) for enemy in enemies), Fraction(0))
    return Retreat() if -_flight_cost(board, unit, enemies) > fighting else Fight()


# ---------------------------------------------------------------- marches


def _best_march(board: RegimentsBoard, unit: Unit, options: RegimentsOptions, rng: random.Random) -> OrderAction:
    """Return the march to the best place, or hold if no place is better than where the unit is."""
    stay = MarchEnd(unit.x, unit.y, unit.facing, ())
    ends = [stay, *(end for limits in options.parametric for end in limits.ends)]
    best = max(ends, key=lambda end: (place_value(board, unit, end), end is stay, rng.random()))
    return March(best.path) if best.path else Hold()


def place_value(board: RegimentsBoard, unit: Unit, end: MarchEnd) -> Fraction:
    """Return how good a place is: near an enemy that it faces, with no flank or rear to be charged."""
    there = replace(unit, x=end.x, y=end.y, facing=end.facing)
    enemies = [enemy for enemy in position.enemies(board, unit) if enemy.status == "steady"]
    if not enemies:
        return Fraction(0)
    nearest = min(
        position.distance(there.cell, enemy.cell) + 2 * (position.arc_of(there, enemy.cell) != "front")
        for enemy in enemies
    )
    exposed = sum(_can_take_in_the_flank(board, enemy, there) for enemy in enemies)
    return Fraction(-nearest - EXPOSED_COST * exposed)


def _can_take_in_the_flank(board: RegimentsBoard, enemy: Unit, unit: Unit) -> bool:
    """Return whether an enemy could charge a flank or the rear of a unit from where it is, ways apart."""
    if position.is_in_melee(board, enemy) or position.charge_arc(enemy, unit) == "front":
        return False
    is_ahead = position.arc_of(enemy, unit.cell) == "front"
    return is_ahead and position.distance(enemy.cell, unit.cell) <= board.profile(enemy).movement + 1
