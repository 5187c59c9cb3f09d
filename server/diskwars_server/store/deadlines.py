"""The port that keeps deadlines: when the server answers an open decision.

A deadline is stored with the record that opens its decision, so a match that no node has in memory still times out.
"""

from typing import Any, Protocol, TypeAlias

from msgspec import Struct

from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import DecisionId
from diskwars_protocol.match.match_options import BankClock, absence_ms
from diskwars_protocol.match.state import AnyMatch, due_ms

MAX_GRACES_PER_SEAT = 5
"""Graces that a seat is given in one match."""


class DecisionLimit(Struct, frozen=True, tag=True):
    """The time in which a decision has to be answered, in a match with a clock."""

    decision: DecisionId

    @property
    def key(self) -> str:
        """The text under which the deadline is stored."""
        return self.decision


class AbsenceLimit(Struct, frozen=True, tag=True):
    """The days within which any answer has to come: the one deadline of a match without a clock.

    A deadline for each decision would add two rows to every record, to remove them again moments later. This one is
    written when play begins; where the decisions that it found then have been answered, it moves to when the next is
    due.
    """

    @property
    def key(self) -> str:
        return _ABSENCE_KEY


_ABSENCE_KEY = "absence"
"""Stored in the place of a decision, of which no id looks like it."""
ABSENCE = AbsenceLimit()
Limit: TypeAlias = DecisionLimit | AbsenceLimit


class Deadline(Struct, frozen=True):
    """From `at` (milliseconds since 1970) on the server acts; `decision` is the key of its limit."""

    match: str
    decision: str
    at: int

    @property
    def limit(self) -> Limit:
        return ABSENCE if self.decision == _ABSENCE_KEY else DecisionLimit(DecisionId(self.decision))


class Deadlines(Protocol):
    """Deadlines of all matches. Every method may raise `StoreUnavailable`.

    They are written by `EventLog.append`: a record sets those of the decisions it opens and removes those of the
    decisions it closes.
    """

    async def claim_due(self, now: int, limit: int, lease_ms: int) -> list[Deadline]:
        """Return deadlines that are due at `now`, the earliest first, and keep others from claiming them for the lease.

        A claim only says who tries. One whose node dies is due again after the lease.
        """

    async def record_sweep(self, now: int, silent_since: int | None, until: int) -> int:
        """Record that a node looks for due deadlines at `now`; return how many were put off because none did before.

        Where the last sweep of any node is older than `silent_since`, no deadline stays due before `until`. None: this
        node has swept lately. Of several nodes that return at once, one puts them off. Without any deadlines
        nothing is recorded.
        """

    async def extend(self, match: str, decision: str, seat: int, now: int, grace_ms: int) -> int | None:
        """Let the deadline of a seat's decision be no earlier than `grace_ms` after `now`; return the new one.

        It moves by no more than `grace_ms`, once for each decision, and `MAX_GRACES_PER_SEAT` times in a match. None:
        it stays as it is, or there is none.
        """

    async def move(self, match: str, decision: str, at: int) -> None:
        """Let a deadline be due at another time, also one that is claimed. Without one, nothing happens."""

    async def remove(self, match: str, decision: str) -> None:
        """Remove the deadline of a decision that is no longer open."""


def changed_deadlines(before: AnyMatch, after: AnyMatch) -> tuple[tuple[Deadline, ...], tuple[str, ...]]:
    """Return the deadlines that a record sets or moves, and the decisions that have none any more.

    A deadline moves where an answer adds to the bank of a seat with other open decisions, and after a pause.
    """
    if after.match_options.clock is None:
        return _changed_absence(before, after)
    if before.decisions is after.decisions and before.paused == after.paused:
        return (), ()
    before_now, on_the_clock = decisions_on_the_clock(before), decisions_on_the_clock(after)
    deadlines = []
    for id, decision in on_the_clock.items():
        # Of those that were open before, only a bank can move the deadline; it does not depend on the opening.
        at = due_ms(after, decision, after.at_ms)
        was_open = id in before_now
        has_moved = isinstance(after.match_options.clock, BankClock) and at != due_ms(before, decision, 0)
        if at is not None and (has_moved or not was_open):
            deadlines.append(Deadline(after.match, id, at))
    return tuple(deadlines), tuple(before_now.keys() - on_the_clock.keys())


def _changed_absence(before: AnyMatch, after: AnyMatch) -> tuple[tuple[Deadline, ...], tuple[str, ...]]:
    """Set the one deadline where play begins or goes on, and remove it at a pause and at the end."""
    if before.status == after.status and before.paused is after.paused:  # as after almost every record
        return (), ()
    was_awaited, is_awaited = _is_awaited(before), _is_awaited(after)
    if was_awaited == is_awaited:
        return (), ()
    if not is_awaited:
        return (), (ABSENCE.key,)
    allowed_ms = absence_ms(after.match_options)
    return (() if allowed_ms is None else (Deadline(after.match, ABSENCE.key, after.at_ms + allowed_ms),)), ()


def _is_awaited(state: AnyMatch) -> bool:
    """Return whether a match waits for answers."""
    return state.status == "running" and not state.paused


def decisions_on_the_clock(state: AnyMatch) -> dict[DecisionId, Decision[Any]]:
    """Return the open decisions whose time is running."""
    if state.status != "running" or state.paused:
        return {}
    return {decision.id: decision for decision in state.decisions}
