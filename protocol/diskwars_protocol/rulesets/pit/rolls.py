"""Rolls of the pit in its events, for the luck report: which dice, for whom, and what they needed."""

from collections.abc import Iterable, Sequence

from diskwars_protocol.match.history_facts import Roll, face_roll, success_roll, threshold_rolls
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.records.fairness import Draw
from diskwars_protocol.rulesets.pit import events
from diskwars_protocol.rulesets.pit.board import PitBoard
from diskwars_protocol.rulesets.pit.checks import SIDES, judge, melee_mode


def rolls(board: PitBoard, event: object) -> Iterable[Roll]:
    """Return the rolls in an event: checks, and dice that decide who comes first. Picks favour nobody."""
    match event:
        case events.TurnOrderRolled():
            return _order("turn_order", event.seats, event.dice)
        case events.AgilityRolled():
            return _order("agility", [board.fighters[fighter].seat for fighter in event.fighters], event.dice)
        case events.MoraleChecked():
            if event.dice is None or event.needed is None:
                return ()
            return [_check("morale", event.seat, 0, event.needed, 0, event.passed)]
        case events.MeleeRolled():
            fighter, target = board.fighters[event.fighter], board.fighters[event.target]
            mode = _mode(event.checks, melee_mode(board, fighter, target))
            return _checks("melee", fighter.seat, event.checks, mode)
        case events.DefenceRolled():
            # two dice in defence are always a Disadvantage.
            return _checks("defence", board.fighters[event.target].seat, event.checks, _mode(event.checks, -1))
        case events.FighterImproved():
            if event.dice is None or event.needed is None:
                return ()
            seat = board.fighters[event.fighter].seat
            return threshold_rolls("improvement", seat, event.dice.results, event.dice.size, at_most=event.needed)
        case _:
            return ()


def _order(kind: str, seats: Sequence[Seat], dice: Draw) -> list[Roll]:
    return [face_roll(kind, seat, face, dice.size) for seat, face in zip(seats, dice.results, strict=True)]


def _checks(kind: str, seat: Seat, checks: Sequence[events.Check], mode: int) -> list[Roll]:
    return [_check(kind, seat, check.modifier, check.needed, mode, check.passed) for check in checks]


def _mode(checks: Sequence[events.Check], otherwise: int) -> int:
    """Return 1 for Advantage, -1 for Disadvantage, 0 for one die. `otherwise` counts where all pairs are equal."""
    for check in checks:
        if len(check.faces) == 1:
            return 0
        if check.faces[0] != check.faces[1]:
            return 1 if check.kept == max(check.faces) else -1
    return otherwise


def _check(kind: str, seat: Seat, modifier: int, needed: int, mode: int, passed: bool) -> Roll:
    """Return a check, with all that its one or two dice could show (A-1, A-2)."""
    winning = sum(judge((face,), modifier, needed, 0).passed for face in range(1, SIDES + 1))
    if mode == 0:
        return success_roll(kind, seat, winning, SIDES, passed)
    # Higher faces never do worse, so the better die fails only if both do, and the worse succeeds only if both do.
    failing = SIDES - winning
    favourable = SIDES**2 - failing**2 if mode > 0 else winning**2
    return success_roll(kind, seat, favourable, SIDES**2, passed)
