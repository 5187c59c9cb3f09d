"""Narration of a match of regiments: events as lines of text, with dice, what they needed, and rule ids."""

from typing import Any

from diskwars_protocol.match.ids import seat_letter
from diskwars_protocol.rulesets.regiments import events
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard
from diskwars_protocol.rulesets.regiments.events import AttackRoll, Needs, RegimentsEvent
from diskwars_protocol.rulesets.regiments.vocabulary import REGIMENTS
from diskwars_text.narration import Narration
from diskwars_text.phrases import cell_text, counted, faces_text, joined, seat_text
from diskwars_text.rulesets.regiments.phrases import (
    ARC_TEXTS,
    action_text,
    names_text,
    orders_text,
    outcome_text,
    task_text,
    unit_name,
    unit_names,
)
from diskwars_text.task_text import cells_text

FLIGHTS: dict[events.FlightReason, str] = {
    "broken": "breaks and flees",
    "retreated": "retreats",
    "flanked": "flees from the charge",
    "still_fleeing": "flees on",
}
HACKS: dict[events.HackMoment, str] = {
    "contact": "hacks at",
    "passing": "hacks in passing at",
    "pursuit": "catches and hacks at",
}
ROUTS: dict[events.RoutReason, str] = {"left_the_field": "leaves the field", "rout_test": "disbands"}


def _event_lines(board: RegimentsBoard, event: RegimentsEvent) -> list[str]:
    match event:
        case events.RegimentsMatchStarted():
            names = ", ".join(unit_names(board))
            lines = [f"The field is {event.width} cells wide and {event.height} deep. On it: {names}"]
            if event.obstacles:
                lines.append(f"Obstacles: {', '.join(map(cells_text, event.obstacles))}")
            return [*lines, *([] if event.task is None else [f"The task: {task_text(board)}"])]
        case events.RoundBegan() | events.SpeedRolled() | events.TurnOrderSet() | events.CombatsFixed():
            return _course_lines(board, event)
        case events.PhaseBegan() | events.UnitActed() | events.RoundEnded() | events.ContactsEnded():
            return []
        case events.AttacksRolled() | events.HacksRolled():
            return _attack_lines(board, event)
        case events.CombatScored():
            return _score_lines(board, event)
        case events.OrdersLocked():
            return [f"Seat {seat_letter(event.seat)} locks its orders"]
        case events.OrdersRevealed():
            return [f"Seat {seat_letter(lock.seat)} orders: {orders_text(board, lock.orders)}" for lock in event.locks]
        case events.SeatWithdrew():
            return [f"The units of seat {seat_letter(event.seat)} leave the field"]
        case _:
            return [f"  {_unit_line(board, event)}"]


def _course_lines(board: RegimentsBoard, event: Any) -> list[str]:
    match event:
        case events.RoundBegan():
            return ["", f"== Round {event.round} of {board.rounds}"]
        case events.SpeedRolled():
            return [f"Equal speed: {names_text(board, event.units)} roll {faces_text(event.dice)}"]
        case events.TurnOrderSet():
            return [f"They act in this order: {names_text(board, event.order)}"]
        case _:
            return [f"-- Combat {number}: {names_text(board, group)}" for number, group in enumerate(event.combats, 1)]


def _attack_lines(board: RegimentsBoard, event: events.AttacksRolled | events.HacksRolled) -> list[str]:
    """Return who strikes, with what each target needs, and the dice of each attack."""
    name = unit_name(board, event.unit)
    lost = f"; {counted(event.attacks_lost, 'attack')} without a target" if event.attacks_lost else ""
    if isinstance(event, events.AttacksRolled):
        head = f"  {name} strikes in step {event.priority}: {counted(len(event.attacks), 'attack')}"
    else:
        head = f"  {name} {HACKS[event.moment]} {unit_name(board, event.target)}"
    needs = {need.target: need for need in event.needs}
    lines = [f"{head}, strength {event.strength}{lost}"]
    for target, need in needs.items():
        own = [attack for attack in event.attacks if attack.target == target]
        wounds = sum(attack.wounded for attack in own)
        rolls = ", ".join(map(_roll_text, own))
        wounded = counted(wounds, "wound")
        lines.append(f"    on {unit_name(board, target)}: {_needs_text(need)}; dice {rolls}: {wounded}")
    return lines


def _needs_text(need: Needs) -> str:
    hit = "hits without a roll" if need.hit is None else f"hits on {need.hit}+"
    wound = "cannot wound" if need.wound is None else f"wounds on {need.wound}+"
    save = "no save" if not need.save else f"saved on {need.save} or less"
    return f"{hit}, {wound}, {save}"


