"""Rolls of regiments in its events, for the luck report: which dice, for whom, and what they needed."""

from collections.abc import Iterable, Sequence

from diskwars_protocol.match.history_facts import Roll, face_roll, success_roll, sum_test, threshold_rolls
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.regiments import events
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard

SIDES = 6


def rolls(board: RegimentsBoard, event: object) -> Iterable[Roll]:
    """Return the rolls in an event: attacks die by die, tests of leadership, pursuits, and who acts first."""
    match event:
        case events.SpeedRolled():
            return [
                face_roll("speed", board.units[unit].seat, face, event.dice.size)
                for unit, face in zip(event.units, event.dice.results, strict=True)
            ]
        case events.FlankTested() | events.BreakTested() | events.RoutTested() | events.RallyTested():
            dice, seat = event.dice, board.units[event.unit].seat
            return [sum_test("leadership", seat, len(dice.results), dice.size, event.needed, event.passed)]
        case events.AttacksRolled() | events.HacksRolled():
            return [roll for attack in event.attacks for roll in _attack(board, event.unit, event.needs, attack)]
        case events.PursuitRolled():
            return _pursuit(board, event)
        case _:
            return ()


def _attack(
    board: RegimentsBoard, unit: int, needs: Sequence[events.Needs], attack: events.AttackRoll
) -> Iterable[Roll]:
    """Return the dice of one attack: to hit and to wound for the attacker, to save for the target (C-6 to C-8)."""
    own, enemy = board.units[unit].seat, board.units[attack.target].seat
    needed = next(need for need in needs if need.target == attack.target)
    if attack.hit is not None and needed.hit is not None:
        yield _at_least("hit", own, attack.hit, needed.hit)
    if attack.wound is not None and needed.wound is not None:
        yield _at_least("wound", own, attack.wound, needed.wound)
    if attack.save is not None:
        yield from threshold_rolls("save", enemy, (attack.save,), SIDES, at_most=needed.save)


def _at_least(kind: str, seat: Seat, face: int, needed: int) -> Roll:
    return success_roll(kind, seat, SIDES + 1 - needed, SIDES, face >= needed)


def _pursuit(board: RegimentsBoard, event: events.PursuitRolled) -> list[Roll]:
    """Return the pursuit as a test of the pursuer, by all pairs of its die and that of the unit that flees (C-15)."""
    own, other = event.dice.results
    ahead = (event.flight - other) - (event.pursuit - own)
    favourable = sum(pursuit >= flight + ahead for pursuit in range(1, SIDES + 1) for flight in range(1, SIDES + 1))
    return [success_roll("pursuit", board.units[event.unit].seat, favourable, SIDES**2, event.caught)]
