"""Invariants of every board of regiments between decisions."""

from diskwars_protocol.rulesets.regiments import position
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard, Unit
from diskwars_protocol.rulesets.regiments.events import Contact


def check(board: RegimentsBoard) -> list[str]:
    """List what is broken, in words."""
    on_field = position.fielded(board)
    cells = [unit.cell for unit in on_field]
    problems = []
    if len(set(cells)) != len(cells):
        problems.append("two units in one cell")
    if not all(position.is_on_field(board, cell) for cell in cells):
        problems.append("a unit is off the field")
    if any(position.is_obstacle(board, cell) for cell in cells):
        problems.append("a unit is on an obstacle")
    if len(set(board.waiting)) != len(board.waiting):
        problems.append("a unit acts twice in a round")
    if board.locks and (board.phase != "orders" or not board.settings.secret_orders) and not board.withdrawn:
        problems.append("orders are locked, and not revealed when they are due")
    for unit in board.units:
        problems += _unit_problems(board, unit)
    for contact in board.contacts:
        problems += _contact_problems(board, contact)
    return problems


def _unit_problems(board: RegimentsBoard, unit: Unit) -> list[str]:
    problems = []
    if (unit.status == "destroyed") != (unit.size == 0):
        problems.append(f"unit {unit.id} is {unit.status} with {unit.size} models")
    if unit.size > unit.started or max(unit.models, default=0) > board.profile(unit).wounds:
        problems.append(f"unit {unit.id} has more models or wounds than it began with")
    if unit.status == "fleeing" and position.is_in_melee(board, unit):
        problems.append(f"unit {unit.id} flees in melee")
    return problems


def _contact_problems(board: RegimentsBoard, contact: Contact) -> list[str]:
    one, other = board.units[contact.charger], board.units[contact.target]
    if not one.is_fielded or not other.is_fielded:
        return [f"units {one.id} and {other.id} are in contact off the field"]
    if board.side(one) == board.side(other) or position.distance(one.cell, other.cell) != 1:
        return [f"units {one.id} and {other.id} are in contact without being enemies in neighbouring cells"]
    return []