def _roll_text(attack: AttackRoll) -> str:
    """Return the dice of one attack as `4/5/3`, a wound with an asterisk."""
    faces = [str(face) for face in (attack.hit, attack.wound, attack.save) if face is not None]
    return ("/".join(faces) or "-") + ("*" if attack.wounded else "")


def _score_lines(board: RegimentsBoard, event: events.CombatScored) -> list[str]:
    names = [_side_name(board, side) for side in (0, 1)]
    side_scores = (f"{name} {_score_text(score)}" for name, score in zip(names, event.side_scores, strict=True))
    end = "a draw" if event.loser is None else f"{names[event.loser]} loses by {event.difference}"
    return [f"  Score of combat {event.combat + 1}: {', '.join(side_scores)}: {end}"]


def _side_name(board: RegimentsBoard, side: int) -> str:
    return joined(seat_text(seat) for seat in board.sides[side])


def _score_text(score: events.SideScore) -> str:
    """Return a total with what it is made of."""
    items = ((score.wounds, "wounds"), (score.ranks, "ranks"), (score.flanks, "flanks"), (score.rears, "rears"))
    parts = ", ".join(f"{noun} {value}" for value, noun in items if value)
    return f"{score.total} ({parts})" if parts else "0"


def _unit_line(board: RegimentsBoard, event: Any) -> str:
    """Return the line about one unit."""
    name = unit_name(board, event.unit)
    match event:
        case events.FlankTested() | events.BreakTested() | events.RoutTested() | events.RallyTested():
            return f"{name} {_test_text(event)}"
        case events.ModelsWounded():
            return f"{name} {_losses_text(board, event)}"
        case events.FlightBegan() | events.UnitFled() | events.UnitRouted() | events.UnitDestroyed():
            return f"{name} {_flight_text(board, event)}"
        case events.PursuitRolled():
            rolled = f"rolls {faces_text(event.dice)}, in all {event.pursuit} against {event.flight}"
            caught = "catches it" if event.caught else "does not catch it"
            return f"{name} pursues {unit_name(board, event.target)}, {rolled}: {caught}"
        case _:
            return f"{name} {_order_text(board, event)}"


def _test_text(event: Any) -> str:
    kinds = {
        events.FlankTested: "tests whether it stands the charge",
        events.BreakTested: "tests whether it breaks",
        events.RoutTested: "tests for rout",
        events.RallyTested: "tries to rally",
    }
    passed = "passed" if event.passed else "failed"
    return f"{kinds[type(event)]}: rolls {faces_text(event.dice)}, at most {event.needed} needed: {passed}"


def _losses_text(board: RegimentsBoard, event: events.ModelsWounded) -> str:
    dead = sum(state.wounds == 0 for state in event.models)
    unit = board.units[event.unit]
    left = f"{unit.size} of {unit.started} left"
    if board.profile(unit).wounds == 1:
        return f"loses {counted(dead, 'model')}, {left}"
    return f"takes {counted(event.taken, 'wound')} and loses {counted(dead, 'model')}, {left}"


def _flight_text(board: RegimentsBoard, event: Any) -> str:
    match event:
        case events.FlightBegan():
            return f"{FLIGHTS[event.reason_kind]} {event.facing} from {unit_name(board, event.enemy)}"
        case events.UnitFled():
            return f"runs to {cell_text(event.x, event.y)}"
        case events.UnitRouted():
            return f"{ROUTS[event.reason_kind]} and is routed"
        case _:
            return "is destroyed"


def _order_text(board: RegimentsBoard, event: Any) -> str:
    match event:
        case events.UnitMarched():
            return f"marches {', '.join(event.path)} to {cell_text(event.x, event.y)}, facing {event.facing}"
        case events.OrderReplaced():
            locked, order = action_text(board, event.locked), action_text(board, event.order)
            return f"cannot carry out its order to {locked}; instead: {order}"
        case events.UnitReformed():
            return f"reforms to {event.files} files"
        case events.UnitCharged():
            return f"charges {unit_name(board, event.target)} in the {ARC_TEXTS[event.arc]}"
        case events.UnitPursued():
            return f"advances to {cell_text(event.x, event.y)}, facing {event.facing}"
        case events.UnitRallied():
            return f"rallies, facing {event.facing}"
        case _:
            return f"closes its ranks: {counted(len(event.models), 'model')}"


NARRATION = Narration(REGIMENTS, lambda before, board, event: _event_lines(board, event), outcome_text)
