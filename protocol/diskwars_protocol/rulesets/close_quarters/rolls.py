"""Rolls of close quarters in its events, for the luck report: which dice, for whom, and what they needed."""

from collections.abc import Iterable, Sequence
from itertools import islice

from diskwars_protocol.match.history_facts import Roll, face_roll, success_roll, threshold_rolls
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.records.fairness import Draw
from diskwars_protocol.rulesets.close_quarters import events
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard
from diskwars_protocol.rulesets.close_quarters.checks import SIDES


def rolls(board: CloseQuartersBoard, event: object) -> Iterable[Roll]:
    """Return the rolls in an event. Those that decide who picks casualties are left out: who gains depends on both."""
    match event:
        case events.TurnOrderRolled():
            # The first seat of a side rolls for it.
            return [
                face_roll("first_turn", board.sides[side][0], face, event.dice.size)
                for side, face in zip(event.sides, event.dice.results, strict=True)
            ]
        case events.LeadershipTested():
            dice, seat = len(event.dice.results), board.units[event.unit].seat
            return [_any_of("leadership", seat, dice, event.needed, event.passed)]
        case events.ShotsFired():
            return _volleys("shooting", board.units[event.unit].seat, event.volleys, event.dice)
        case events.MeleeRolled():
            return _volleys("melee", board.units[event.unit].seat, event.assaults, event.dice)
        case events.SavesRolled() if event.dice is not None:
            seat = board.units[event.unit].seat
            return [
                roll
                for needed, face in zip(event.needed, event.dice.results, strict=True)
                for roll in threshold_rolls("save", seat, (face,), SIDES, at_most=needed)
            ]
        case events.KillsRolled() if event.dice is not None:
            return [
                _all_of("kill", _seat_of(board, hit.model), event.toughness, hit.strength, place in event.killing)
                for place, hit in enumerate(event.hits)
            ]
    return ()


def _seat_of(board: CloseQuartersBoard, model: int) -> Seat:
    return board.units[board.models[model].unit].seat


def _volleys(kind: str, seat: Seat, volleys: Sequence[events.Volley | events.Assault], dice: Draw | None) -> list[Roll]:
    """Return the dice of several models, each of which needs its own number."""
    faces = iter(() if dice is None else dice.results)
    return [
        roll
        for volley in volleys
        for roll in threshold_rolls(kind, seat, tuple(islice(faces, volley.dice_count)), SIDES, at_most=volley.needed)
    ]


def _any_of(kind: str, seat: Seat, dice: int, needed: int, passed: bool) -> Roll:
    """Return a test that passes if one of its dice is at most `needed` (B-3)."""
    return success_roll(kind, seat, SIDES**dice - (SIDES - needed) ** dice, SIDES**dice, passed)


def _all_of(kind: str, seat: Seat, dice: int, strength: int, passed: bool) -> Roll:
    """Return a test that passes if all its dice are at most the strength (B-2)."""
    return success_roll(kind, seat, max(0, min(SIDES, strength)) ** dice, SIDES**dice, passed)
