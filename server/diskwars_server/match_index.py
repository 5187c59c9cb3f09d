"""The port that lists matches for the lobby: a projection, written with the records that change it."""

from typing import Protocol

from msgspec import Struct

from diskwars_protocol.bot_identity import bot_name
from diskwars_protocol.match import MatchStatus, Result
from diskwars_protocol.match_options import DEFAULT_MATCH_OPTIONS, MatchOptions


class Listing(Struct, frozen=True):
    """What the lobby shows of a match. Seats hold opaque player ids."""

    match: str
    ruleset: str
    status: MatchStatus
    seats: tuple[str | None, ...]
    opener: str
    created_ms: int
    updated_ms: int
    result: Result | None = None
    match_options: MatchOptions = DEFAULT_MATCH_OPTIONS
    is_locked: bool = False
    """Found out when matches are listed: it follows from the secrets of the match, and never changes."""


def is_listed_for(listing: Listing, viewer: str) -> bool:
    """A match by link is shown to its opener and its players."""
    return listing.match_options.visibility == "public" or viewer == listing.opener or viewer in listing.seats


def count_bot_seats(listing: Listing) -> int:
    """Return how many seats are held by bots of the server."""
    return sum(bot_name(player) is not None for player in listing.seats)


NEVER_BEGUN_REASONS = ("closed", "abandoned")
"""Why matches end that have not begun."""


class MatchIndex(Protocol):
    """What the lobby shows of all matches. Every method may raise `StoreUnavailable`."""

    async def list_matches(
        self,
        status: str | None = None,
        limit: int = 100,
        before: tuple[int, str] | None = None,
        viewer: str | None = None,
    ) -> list[Listing]:
        """Return matches of this status (or any), newest first; `before` is (created_ms, match) of the last one known.

        With a viewer, those that this player may see in the lobby; None is the operator, who sees all.
        """

    async def find_unstarted(self, before: int, after: str, limit: int) -> list[str]:
        """Return matches that have not begun and have not changed since `before`, in the order of their ids."""

    async def count_unfinished(self, opener: str) -> int:
        """Return how many matches this player has opened that have not ended."""

    async def count_bots(self, opener: str) -> int:
        """Return how many seats of those matches are held by bots of the server."""

    async def find_with_bots(self, after: str, limit: int) -> list[str]:
        """Return matches with a bot of the server that have not ended, in the order of their ids."""
