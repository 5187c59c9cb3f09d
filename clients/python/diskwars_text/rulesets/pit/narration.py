"""Narration of a match of the pit: events as lines of text, with dice, what they needed, and rule ids."""

from collections.abc import Sequence
from typing import Any

from diskwars_protocol.match.ids import seat_letter
from diskwars_protocol.rulesets.pit import events
from diskwars_protocol.rulesets.pit.board import PitBoard
from diskwars_protocol.rulesets.pit.events import Check, PitEvent
from diskwars_protocol.rulesets.pit.vocabulary import PIT
from diskwars_text.narration import Narration
from diskwars_text.phrases import cell_text, faces_text, joined, seat_text, seats_text
from diskwars_text.rulesets.pit.phrases import (
    attacks_text,
    fighter_name,
    fighter_names,
    names_text,
    order_text,
    outcome_text,
    task_text,
)
from diskwars_text.task_text import cells_text

WITHDRAWALS = {"routed": "is routed", "conceded": "concedes", "resigned": "resigns"}
PHASE_TITLES = {"engage": "engages", "move": "moves", "melee": "fights"}


def _event_lines(board: PitBoard, event: PitEvent) -> list[str]:
    match event:
        case events.PitMatchStarted():
            names = ", ".join(fighter_names(board))
            lines = [f"The pit is {event.width} cells wide and {event.height} deep. On the field: {names}"]
            if event.walls:
                lines.append(f"Walls: {', '.join(map(cells_text, event.walls))}")
            return [*lines, *([] if event.task is None else [f"The task: {task_text(board)}"])]
        case (
            events.TurnOrderRolled()
            | events.TurnOrderSet()
            | events.RoundBegan()
            | events.TurnBegan()
            | events.PhaseBegan()
            | events.MoraleChecked()
            | events.SeatWithdrew()
            | events.CombatsFixed()
            | events.CombatBegan()
            | events.CombatEnded()
        ):
            return _course_lines(board, event)
        case events.AgilityRolled():
            names = names_text(board, event.fighters)
            return [f"  Equal agility: {names} roll {faces_text(event.dice)}"]
        case events.MeleeRolled() | events.DefenceRolled() | events.HitsDropped() | events.AttacksDeclared():
            return _attack_lines(board, event)
        case events.TargetResolved() | events.SlotTaken():
            return []  # what the fighter does comes next
        case _:
            return [f"  {_fighter_line(board, event)}"]


def _course_lines(board: PitBoard, event: Any) -> list[str]:
    """Return the lines about the course of the game."""
    match event:
        case events.TurnOrderRolled():
            seats = seats_text(event.seats)
            return [f"The order of turns is rolled: {seats} roll {faces_text(event.dice)}"]
        case events.TurnOrderSet():
            return [f"The order of turns: {', then '.join(seat_text(seat) for seat in event.order)}"]
        case events.RoundBegan():
            return ["", f"== Round {event.round} of {board.rounds}"]
        case events.TurnBegan():
            return [f"-- Turn of seat {seat_letter(event.seat)}"]
        case events.PhaseBegan():
            return (
                []
                if event.phase not in PHASE_TITLES
                else [f" Seat {seat_letter(board.seat)} {PHASE_TITLES[event.phase]}"]
            )
        case events.MoraleChecked():
            who = "no leader or hero is left" if event.fighter is None else fighter_name(board, event.fighter)
            rolled = "" if event.dice is None else f" rolls {faces_text(event.dice)}, {event.needed}+ needed"
            return [f" Rout check: {who}{rolled}: {_passed_text(event.passed)}"]
        case events.SeatWithdrew():
            return [
                f"Seat {seat_letter(event.seat)} {WITHDRAWALS[event.reason_kind]}, and its fighters leave the field"
            ]
        case events.CombatsFixed():
            numbers = [f" {number}" if len(event.combats) > 1 else "" for number in range(1, len(event.combats) + 1)]
            return [
                f"  Combat{number} of {names_text(board, group)}"
                for number, group in zip(numbers, event.combats, strict=True)
            ]
        case events.CombatBegan():
            who = f"In combat {event.combat + 1} they" if len(board.combats) > 1 else "They"
            return [f"  {who} attack in this order: {order_text(board, event.order)}"] if event.order else []
        case _:
            return []


