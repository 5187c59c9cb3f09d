"""Names and phrases of regiments: units, cells, orders, answers, results."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from diskwars_protocol.match import EndReason, Match, Result, Seat, seat_letter
from diskwars_protocol.rulesets.regiments import actions, position
from diskwars_protocol.rulesets.regiments.actions import Question
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard, Unit
from diskwars_protocol.rulesets.regiments.events import Arc
from diskwars_protocol.sealed import Sealed

END_REASON_TEXTS: dict[EndReason, str] = {
    "last_side": "the last side on the field",
    "round_limit": "the last round is over, and what is left of the units is compared",
}
ARC_TEXTS: dict[Arc, str] = {"front": "front", "left": "left flank", "right": "right flank", "rear": "rear"}


def unit_names(board: RegimentsBoard) -> tuple[str, ...]:
    """Return the name of each unit, such as `A Foot`; namesakes of one seat are numbered."""
    plain = [f"{seat_letter(one.seat)} {board.profile(one).name}" for one in board.units]
    counts, seen = Counter(plain), Counter[str]()
    names = []
    for name in plain:
        seen[name] += 1
        names.append(f"{name} {seen[name]}" if counts[name] > 1 else name)
    return tuple(names)


def unit_name(board: RegimentsBoard, number: int) -> str:
    return unit_names(board)[number]


def joined(texts: Iterable[str]) -> str:
    """Join with commas and a final "and"."""
    *others, last = list(texts) or [""]
    return f"{', '.join(others)} and {last}" if others else last


def names_text(board: RegimentsBoard, numbers: Iterable[int]) -> str:
    names = unit_names(board)
    return joined(names[number] for number in numbers)


def cell_text(x: int, y: int) -> str:
    return f"({x}, {y})"


def counted(count: int, noun: str) -> str:
    """Return `1 model` or `3 models`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def state_text(board: RegimentsBoard, unit: Unit) -> str:
    """Return what a unit is doing, with whom it fights."""
    fights = position.opponents(board, unit)
    if not fights:
        return unit.status
    sides = (f"{unit_name(board, one.id)} in its {ARC_TEXTS[position.arc_of(unit, one.cell)]}" for one in fights)
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
    """Return who won, and what each seat has left, in whole units."""
    winners = joined(f"seat {seat_letter(seat)}" for seat in result.winners) or "nobody"
    counts = ", ".join(f"{seat_letter(seat)} {thousandths_text(score)}" for seat, score in enumerate(result.scores))
    why = END_REASON_TEXTS.get(result.end_reason, result.end_reason.replace("_", " "))
    return f"{winners} ({why}" + (f"; units left: {counts})" if counts else ")")


def question_text(board: RegimentsBoard | None, seat: Seat, question: Question) -> str:
    """Return a question as a sentence."""
    who = f"seat {seat_letter(seat)}"
    if board is not None and isinstance(question, actions.SecretOrdersQuestion):
        units = names_text(board, question.units)
        return f"{who}: which orders does each of these units get, in secret until all are locked: {units}?"
    if board is None or not isinstance(question, actions.OrderQuestion):
        return f"{who}: {str(question.__struct_config__.tag).replace('_', ' ')}"
    unit = board.units[question.unit]
    if position.is_in_melee(board, unit):
        return f"{who}: does {unit_name(board, unit.id)} fight on or retreat? It is {state_text(board, unit)}"
    where = f"in {cell_text(unit.x, unit.y)} facing {unit.facing}"
    return f"{who}: what does {unit_name(board, unit.id)} do, {where}?"


def orders_text(board: RegimentsBoard, orders: Iterable[actions.UnitOrder]) -> str:
    """Return the orders of several units, each as it can be typed."""
    names = unit_names(board)
    return "; ".join(f"{names[one.unit]} {action_text(board, one.order)}" for one in orders)


def action_text(board: RegimentsBoard | None, action: Any) -> str:
    """Return an answer as it is listed among the options, and can be typed."""
    match action:
        case actions.LockOrders(orders=orders) if board is not None:
            return "secret orders" if isinstance(orders, Sealed) else f"orders {orders_text(board, orders)}"
        case actions.March(path=path):
            return f"march {' '.join(path)}"
        case actions.Reform(files=files):
            return f"reform {files}"
        case actions.Charge(target=target) if board is not None and target < len(board.units):
            return f"charge {unit_name(board, target)}"
        case _:
            return str(action.__struct_config__.tag).replace("_", " ")
