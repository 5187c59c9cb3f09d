"""Requests that the handle of a match sends through its client."""

from typing import Protocol

from diskwars_protocol.connection.streams import VerifiedRange
from diskwars_protocol.match.ids import DecisionId, MatchId, PlayerId, Seat
from diskwars_protocol.messages.decisions import Accepted


class MatchRequests(Protocol):
    """Requests of a handle."""

    @property
    def player(self) -> PlayerId: ...

    async def act(
        self, match: MatchId, decision: DecisionId | None, action: bytes, chain_head: str | None = None
    ) -> Accepted: ...

    async def kick_player(self, match: MatchId, seat: Seat) -> None:
        """Remove the player of a seat."""

    async def options(self, match: MatchId, decision: DecisionId, include_unavailable: bool) -> bytes: ...

    async def records(self, match: MatchId, after: int, limit: int) -> VerifiedRange: ...

    def schedule_refresh(self, match: MatchId) -> None:
        """Watch the match again, from a snapshot."""

    async def unwatch(self, match: MatchId) -> None: ...

    def resume_reading(self) -> None:
        """Read on: there is room for updates again, or a task waits for what comes next."""
