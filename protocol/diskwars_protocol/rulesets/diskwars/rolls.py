"""Rolls of Diskwars in its events, for the luck report: which dice, for whom, and what they needed."""

from collections.abc import Iterable

from diskwars_protocol.match.history_facts import Roll, face_roll, success_roll
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.records.fairness import Draw
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.board import Board


def rolls(board: Board, event: object) -> Iterable[Roll]:
    """Return the rolls in an event: those against faces, the amounts, and the initiative."""
    match event:
        case e.InitiativeRolled():
            return [face_roll("initiative", roll.seat, roll.face, event.dice.size) for roll in event.rolls]
        case e.ShotFired():
            seat = board.disks[event.attack.shooter].seat
            return [
                *_against("ranged_attack", seat, event.dice, event.needed),
                *_amounts("strength", seat, event.strength_dice),
            ]
        case e.ShotScattered():
            return _scatter(board, event)
        case e.AbilityUsed():
            return [
                *_amounts_or_against("ability", event.seat, event.dice, event.needed),
                *_spared("no_backfire", event.seat, event.unstable_dice, event.backfiring),
            ]
        case e.ImpactRolled():
            return _amounts("impact", board.disks[event.disk].seat, event.dice)
        case e.GuardRolled():
            return _amounts("guard", board.disks[event.disk].seat, event.dice)
        case e.DangerRolled():
            # Terrain damages a disk of the seat: the less the better.
            spared = event.dice.size - event.dice.results[0]
            return [Roll("danger_spared", board.disks[event.disk].seat, (1,) * event.dice.size, spared)]
        case e.TriggerResolved():
            seat = board.disks[event.trigger.disk].seat
            return _amounts_or_against("engage_ability", seat, event.dice, event.needed)
        case _:
            return ()


def _scatter(board: Board, event: e.ShotScattered) -> list[Roll]:
    """Return the scatter dice: they are to strike an enemy, and to miss an own disk."""
    if event.disk is None:
        return []
    shooter = board.disks[event.attack.shooter].seat
    if board.disks[event.disk].seat == shooter:
        return _spared("scatter", shooter, event.dice, event.needed)
    return _against("scatter", shooter, event.dice, event.needed)


def _amounts_or_against(kind: str, seat: Seat, dice: Draw | None, needed: e.Faces) -> list[Roll]:
    return _against(kind, seat, dice, needed) if needed else _amounts(f"{kind}_amount", seat, dice)


def _against(kind: str, seat: Seat, dice: Draw | None, needed: e.Faces) -> list[Roll]:
    faces = frozenset(needed)
    if dice is None:
        return []
    return [success_roll(kind, seat, len(faces), dice.size, face in faces) for face in dice.results]


def _spared(kind: str, seat: Seat, dice: Draw | None, unwanted: e.Faces) -> list[Roll]:
    faces = frozenset(unwanted)
    if dice is None:
        return []
    return [success_roll(kind, seat, dice.size - len(faces), dice.size, face not in faces) for face in dice.results]


def _amounts(kind: str, seat: Seat, dice: Draw | None) -> list[Roll]:
    return [] if dice is None else [face_roll(kind, seat, face, dice.size) for face in dice.results]
