"""Narration of a match of close quarters: events as lines of text, with dice, what they needed, and rule ids."""

from collections.abc import Sequence
from itertools import islice
from typing import Any

from diskwars_protocol.match.ids import seat_letter
from diskwars_protocol.rulesets.close_quarters import events
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard
from diskwars_protocol.rulesets.close_quarters.events import CloseQuartersEvent, Hit, UnitHits
from diskwars_protocol.rulesets.close_quarters.vocabulary import CLOSE_QUARTERS
from diskwars_text.narration import Narration
from diskwars_text.phrases import counted, faces_text, joined
from diskwars_text.rulesets.close_quarters.phrases import (
    barricade_text,
    marked_units,
    models_text,
    moves_text,
    outcome_text,
    side_text,
    task_text,
    unit_name,
    units_text,
    zone_text,
)

REMOVALS: dict[events.RemovalReason, str] = {
    "killed": "killed",
    "caught": "caught and removed",
    "routed": "routed",
    "withdrawn": "gone with their player",
}
COMBAT_ENDS: dict[events.CombatEndReason, str] = {
    "broken_off": "All attackers have left: the close combat is over",
    "apart": "No enemies are near each other: the close combat is over",
    "won": "No defender is left: the close combat is over",
}
PHASE_TITLES: dict[events.Phase, str] = {
    "defensive_fire": "Defensive fire",
    "initial_consolidation": "The attackers consolidate",
    "winner_consolidation": "The winners consolidate",
}


def _event_lines(board: CloseQuartersBoard, event: CloseQuartersEvent) -> list[str]:
    """Return the lines about an event; `board` is the one before it, from which moves are measured."""
    match event:
        case (
            events.CloseQuartersMatchStarted()
            | events.TurnOrderRolled()
            | events.TurnOrderSet()
            | events.TurnBegan()
            | events.PhaseBegan()
            | events.CombatBegan()
            | events.CycleBegan()
            | events.CombatEnded()
            | events.SeatWithdrew()
        ):
            return _course_lines(board, event)
        case (
            events.ShotsFired()
            | events.MeleeRolled()
            | events.HitsSplit()
            | events.HitsCounted()
            | events.SavesRolled()
            | events.KillsRolled()
            | events.AllocationRolled()
            | events.CasualtiesPicked()
        ):
            return [f"    {line}" for line in _hit_lines(board, event)]
        case events.WeaponChosen():
            weapon = board.melee_weapon(event.weapon).name.lower()
            return [f"    {models_text(board, [event.model])} uses {weapon}"]
        case events.UnitActivated() | events.UnitChosen():
            return []  # what the unit does comes next
        case events.UnitsJoinedCombat():
            return [f"  {units_text(board, event.units)}: drawn into the combat"]
        case _:
            return [f"  {_unit_line(board, event)}"]


def _course_lines(board: CloseQuartersBoard, event: Any) -> list[str]:
    """Return the lines about the course of the game."""
    match event:
        case events.CloseQuartersMatchStarted():
            size = f"{event.width // 100} by {event.height // 100} inches"
            things = [*marked_units(board), *([] if event.barricade is None else [barricade_text(event.barricade)])]
            things += [f"a hill, {zone_text(hill)}" for hill in event.high_ground]
            lines = [f"The table is {size}. On it: {', '.join(things)}"]
            return [*lines, *([] if event.task is None else [f"The task: {task_text(board)}"])]
        case events.TurnOrderRolled():
            sides = ", ".join(side_text(board, side) for side in event.sides)
            return [f"The first turn is rolled for: {sides} roll {faces_text(event.dice)}"]
        case events.TurnOrderSet():
            return [f"The order of turns: {', then '.join(side_text(board, side) for side in event.order)}"]
        case events.TurnBegan():
            return ["", f"== Turn {event.turn} of {board.turns * len(board.order)}: {side_text(board, event.side)}"]
        case events.PhaseBegan():
            return [f" {PHASE_TITLES[event.phase]}"] if event.phase in PHASE_TITLES else []
        case events.CombatBegan():
            return [f" Close combat: {units_text(board, event.units)}"]
        case events.CycleBegan():
            return [f" Cycle {event.cycle}: attack of {side_text(board, event.attacker)}"]
        case events.CombatEnded():
            return [f" {COMBAT_ENDS[event.reason_kind]}"]
        case _:
            return [f"Seat {seat_letter(event.to_seat)} commands the units of seat {seat_letter(event.seat)}"]


