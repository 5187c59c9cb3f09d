"""The greedy bot of regiments: charges where it expects to win the round, and marches to where it soon can.

It computes with exact chances and expected wounds, and looks as far as the next charge of either side; what it thinks
worth how much is in `weights`.
"""

import random
from collections.abc import Sequence
from fractions import Fraction

from msgspec.structs import replace

from diskwars_bots.rulesets.regiments.secret_orders import choose_secret_orders
from diskwars_bots.rulesets.regiments.weights import (
    CHARGED_COST,
    EXPOSED_COST,
    FLIGHT_COST,
    IMPATIENCE,
    READY_GAIN,
    REFORM_GAIN,
)
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
    Reform,
    Retreat,
    SecretOrdersQuestion,
)
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard, Unit
from diskwars_protocol.rulesets.regiments.events import Contact, Touch
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
        return _fight_or_retreat(board, unit)
    charges = [action for action in options.actions if isinstance(action, Charge)]
    if charges:
        best = max(charges, key=lambda charge: (charge_value(board, unit, charge.target), rng.random()))
        if charge_value(board, unit, best.target) > -IMPATIENCE * board.round:
            return best
    return _better_files(board, unit, options) or _best_march(board, unit, options, rng)


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
    """Return how good a place is, in steps: near an enemy that it faces, out of reach of charges that would win.

    Every enemy has an order before the next one of this unit, so that a unit in its reach may be charged first.
    """
    there = replace(unit, x=end.x, y=end.y, facing=end.facing)
    enemies = [enemy for enemy in position.enemies(board, unit) if enemy.status == "steady"]
    if not enemies:
        return Fraction(0)
    nearest = min(
        position.distance(there.cell, enemy.cell) + 2 * (position.arc_of(there, enemy.cell) != "front")
        for enemy in enemies
    )
    exposed = sum(_can_take_in_the_flank(board, enemy, there) for enemy in enemies)
    moved = replace(board, units=tuple(there if other.id == unit.id else other for other in board.units))
    lost = max(
        (charge_value(moved, enemy, unit.id) for enemy in enemies if _may_charge(moved, enemy, there)),
        default=Fraction(0),
    )
    won = max(
        (charge_value(moved, there, enemy.id) for enemy in enemies if _may_charge(moved, there, enemy)),
        default=Fraction(0),
    )
    return (
        -nearest - EXPOSED_COST * exposed - CHARGED_COST * max(Fraction(0), lost) + READY_GAIN * max(Fraction(0), won)
    )


def _may_charge(board: RegimentsBoard, unit: Unit, target: Unit) -> bool:
    """Return whether a unit could charge another from where it is, ways apart (C-26)."""
    if position.is_in_melee(board, unit) or position.arc_of(unit, target.cell) != "front":
        return False
    return position.distance(unit.cell, target.cell) <= board.profile(unit).movement + 1


# ---------------------------------------------------------------- reforming


def _better_files(board: RegimentsBoard, unit: Unit, options: RegimentsOptions) -> Reform | None:
    """Return to reform to files in which it fights the nearest enemy better, while nobody can charge it (C-25)."""
    enemy = position.nearest_enemy(board, unit)
    if enemy is None or any(_may_charge(board, other, unit) for other in position.enemies(board, unit)):
        return None
    reforms = [action for action in options.actions if isinstance(action, Reform)]
    scored = [(_width_value(board, replace(unit, files=reform.files), enemy), reform) for reform in reforms]
    best = max(scored, key=lambda pair: pair[0], default=None)
    if best is None or best[0] <= _width_value(board, unit, enemy) + REFORM_GAIN:
        return None
    return best[1]


def _width_value(board: RegimentsBoard, unit: Unit, enemy: Unit) -> Fraction:
    """Return what a unit wins in a round in which it charges an enemy from the front, and in the next one."""
    ahead = position.beside(enemy, "front")
    facing = position.facing_towards(ahead, enemy.cell)
    there = replace(unit, x=ahead[0], y=ahead[1], facing=facing)
    units = tuple(there if other.id == unit.id else other for other in board.units)
    contact = replace(board, units=units, contacts=(Contact(unit.id, enemy.id),))
    return _round_value(contact, replace(there, has_charged=True), enemy) + _round_value(contact, there, enemy)


def _can_take_in_the_flank(board: RegimentsBoard, enemy: Unit, unit: Unit) -> bool:
    """Return whether an enemy could charge a flank or the rear of a unit from where it is, ways apart."""
    if position.is_in_melee(board, enemy) or position.charge_arc(enemy, unit) == "front":
        return False
    is_ahead = position.arc_of(enemy, unit.cell) == "front"
    return is_ahead and position.distance(enemy.cell, unit.cell) <= board.profile(enemy).movement + 1
