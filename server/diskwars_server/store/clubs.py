"""The port of clubs: their records, a listing of each, and which of them have a season to end."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from diskwars_protocol.clubs.events import ClubRecord
from diskwars_protocol.clubs.options import ClubEntry, ClubRole
from diskwars_protocol.clubs.state import Club, ClubStatus


class ClubListing(Struct, frozen=True):
    """The row of a club in lists. `members` are their roles by player: they see it also where it is private."""

    club: str
    name: str
    status: ClubStatus
    is_public: bool
    entry: ClubEntry
    members: dict[str, ClubRole]
    created_ms: int
    season: str | None = None
    packs: tuple[str, ...] | None = None


def may_see_club(club: Club | ClubListing, viewer: str) -> bool:
    """Return whether a player learns that a club is there: the one place where that is decided.

    The lists of each database narrow themselves to such clubs, and their contract compares them with it.
    """
    listing = list_club(club) if isinstance(club, Club) else club
    return listing.is_public or viewer in listing.members


class ClubAppend(Struct, frozen=True):
    """The next record of a club, with its listing and when a season is to be ended; None: nothing is.

    `command` is unique for its actor in this club.
    """

    club: str
    record: ClubRecord
    command: str
    listing: ClubListing
    due_ms: int | None


class Clubs(Protocol):
    """All clubs. (club, seq) is the only lock. Every method may raise `StoreUnavailable`."""

    async def append(self, append: ClubAppend) -> None:
        """Store a record with its listing, or neither. It ends every claim on the club.

        Raises `WrongVersion`, `DuplicateCommand` or `StoreUnavailable`. After the last it may be stored all the same:
        the same command again is a duplicate then.
        """

    async def read(self, club: str, after: int = 0) -> list[ClubRecord]:
        """Return the records with a greater seq, in order; none where there is no such club."""

    async def has_command(self, club: str, actor: str, command: str) -> bool:
        """Return whether a record is stored under this command of an actor."""

    async def list_clubs(
        self, viewer: str, limit: int, before: tuple[int, str] | None = None, *, is_own: bool = False
    ) -> list[ClubListing]:
        """Return open clubs that a player may see in a list, the newest first, or only those whose member they are.

        `before` is (created_ms, club) of the last one known.
        """

    async def is_member(self, club: str, player: str) -> bool:
        """Return whether a player is in a club, also in a closed one."""
        return any(player in listing.members for listing in await self.find_listings([club]))

    async def find_listings(self, clubs: Sequence[str]) -> list[ClubListing]:
        """Return the listings of clubs, in any order, also of closed ones; those that do not exist are missing."""

    async def count_own(self, player: str) -> int:
        """Return how many open clubs a player is a member of."""

    async def claim_due(self, now: int, limit: int, lease_ms: int) -> list[str]:
        """Return clubs in which something is due at `now`, the earliest first, and keep others from them."""

    async def settle(self, club: str, claimed_until: int, due_ms: int | None) -> None:
        """End a claim after which nothing was stored; the next time is `due_ms`. One that has ended stays as it is."""


def list_club(state: Club) -> ClubListing:
    """Return the listing of a club as it is."""
    return ClubListing(
        club=state.club,
        name=state.name,
        status=state.status,
        is_public=state.options.visibility == "public",
        entry=state.options.entry,
        members={member.player: member.role for member in state.members},
        created_ms=state.created_ms,
        season=None if state.season is None else state.season.name,
        packs=state.options.packs,
    )
