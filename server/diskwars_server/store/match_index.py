"""The port that lists matches for the lobby: a projection, written with the records that change it."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from diskwars_protocol.match.bot_identity import bot_name
from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.match_options import DEFAULT_MATCH_OPTIONS, MatchOptions, Pace, pace_of
from diskwars_protocol.match.ruleset_settings import SettingValue
from diskwars_protocol.match.state import MatchStatus
from diskwars_server.store.listed_settings import has_settings


class Listing(Struct, frozen=True):
    """The row of a match in lists. Seats hold opaque player ids.

    The opener of a match that is `imported` is its importer, and no seat holds a player: a file proves nothing about
    the players of this server, whatever ids it names.
    """

    match: str
    ruleset: str
    status: MatchStatus
    seats: tuple[str | None, ...]
    opener: str
    created_ms: int
    updated_ms: int
    result: Result | None = None
    match_options: MatchOptions = DEFAULT_MATCH_OPTIONS
    armies: tuple[str | None, ...] = ()
    records: int = 0
    deciding: tuple[int, ...] = ()
    imported: bool = False
    settings: dict[str, SettingValue] = {}
    packs: tuple[str, ...] = ()
    is_locked: bool = False
    """Computed when matches are listed: it follows from the secrets of the match, and never changes."""


def is_listed_for(listing: Listing, viewer: str) -> bool:
    """Return whether a match is in the lists of a player: one by link is shown to its opener and its players only."""
    return listing.match_options.visibility == "public" or viewer == listing.opener or viewer in listing.seats


def shows_turns_to(listing: Listing, viewer: str) -> bool:
    """Return whether a player may see whose turn it is: those in the match, and others where they may watch it."""
    return listing.match_options.watchers == "live" or viewer in listing.seats


class ListFilter(Struct, frozen=True):
    """The filter of a list.

    The ruleset, a player in a seat, somebody's own matches, a seat that can be taken, settings, the pace, and clubs.
    """

    ruleset: str | None = None
    player: str | None = None
    own_of: str | None = None
    has_free_seat: bool = False
    settings: tuple[tuple[str, SettingValue], ...] = ()
    pace: Pace | None = None
    clubs: tuple[str, ...] | None = None


NO_FILTER = ListFilter()


def fits(listing: Listing, status: str | None, wanted: ListFilter) -> bool:
    """Return whether a match is in a list that is narrowed so."""
    return (
        status in (None, listing.status)
        and wanted.ruleset in (None, listing.ruleset)
        and (wanted.player is None or wanted.player in listing.seats)
        and (wanted.own_of is None or wanted.own_of == listing.opener or wanted.own_of in listing.seats)
        and (not wanted.has_free_seat or (listing.status == "open" and None in listing.seats))
        and has_settings(listing.settings, dict(wanted.settings))
        and wanted.pace in (None, pace_of(listing.match_options.clock))
        and (wanted.clubs is None or _is_of_club(listing, wanted.clubs))
    )


def _is_of_club(listing: Listing, clubs: tuple[str, ...]) -> bool:
    """Return whether a match is of one of these clubs. A file that was imported may name any club."""
    return listing.match_options.club in clubs and not listing.imported


def count_bot_seats(listing: Listing) -> int:
    """Return how many seats are held by bots of the server."""
    return sum(bot_name(player) is not None for player in listing.seats)


NEVER_BEGUN_REASONS = ("closed", "abandoned")
UNCOUNTED_REASONS = (*NEVER_BEGUN_REASONS, "stopped")
"""Reasons for which matches end that have not begun."""


class HistoryQuery(Struct, frozen=True):
    """The conditions of a search of ended matches; None is no condition. Records and times include both ends.

    `viewer` is the player who searches, None the operator: matches by link are found by their opener and their players.
    """

    viewer: str | None
    player: str | None = None
    won: bool | None = None
    army: str | None = None
    ruleset: str | None = None
    end_reason: str | None = None
    since_ms: int = 0
    until_ms: int | None = None
    min_records: int = 0
    max_records: int | None = None


class HistoryPage(Struct, frozen=True):
    """Some matches that were found, and the (created_ms, match) to go on from; None where nothing is left to search."""

    listings: list[Listing]
    next: tuple[int, str] | None


MAX_SCANNED_MATCHES = 1_000
"""Matches that one search looks at: what it costs does not depend on how rare the wanted ones are."""


def is_scanned(listing: Listing, query: HistoryQuery) -> bool:
    """Return whether a match is among those that a search looks at, which an index finds."""
    return (
        listing.status == "ended"
        and (query.player is None or query.player in listing.seats)
        and (query.army is None or query.army in listing.armies)
        and query.since_ms <= listing.created_ms
        and (query.until_ms is None or listing.created_ms <= query.until_ms)
    )


def is_found(listing: Listing, query: HistoryQuery) -> bool:
    """Return whether a match that was looked at is one of those that are wanted."""
    result = listing.result
    if result is None or result.end_reason in NEVER_BEGUN_REASONS:
        return False
    if query.viewer is not None and not is_listed_for(listing, query.viewer):
        return False
    has_won = any(listing.seats[seat] == query.player for seat in result.winners)
    return (
        query.ruleset in (None, listing.ruleset)
        and query.end_reason in (None, result.end_reason)
        and query.won in (None, has_won)
        and query.min_records <= listing.records
        and (query.max_records is None or listing.records <= query.max_records)
    )


class MatchIndex(Protocol):
    """The listings of all matches. Every method may raise `StoreUnavailable`."""

    async def list_matches(
        self,
        status: str | None = None,
        limit: int = 100,
        before: tuple[int, str] | None = None,
        viewer: str | None = None,
        wanted: ListFilter = NO_FILTER,
    ) -> list[Listing]:
        """Return matches of this status (or any), newest first; `before` is (created_ms, match) of the last one known.

        With a viewer, those that this player may see in the lobby; None is the operator, who sees all.
        """

    async def find_listings(self, matches: Sequence[str]) -> list[Listing]:
        """Return these matches as they are now, in any order; one that is not there is left out."""

    async def search(self, query: HistoryQuery, limit: int, before: tuple[int, str] | None = None) -> HistoryPage:
        """Return ended matches, newest first, of at most `MAX_SCANNED_MATCHES` that are looked at."""

    async def find_ended_at(self, created_ms: int) -> list[str]:
        """Return some of the ended matches that were opened in this millisecond: `MAX_SCANNED_MATCHES` at most."""

    async def find_unstarted(self, before: int, after: str, limit: int) -> list[str]:
        """Return matches that have not begun and have not changed since `before`, in the order of their ids."""

    async def has_rated(self, player: str) -> bool:
        """Return whether a player sits, or sat, in a match that counts for ratings. Imported ones prove nothing."""

    async def count_unfinished(self, opener: str) -> int:
        """Return how many matches this player has opened that have not ended."""

    async def find_bot_matches(self, opener: str, limit: int) -> list[str]:
        """Return those of them with a bot of the server, the oldest first."""

    async def find_with_bots(self, after: str, limit: int) -> list[str]:
        """Return matches with a bot of the server that have not ended, in the order of their ids."""