def _unit_line(board: CloseQuartersBoard, event: Any) -> str:
    """Return the line about one unit."""
    name = unit_name(board, event.unit)
    match event:
        case events.UnitHeld():
            return f"{name} holds"
        case events.UnitMoved():
            way = "moves at the double" if event.is_doubled else "advances"
            return f"{name} {way}: {moves_text(board, event.moves)}"
        case events.UnitFellBack():
            lost = f"{models_text(board, event.models_lost)} off the table" if event.models_lost else ""
            moved = moves_text(board, event.moves) if event.moves or not event.models_lost else ""
            ways = "; ".join(part for part in (moved, lost) if part)
            return f"{name} falls back from {models_text(board, [event.enemy])}: {ways}"
        case events.UnitConsolidated():
            return f"{name} consolidates: {moves_text(board, event.moves)}"
        case events.LeadershipTested():
            passed = "passed" if event.passed else "failed"
            rolled = f"rolls {faces_text(event.dice)}; one die of {event.needed} or less needed"
            return f"{name} tests leadership, {rolled}: {passed}"
        case events.MarkersChanged():
            return f"{name} has {counted(event.markers, 'suppression marker')} now"
        case events.DefensiveFireDeclared():
            return (
                f"{name} holds its fire" if event.target is None else f"{name} aims at {unit_name(board, event.target)}"
            )
        case events.DefensiveFireLost():
            return f"{name} has no target any more"
        case events.ModelsRemoved():
            return f"{name} loses {models_text(board, event.models)}: {REMOVALS[event.reason_kind]}"
        case _:
            return name


def _hit_lines(board: CloseQuartersBoard, event: Any) -> list[str]:
    """Return the lines about hits, saves and casualties."""
    name = unit_name(board, event.unit) if hasattr(event, "unit") else ""
    match event:
        case events.ShotsFired():
            if event.dice is None:
                return [f"{name} holds its fire"]
            aims = sorted({(volley.target, volley.needed) for volley in event.volleys})
            needs = joined(f"{needed} or less against {unit_name(board, target)}" for target, needed in aims)
            hits = _targets_text(board, event.targets)
            return [f"{name} fires, rolls {faces_text(event.dice)}; needed {needs}: {hits}"]
        case events.MeleeRolled():
            pooled = sum(len(pool.hits) for pool in event.pools)
            shared = f", {pooled} to be spread" if pooled else ""
            hits = _targets_text(board, event.targets)
            return [f"{name} strikes: {_assaults_text(board, event)}: {hits}{shared}"]
        case events.HitsSplit():
            return [f"hits are spread: {_targets_text(board, event.targets)}"]
        case events.HitsCounted():
            return [f"{name}: hit counter {event.hit_counter} of 6, {counted(event.markers, 'suppression marker')}"]
        case events.SavesRolled():
            if event.dice is None:
                return [f"{name} has no armour: {len(event.hits)} not saved"]
            needs = "/".join(map(str, dict.fromkeys(event.needed)))
            rolled = f"rolls {faces_text(event.dice)}; {needs} or less needed"
            return [f"{name} saves, {rolled}: {len(event.failed)} not saved"]
        case events.KillsRolled():
            if event.dice is None:
                return [f"{name} has no toughness: {counted(len(event.killing), 'hit')} would kill"]
            rolled = f"rolls {faces_text(event.dice)}; {_strength_text(event.hits)} needed"
            return [f"to kill, {rolled}: {counted(len(event.killing), 'hit')} would kill"]
        case events.AllocationRolled():
            count = f"{event.casualties} of {counted(len(event.eligible), 'model')}"
            sixes = counted(event.sixes, "six", "sixes")
            return [f"{count} of {name} will fall; rolled for who picks: {faces_text(event.dice)}, {sixes}"]
        case _:
            return [f"the {event.picker} picks {models_text(board, event.models)}"]


def _assaults_text(board: CloseQuartersBoard, event: events.MeleeRolled) -> str:
    """Return the dice of each model with what it needs; they were rolled in the order of the models."""
    faces = iter(event.dice.results)
    return "; ".join(
        f"{models_text(board, [assault.model])} rolls {', '.join(map(str, islice(faces, assault.dice_count)))}, "
        f"{assault.needed} or less needed"
        for assault in event.assaults
    )


def _strength_text(hits: Sequence[Hit]) -> str:
    strengths = "/".join(map(str, dict.fromkeys(hit.strength for hit in hits)))
    return f"{strengths} or less"


def _targets_text(board: CloseQuartersBoard, targets: Sequence[UnitHits]) -> str:
    return (
        joined(f"{counted(len(target.hits), 'hit')} on {unit_name(board, target.unit)}" for target in targets)
        or "no hit"
    )


NARRATION = Narration(CLOSE_QUARTERS, lambda board, after, event: _event_lines(board, event), outcome_text)
