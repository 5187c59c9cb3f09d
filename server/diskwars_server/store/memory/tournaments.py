"""Tournaments in memory."""

from collections.abc import Callable, Sequence

from diskwars_protocol.tournaments.events import TournamentRecord
from diskwars_protocol.tournaments.state import TournamentStatus
from diskwars_server.store.memory.streams import MemoryStreams
from diskwars_server.store.tournaments import UNFINISHED, TournamentAppend, TournamentListing, Tournaments


class MemoryTournaments(Tournaments):
    """Records and listings by tournament."""

    def __init__(self, require_open: Callable[[], None]) -> None:
        self._require_open = require_open
        self._streams = MemoryStreams[TournamentRecord](require_open)
        self._listings: dict[str, TournamentListing] = {}

    async def append(self, append: TournamentAppend) -> None:
        self._streams.append(append.tournament, append.record, append.command, append.due_ms)
        self._listings[append.tournament] = append.listing

    async def read(self, tournament: str, after: int = 0) -> list[TournamentRecord]:
        return self._streams.read(tournament, after)

    async def has_command(self, tournament: str, actor: str, command: str) -> bool:
        return self._streams.has_command(tournament, actor, command)

    async def list_tournaments(
        self,
        viewer: str,
        statuses: Sequence[TournamentStatus],
        limit: int,
        before: tuple[int, str] | None = None,
        *,
        is_own: bool = False,
        clubs: Sequence[str] | None = None,
        is_member: bool = False,
    ) -> list[TournamentListing]:
        self._require_open()
        shown = [
            listing
            for listing in self._listings.values()
            if listing.status in statuses
            and (viewer in listing.players or ((listing.is_public or is_member) and not is_own))
            and (clubs is None or listing.club in clubs)
            and (before is None or (listing.created_ms, listing.tournament) < before)
        ]
        shown.sort(key=lambda listing: (listing.created_ms, listing.tournament), reverse=True)
        return shown[:limit]

    async def count_unfinished(self, organiser: str) -> int:
        self._require_open()
        own = (listing for listing in self._listings.values() if listing.organiser == organiser)
        return sum(listing.status in UNFINISHED for listing in own)

    async def claim_due(self, now: int, limit: int, lease_ms: int) -> list[str]:
        return self._streams.claim_due(now, limit, lease_ms)

    async def settle(self, tournament: str, claimed_until: int, due_ms: int | None) -> None:
        self._streams.settle(tournament, claimed_until, due_ms)
