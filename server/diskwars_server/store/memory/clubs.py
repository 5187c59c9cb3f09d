"""Clubs in memory."""

from collections.abc import Callable, Sequence

from diskwars_protocol.clubs.events import ClubRecord
from diskwars_server.store.clubs import ClubAppend, ClubListing, Clubs, may_see_club
from diskwars_server.store.memory.streams import MemoryStreams


class MemoryClubs(Clubs):
    """Records and listings by club."""

    def __init__(self, require_open: Callable[[], None]) -> None:
        self._require_open = require_open
        self._streams = MemoryStreams[ClubRecord](require_open)
        self._listings: dict[str, ClubListing] = {}

    async def append(self, append: ClubAppend) -> None:
        self._streams.append(append.club, append.record, append.command, append.due_ms)
        self._listings[append.club] = append.listing

    async def read(self, club: str, after: int = 0) -> list[ClubRecord]:
        return self._streams.read(club, after)

    async def has_command(self, club: str, actor: str, command: str) -> bool:
        return self._streams.has_command(club, actor, command)

    async def list_clubs(
        self, viewer: str, limit: int, before: tuple[int, str] | None = None, *, is_own: bool = False
    ) -> list[ClubListing]:
        self._require_open()
        shown = [
            listing
            for listing in self._listings.values()
            if listing.status == "open"
            and (viewer in listing.members if is_own else may_see_club(listing, viewer))
            and (before is None or (listing.created_ms, listing.club) < before)
        ]
        shown.sort(key=lambda listing: (listing.created_ms, listing.club), reverse=True)
        return shown[:limit]

    async def find_listings(self, clubs: Sequence[str]) -> list[ClubListing]:
        self._require_open()
        return [self._listings[club] for club in {*clubs} if club in self._listings]

    async def count_own(self, player: str) -> int:
        self._require_open()
        return sum(listing.status == "open" and player in listing.members for listing in self._listings.values())

    async def claim_due(self, now: int, limit: int, lease_ms: int) -> list[str]:
        return self._streams.claim_due(now, limit, lease_ms)

    async def settle(self, club: str, claimed_until: int, due_ms: int | None) -> None:
        self._streams.settle(club, claimed_until, due_ms)
