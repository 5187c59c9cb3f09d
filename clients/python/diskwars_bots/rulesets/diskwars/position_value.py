"""Value of a position between two rounds, or at the end of a match, for one seat."""

from diskwars_bots.rulesets.diskwars.evaluation import value_of_standing
from diskwars_bots.rulesets.diskwars.roll_out_position import RollOutPosition, memory_of
from diskwars_bots.rulesets.diskwars.situation import FightingDisk, Situation
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars import position
from diskwars_protocol.rulesets.diskwars.board import Board

WON = 800
"""The worth of winning beside the points, in hundredths of a point: most matches are decided by less."""
ELIMINATED = 1500
"""The points that an elimination counts as: it wins whatever the points are (R4.7)."""
RESERVE_SHARE = 70
"""Percent of a disk's worth while it is still in reserve."""
STANDING_SHARE = 50
"""Percent of what its place is worth to a disk: much will have changed before it counts."""


def position_value(board: Board, seat: Seat, winners: tuple[Seat, ...] | None) -> int:
    """Return the value of a position in hundredths of a victory point. `winners` is None while the match goes on."""
    if winners is not None:
        return _value_of_result(board, seat, winners)
    others = [side.seat for side in board.sides if side.seat != seat and not side.eliminated]
    memory = memory_of(board)
    own = RollOutPosition(board, seat, memory)
    value = _side_value(own, own.own) - _worth(own, own.enemies) // max(1, len(others))
    for other in others:
        theirs = RollOutPosition(board, other, memory)
        value -= _standing(theirs, theirs.own) // len(others)
        value -= _reserve(own, other) // len(others)
    return value + _reserve(own, seat)


def _value_of_result(board: Board, seat: Seat, winners: tuple[Seat, ...]) -> int:
    own = board.sides[seat]
    others = [side.points for side in board.sides if side.seat != seat]
    margin = 100 * (own.points - max(others))
    if board.phase != "over":
        return ELIMINATED if seat in winners else -ELIMINATED
    return margin + (WON if seat in winners else -WON)


def _side_value(situation: Situation, fighters: list[FightingDisk]) -> int:
    return _worth(situation, fighters) + _standing(situation, fighters)


def _worth(situation: Situation, fighters: list[FightingDisk]) -> int:
    """Return what disks are worth, less for the wounds that they have taken."""
    return sum(fighter.worth * (fighter.lives + 1) // (fighter.profile.stamina + 2) for fighter in fighters)


def _standing(situation: Situation, fighters: list[FightingDisk]) -> int:
    return sum(value_of_standing(situation, fighter) for fighter in fighters) * STANDING_SHARE // 100


def _reserve(situation: Situation, seat: Seat) -> int:
    if not situation.rounds_left and situation.board.phase == "over":
        return 0
    board = situation.board
    waiting = [board.profile(disk.id) for disk in position.reserve_disks(board, seat)]
    return sum(situation.worth(profile, seat == situation.seat) for profile in waiting) * RESERVE_SHARE // 100
