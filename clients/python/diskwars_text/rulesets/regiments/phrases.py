"""Names and phrases of regiments: units, cells, orders, answers, results."""

from collections.abc import Iterable
from typing import Any

from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.ids import EndReason, seat_letter
from diskwars_protocol.match.state import Match
from diskwars_protocol.records.sealed import Sealed
from diskwars_protocol.rulesets.regiments import actions, odds, position
from diskwars_protocol.rulesets.regiments.actions import Question
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard, Unit
from diskwars_protocol.rulesets.regiments.events import Arc
from diskwars_text.phrases import (
    cell_text,
    counted,
    joined,
    number_namesakes,
    percent_text,
    result_text,
    seats_text,
    tag_text,
)
from diskwars_text.task_text import cells_text, task_sentence

END_REASON_TEXTS: dict[EndReason, str] = {
    "last_side": "the last side on the field",
    "round_limit": "the last round is over, and what is left of the units is compared",
    "task_done": "the task of the scenario is done",
    "task_failed": "the task of the scenario has failed",
}
ARC_TEXTS: dict[Arc, str] = {"front": "front", "left": "left flank", "right": "right flank", "rear": "rear"}


def unit_names(board: RegimentsBoard) -> tuple[str, ...]:
    """Return the name of each unit, such as `A Foot`; namesakes of one seat are numbered."""
    return number_namesakes([f"{seat_letter(unit.seat)} {board.profile(unit).name}" for unit in board.units])


def unit_name(board: RegimentsBoard, number: int) -> str:
    return unit_names(board)[number]


def task_text(board: RegimentsBoard) -> str:
    """Return what the task of the scenario asks of whom; nothing without a task (C-32)."""
    task = board.task
    if task is None:
        return ""
    side, other = (seats_text(board.sides[side]) for side in (task.side, task.opponent))
    own = [unit.id for unit in board.units if board.side(unit) == task.side]
    named = "" if task.piece is None else unit_name(board, own[task.piece])
    return task_sentence(task, side, other, "unit", named, cells_text)


def names_text(board: RegimentsBoard, numbers: Iterable[int]) -> str:
    names = unit_names(board)
    return joined(names[number] for number in numbers)


def state_text(board: RegimentsBoard, unit: Unit) -> str:
    """Return what a unit is doing, with whom it fights."""
    fights = position.opponents(board, unit)
    if not fights:
        return unit.status
    sides = (
        f"{unit_name(board, opponent.id)} in its {ARC_TEXTS[position.arc_of(unit, opponent.cell)]}"
        for opponent in fights
    )
    return f"in melee with {joined(sides)}"


def unit_text(board: RegimentsBoard, unit: Unit) -> str:
    """Return a unit with its place, its models and its figures."""
    profile = board.profile(unit)
    whole = sum(unit.models)
    wounds = f", {counted(whole, 'wound')}" if profile.wounds > 1 else ""
    weapon = board.weapon(profile.weapon)
    arms = f", {weapon.name.lower()}" if weapon.strength else ""
    figures = (
        f"M {profile.movement}, WS {profile.weapon_skill}, S {profile.strength}, T {profile.toughness}, "
        f"W {profile.wounds}, I {profile.initiative}, A {profile.attacks}, Ld {profile.leadership}, "
        f"AR {profile.armour}{arms}"
    )
    shape = f"{unit.size} of {unit.started} in {counted(unit.files, 'file')}{wounds}"
    place = f"{cell_text(unit.x, unit.y)} facing {unit.facing}"
    return f"{unit_name(board, unit.id)} {place}, {shape}, {state_text(board, unit)}: {figures}"


def thousandths_text(score: int) -> str:
    """Return `1.25` for 1250 thousandths; nothing is rounded, because a thousandth can decide a match."""
    return f"{score // 1000}.{score % 1000:03}".rstrip("0").rstrip(".")


def outcome_text(match: Match[Any, Any], result: Result) -> str:
    """Return who won, and what is left of the units of each seat: 1.95 is one whole unit and 95 % of another."""
    counts = ", ".join(f"{seat_letter(seat)} {thousandths_text(score)}" for seat, score in enumerate(result.scores))
    return result_text(result, END_REASON_TEXTS, f"strength left, in units: {counts}" if counts else "")


def question_text(board: RegimentsBoard, question: Question) -> str:
    """Return a question as a sentence."""
    if isinstance(question, actions.SecretOrdersQuestion):
        return f"which orders does each of these units get, in secret: {names_text(board, question.units)}?"
    if not isinstance(question, actions.OrderQuestion):
        return tag_text(question)
    unit = board.units[question.unit]
    if position.is_in_melee(board, unit):
        return f"does {unit_name(board, unit.id)} fight on or retreat? It is {state_text(board, unit)}"
    where = f"{cell_text(unit.x, unit.y)}, facing {unit.facing}"
    return f"what does {unit_name(board, unit.id)} do? It is at {where}"


def orders_text(board: RegimentsBoard, orders: Iterable[actions.UnitOrder]) -> str:
    """Return the orders of several units, each as it can be typed."""
    names = unit_names(board)
    return "; ".join(f"{names[unit_order.unit]} {action_text(board, unit_order.order)}" for unit_order in orders)


def action_text(board: RegimentsBoard, action: Any) -> str:
    """Return an answer as it is listed among the options, and can be typed."""
    match action:
        case actions.LockOrders(orders=orders):
            return "secret orders" if isinstance(orders, Sealed) else f"orders {orders_text(board, orders)}"
        case actions.March(path=path):
            return f"march {' '.join(path)}"
        case actions.Reform(files=files):
            return f"reform {files}"
        case actions.Charge(target=target) if target < len(board.units):
            return f"charge {unit_name(board, target)}"
        case _:
            return tag_text(action)


def odds_text(board: RegimentsBoard, question: Question, action: Any) -> str:
    """Return how likely attacks wound on both sides, after a charge, in a fight or on a unit that retreats."""
    if not isinstance(question, actions.OrderQuestion):
        return ""
    unit = board.units[question.unit]
    match action:
        case actions.Charge(target=target):
            return _exchange_text(board, unit, board.units[target], is_charging=True)
        case actions.Fight():
            enemies = position.opponents(board, unit)
            return "; ".join(_exchange_text(board, unit, enemy, is_charging=False) for enemy in enemies)
        case actions.Retreat():
            hackers = position.opponents(board, unit)
            chances = ((odds.hack_chance(board, hacker, unit), unit_name(board, hacker.id)) for hacker in hackers)
            return f"hacks that wound: {joined(f'{percent_text(chance)} of {name}' for chance, name in chances)}"
        case _:
            return ""


def _exchange_text(board: RegimentsBoard, unit: Unit, enemy: Unit, *, is_charging: bool) -> str:
    own = percent_text(odds.attack_chance(board, unit, enemy, is_charging))
    other = percent_text(odds.attack_chance(board, enemy, unit, is_charging=False))
    return f"attacks that wound: {own} of yours, {other} of {unit_name(board, enemy.id)}"
