"""What fights of regiments are expected to bring, with mean wounds in place of dice: what all bots but `random` share.

Values are parts of a unit: what the enemy loses, less what the own unit does. They are rounded, so that equal ones are
equal whichever way they were added up.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from diskwars_bots.rulesets.regiments.weights import FLIGHT_COST
from diskwars_protocol.rulesets.regiments import checks, formation, odds, position
from diskwars_protocol.rulesets.regiments.actions import Fight, OrderAction, Retreat, UnitId
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard, Unit
from diskwars_protocol.rulesets.regiments.events import Arc, Contact, Touch

DIGITS = 9
ARC_BONUS: dict[Arc, int] = {"front": 0, "left": 1, "right": 1, "rear": 2}
"""C-10: what a side adds to its score by where it fights an enemy."""


class ChargeValues:
    """The values of charges on one board, each kept for the arc that it hits: on what else places bear is nothing.

    It is for places of units that are in no melee; the units are those of the board in all but their places.
    """

    def __init__(self, board: RegimentsBoard) -> None:
        self._board = board
        self._known: dict[tuple[UnitId, UnitId, Arc], float] = {}

    def value(self, unit: Unit, enemy: Unit) -> float:
        """Return what a charge is worth from where the units are."""
        key = unit.id, enemy.id, position.charge_arc(unit, enemy)
        known = self._known.get(key)
        if known is None:
            places = {unit.id: unit, enemy.id: enemy}
            units = tuple(places.get(other.id, other) for other in self._board.units)
            known = self._known[key] = charge_value(replace(self._board, units=units), unit, enemy.id)
        return known


def charge_value(board: RegimentsBoard, unit: Unit, target: UnitId) -> float:
    """Return what the first round after a charge is worth, with the test of a unit taken in the flank or rear."""
    enemy = board.units[target]
    arc = position.charge_arc(unit, enemy)
    cell = position.beside(enemy, arc)
    facing = position.facing_towards(cell, enemy.cell)
    charging = replace(unit, x=cell[0], y=cell[1], facing=facing, has_charged=True)
    units = tuple(charging if other.id == unit.id else other for other in board.units)
    there = replace(board, units=units, contacts=(*board.contacts, Contact(unit.id, target)))
    value = round_value(there, charging, enemy)
    if arc == "front" or not board.settings.flank_test:
        return value
    flees = 1 - float(odds.pass_chance(board.profile(enemy).leadership, "d12"))
    return round(flees * FLIGHT_COST + (1 - flees) * value, DIGITS)


def round_value(board: RegimentsBoard, unit: Unit, enemy: Unit) -> float:
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
    margin = round(dealt + _bonus(board, unit, enemy) - taken - _bonus(board, enemy, unit), DIGITS)
    they_lose = dealt / sum(enemy.models)
    we_lose = taken / sum(unit.models)
    if margin > 0:
        they_lose += _flight_chance(board, enemy, margin) * _flight_cost(board, enemy, [unit], touches)
    elif margin < 0:
        we_lose += _flight_chance(board, unit, -margin) * _flight_cost(board, unit, [enemy], touches)
    return round(they_lose - we_lose, DIGITS)


def _expected_wounds(board: RegimentsBoard, unit: Unit, enemy: Unit, touches: Sequence[Touch]) -> float:
    """Return the wounds that a unit deals on average; a model that touches another enemy too divides its attacks."""
    chance, attacks = float(odds.attack_chance(board, unit, enemy, unit.has_charged)), 0.0
    for pairs in formation.targets_by_model(touches, unit.id).values():
        attacks += sum(id == enemy.id for id, _ in pairs) / len(pairs)
    return min(attacks * board.profile(unit).attacks * chance, float(sum(enemy.models)))


def _unhurt_part(board: RegimentsBoard, unit: Unit, wounds: float, touches: Sequence[Touch]) -> float:
    """Return which part of the models in contact is left after wounds."""
    in_contact = len(formation.targets_by_model(touches, unit.id))
    dead = wounds / board.profile(unit).wounds
    return max(0.0, 1 - dead / max(1, in_contact))


def _bonus(board: RegimentsBoard, unit: Unit, enemy: Unit) -> int:
    """Return the points that a unit adds to the score of its side by ranks, flank or rear."""
    size = unit.size
    bonus = formation.rank_bonus(size, unit.files)
    if size < formation.MIN_RANK and board.profile(unit).size == "regular":
        return bonus
    return bonus + ARC_BONUS[position.arc_of(enemy, unit.cell)]


def _flight_chance(board: RegimentsBoard, unit: Unit, lost_by: float) -> float:
    """Return the chance that a unit breaks that loses a round by some points."""
    needed = board.profile(unit).leadership - round(lost_by)
    return 1 - float(odds.pass_chance(needed, board.settings.break_die))


def _flight_cost(board: RegimentsBoard, unit: Unit, enemies: Sequence[Unit], touches: Sequence[Touch]) -> float:
    """Return the part of a unit that is lost when it flees from enemies that hack at it."""
    hacked = 0.0
    for enemy in enemies:
        models = len(formation.targets_by_model(touches, enemy.id))
        hacked += models * board.profile(enemy).attacks * float(odds.hack_chance(board, enemy, unit))
    return FLIGHT_COST + min(1 - FLIGHT_COST, hacked / sum(unit.models))


def fight_or_retreat(board: RegimentsBoard, unit: Unit) -> OrderAction:
    """Retreat only from a round that is expected to cost more than the hacks and the flight do."""
    enemies = position.opponents(board, unit)
    fighting = sum(round_value(board, unit, enemy) for enemy in enemies)
    leaving = -_flight_cost(board, unit, enemies, formation.all_touches(board))
    return Retreat() if round(leaving, DIGITS) > round(fighting, DIGITS) else Fight()


def may_charge(board: RegimentsBoard, unit: Unit, target: Unit) -> bool:
    """Return whether a unit could charge another from where it is, ways apart (C-26)."""
    if position.is_in_melee(board, unit) or position.arc_of(unit, target.cell) != "front":
        return False
    return position.distance(unit.cell, target.cell) <= board.profile(unit).movement + 1


def can_take_in_the_flank(board: RegimentsBoard, enemy: Unit, unit: Unit) -> bool:
    """Return whether an enemy could charge a flank or the rear of a unit from where it is, ways apart."""
    return position.charge_arc(enemy, unit) != "front" and may_charge(board, enemy, unit)
