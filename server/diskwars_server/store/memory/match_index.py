"""Match index in memory."""

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from diskwars_protocol.match.state import MatchStatus
from diskwars_server.store.match_index import (
    MAX_SCANNED_MATCHES,
    NEVER_BEGUN_REASONS,
    NO_FILTER,
    HistoryPage,
    HistoryQuery,
    ListFilter,
    Listing,
    MatchIndex,
    count_bot_seats,
    fits,
    is_found,
    is_listed_for,
    is_scanned,
)
from diskwars_server.store.memory.vault import MemoryVault


class MemoryMatchIndex(MatchIndex):
    """Listings by match."""

    def __init__(self, require_open: Callable[[], None], vault: MemoryVault) -> None:
        self._require_open, self._vault = require_open, vault
        self._listings: dict[str, Listing] = {}

    @property
    def listings(self) -> Mapping[str, Listing]:
        """All matches."""
        return self._listings

    def put_turns(self, match: str, deciding: tuple[int, ...]) -> None:
        if match in self._listings:
            self._listings[match] = replace(self._listings[match], deciding=deciding)

    def put(self, listing: Listing) -> None:
        self._listings[listing.match] = listing

    async def list_matches(
        self,
        status: str | None = None,
        limit: int = 100,
        before: tuple[int, str] | None = None,
        viewer: str | None = None,
        wanted: ListFilter = NO_FILTER,
    ) -> list[Listing]:
        self._require_open()
        shown = [
            listing
            for listing in self._listings.values()
            if fits(listing, status, wanted)
            and (viewer is None or is_listed_for(listing, viewer))
            and (before is None or (listing.created_ms, listing.match) < before)
        ]
        newest = sorted(shown, key=lambda listing: (listing.created_ms, listing.match), reverse=True)[:limit]
        return [self._with_lock(listing) for listing in newest]

    async def find_listings(self, matches: Sequence[str]) -> list[Listing]:
        self._require_open()
        return [self._with_lock(self._listings[match]) for match in matches if match in self._listings]

    def _with_lock(self, listing: Listing) -> Listing:
        return replace(listing, is_locked=self._vault.is_locked(listing.match))

    async def search(self, query: HistoryQuery, limit: int, before: tuple[int, str] | None = None) -> HistoryPage:
        self._require_open()
        wanted = [
            listing
            for listing in self._listings.values()
            if is_scanned(listing, query) and (before is None or (listing.created_ms, listing.match) < before)
        ]
        wanted.sort(key=lambda listing: (listing.created_ms, listing.match), reverse=True)
        scanned = wanted[:MAX_SCANNED_MATCHES]
        listings = [self._with_lock(listing) for listing in scanned if is_found(listing, query)]
        if len(listings) > limit:
            return HistoryPage(listings[:limit], (listings[limit - 1].created_ms, listings[limit - 1].match))
        is_last = len(scanned) == len(wanted)
        return HistoryPage(listings, None if is_last else (scanned[-1].created_ms, scanned[-1].match))

    async def find_ended_at(self, created_ms: int) -> list[str]:
        self._require_open()
        ended = (listing for listing in self._listings.values() if listing.status == "ended")
        return [listing.match for listing in ended if listing.created_ms == created_ms][:MAX_SCANNED_MATCHES]

    async def find_unstarted(self, before: int, after: str, limit: int) -> list[str]:
        self._require_open()
        unstarted = (
            listing.match
            for listing in self._listings.values()
            if listing.status == "open" and listing.updated_ms < before and listing.match > after
        )
        return sorted(unstarted)[:limit]

    def find_never_begun(self, opened_before: int, ended_before: int, limit: int) -> list[str]:
        never_begun = (
            listing.match
            for listing in self._listings.values()
            if listing.result is not None
            and listing.result.end_reason in NEVER_BEGUN_REASONS
            and listing.created_ms < opened_before
            and listing.updated_ms < ended_before
        )
        return list(never_begun)[:limit]

    def find_next(self, status: MatchStatus, before: int, after: tuple[int, str], limit: int) -> list[Listing]:
        """Return the next matches of this status after (created_ms, match), the oldest first."""
        following = [
            listing
            for listing in self._listings.values()
            if listing.status == status and listing.created_ms < before and (listing.created_ms, listing.match) > after
        ]
        return sorted(following, key=lambda listing: (listing.created_ms, listing.match))[:limit]

    def remove(self, match: str) -> None:
        del self._listings[match]

    async def has_rated(self, player: str) -> bool:
        self._require_open()
        return self.has_rated_now(player)

    def has_rated_now(self, player: str) -> bool:
        return any(
            player in listing.seats and listing.match_options.rated and not listing.imported
            for listing in self._listings.values()
        )

    async def count_unfinished(self, opener: str) -> int:
        self._require_open()
        return sum(listing.opener == opener and listing.status != "ended" for listing in self._listings.values())

    async def find_bot_matches(self, opener: str, limit: int) -> list[str]:
        self._require_open()
        own = [
            (listing.created_ms, listing.match)
            for listing in self._listings.values()
            if listing.opener == opener and listing.status != "ended" and count_bot_seats(listing)
        ]
        return [match for _, match in sorted(own)[:limit]]

    async def find_with_bots(self, after: str, limit: int) -> list[str]:
        self._require_open()
        unfinished = (listing for listing in self._listings.values() if listing.status != "ended")
        with_bots = (listing.match for listing in unfinished if count_bot_seats(listing))
        return sorted(match for match in with_bots if match > after)[:limit]
