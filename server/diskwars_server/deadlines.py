"""The port that keeps deadlines: when the house answers an open decision.

A deadline is stored with the record that opens its decision, so a match that no node has in memory still times out.
"""

from typing import Protocol

from msgspec import Struct


class Deadline(Struct, frozen=True):
    """From `at` (milliseconds since 1970) on the house may answer a decision."""

    match: str
    decision: str
    at: int


class Deadlines(Protocol):
    """Deadlines of all matches. Every method may raise `StoreUnavailable`.

    They are written by `EventLog.append`: a record sets those of the decisions it opens and removes those of the
    decisions it closes.
    """

    async def claim_due(self, now: int, limit: int, lease_ms: int) -> list[Deadline]:
        """Return deadlines that are due at `now`, the earliest first, and keep others from claiming them for the lease.

        A claim only says who tries. One whose node dies is due again after the lease.
        """

    async def remove(self, match: str, decision: str) -> None:
        """Remove the deadline of a decision that is no longer open."""