def _attack_lines(board: PitBoard, event: Any) -> list[str]:
    names = fighter_names(board)
    match event:
        case events.AttacksDeclared():
            return [
                f"  {names[event.fighter]} attacks {attacks_text(board, board.fighters[event.fighter], event.attacks)}"
            ]
        case events.MeleeRolled():
            return [f"    melee on {names[event.target]}: {_checks_text(event.checks, 'hit', 'miss')}"]
        case events.DefenceRolled():
            if event.dice is None:
                return [f"    {names[event.target]} has no defence"]
            return [f"    {names[event.target]} defends: {_checks_text(event.checks, 'saved', 'not saved')}"]
        case _:
            values = joined(map(str, event.values))
            return [f"    of the hits with injury {values}, drawn by lot, {len(event.dropped)} only took a wound"]


def _fighter_line(board: PitBoard, event: Any) -> str:
    """Return the line about one fighter."""
    name = fighter_name(board, event.fighter)
    match event:
        case events.FighterEngaged():
            return f"{name} engages {names_text(board, event.targets)} from {cell_text(event.x, event.y)}"
        case events.FighterMoved():
            return f"{name} moves to {cell_text(event.x, event.y)}"
        case events.StatusChanged():
            return f"{name} recovers and is well again" if event.status == "ok" else f"{name} is {event.status} now"
        case events.SlotLost():
            return f"{name} cannot attack: {_slot_text(board, event.fighter)}"
        case events.WoundsLost() | events.WoundsGained():
            return f"{name} has {event.wounds} {'wound' if event.wounds == 1 else 'wounds'} left"
        case events.FighterInjured():
            value = "" if event.value is None else f" by an injury of {event.value}"
            return f"{name} is {event.status}{value}"
        case events.ImprovementDrawn():
            reshuffled = " from the deck, shuffled again" if event.reshuffled else ""
            return f"{name} draws {event.card}{reshuffled}"
        case events.FighterImproved():
            return f"{name} {_improvement_text(event)}"
        case _:
            return name


def _improvement_text(event: events.FighterImproved) -> str:
    if event.promoted:
        return "is promoted"
    if event.stat is None:
        return "gains nothing by it"
    if event.dice is None:
        return f"has {event.stat} {event.value} now"
    verb = "keeps" if event.value == event.needed else "improves to"
    return f"rolls {faces_text(event.dice)}, at most {event.needed} needed, and {verb} {event.stat} {event.value}"


def _slot_text(board: PitBoard, number: int) -> str:
    """Return why a fighter has lost its slot."""
    fighter = board.fighters[number]
    if not fighter.is_fielded:
        return "it has left the field"
    return f"it is {fighter.status}" if fighter.is_down else "it has no target"


def _passed_text(passed: bool) -> str:
    return "passed" if passed else "failed"


def _checks_text(checks: Sequence[Check], passed: str, failed: str) -> str:
    return "; ".join(f"{_check_text(check)}: {passed if check.passed else failed}" for check in checks)


def _check_text(check: Check) -> str:
    """Return `16 + 2 = 18, 14+ needed`; of two dice the one that counts is named first."""
    dropped = f" (of {check.faces[0]} and {check.faces[1]})" if len(check.faces) > 1 else ""
    sign = "+" if check.modifier > 0 else "-"
    total = f" {sign} {abs(check.modifier)} = {check.kept + check.modifier}" if check.modifier else ""
    return f"{check.kept}{dropped}{total}, {check.needed}+ needed"


NARRATION = Narration(PIT, lambda before, board, event: _event_lines(board, event), outcome_text)
