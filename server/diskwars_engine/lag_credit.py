"""Lag credit: the part of an answer's measured lag that the clock of its seat is not charged for."""

from typing import Protocol

from diskwars_protocol.match.ids import HOUSE, DecisionId, PlayerId, Seat
from diskwars_protocol.match.state import AnyMatch

MAX_LAG_CREDIT_MS = 500
"""For one answer. A client can delay the pongs by which its lag is measured, so this is what it can gain by that."""


class TimedCommand(Protocol):
    """The parts of a command on which its charge depends."""

    @property
    def player(self) -> PlayerId: ...
    @property
    def decision(self) -> DecisionId | None: ...
    @property
    def at_ms(self) -> int: ...
    @property
    def lag_ms(self) -> int: ...


def credited_lag(match: AnyMatch, command: TimedCommand, seat: Seat) -> int:
    """Return the milliseconds that are not charged for an answer: no more than it took, and none without a bank."""
    clock = match.seats[seat].clock
    if command.decision is None or command.player == HOUSE or clock is None or clock.running_since_ms is None:
        return 0
    return max(0, min(command.lag_ms, MAX_LAG_CREDIT_MS, command.at_ms - clock.running_since_ms))
