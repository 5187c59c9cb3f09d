"""The port of tournaments: their records, a listing of each, and which of them have something due."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from diskwars_protocol.tournaments.events import TournamentRecord
from diskwars_protocol.tournaments.options import TournamentFormat
from diskwars_protocol.tournaments.state import Tournament, TournamentStatus

UNFINISHED: tuple[TournamentStatus, ...] = ("open", "running")


class TournamentListing(Struct, frozen=True):
    """The row of a tournament in lists. `players` are its organisers and entrants, who see it also if it is by link."""

    tournament: str
    name: str
    status: TournamentStatus
    format: TournamentFormat
    ruleset: str
    is_public: bool
    organiser: str
    players: tuple[str, ...]
    entrants: int
    entrant_limit: int
    rounds: int
    round_count: int
    created_ms: int
    updated_ms: int
    starts_ms: int | None = None
    is_paused: bool = False
    winner: str = ""
    winner_bot: str = ""
    club: str = ""


class TournamentAppend(Struct, frozen=True):
    """The next record of a tournament, with its listing and when something is due; None: nothing ever.

    `command` is unique for its actor in this tournament.
    """

    tournament: str
    record: TournamentRecord
    command: str
    listing: TournamentListing
    due_ms: int | None


class Tournaments(Protocol):
    """All tournaments. (tournament, seq) is the only lock. Every method may raise `StoreUnavailable`."""

    async def append(self, append: TournamentAppend) -> None:
        """Store a record with its listing, or neither. It ends every claim on the tournament.

        Raises `WrongVersion`, `DuplicateCommand` or `StoreUnavailable`. After the last it may be stored all the same:
        the same command again is a duplicate then.
        """

    async def read(self, tournament: str, after: int = 0) -> list[TournamentRecord]:
        """Return the records with a greater seq, in order; none where there is no such tournament."""

    async def has_command(self, tournament: str, actor: str, command: str) -> bool:
        """Return whether a record is stored under this command of an actor."""

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
        """Return what a player may see in a list, the newest first, or only what they organise or have entered.

        `before` is (created_ms, tournament) of the last one known. With `clubs` only tournaments of these; a member of
        them sees all of them.
        """

    async def count_unfinished(self, organiser: str) -> int:
        """Return how many tournaments that a player has opened are not over."""

    async def claim_due(self, now: int, limit: int, lease_ms: int) -> list[str]:
        """Return tournaments in which something is due at `now`, the earliest first, and keep others from them."""

    async def settle(self, tournament: str, claimed_until: int, due_ms: int | None) -> None:
        """End a claim after which nothing was stored; the next time is `due_ms`. One that has ended stays as it is."""


def list_tournament(state: Tournament) -> TournamentListing:
    """Return the listing of a tournament as it is."""
    entered = [entrant for entrant in state.entrants if entrant.status == "entered"]
    known = [entrant.player for entrant in state.entrants if entrant.player and entrant.status != "withdrawn"]
    winner = state.entrant(state.ranking[0]) if state.ranking else None
    return TournamentListing(
        tournament=state.tournament,
        name=state.name,
        status=state.status,
        format=state.options.format,
        ruleset=state.options.template.ruleset,
        is_public=state.options.visibility == "public",
        organiser=state.organisers[0],
        players=tuple(dict.fromkeys([*state.organisers, *known])),
        entrants=len(entered),
        entrant_limit=state.options.entrant_limit,
        rounds=len(state.rounds),
        round_count=state.round_count,
        created_ms=state.created_ms,
        updated_ms=state.at_ms,
        starts_ms=state.options.starts_ms,
        is_paused=state.paused_ms is not None,
        winner=(winner.player or "") if winner else "",
        winner_bot=(winner.bot or "") if winner else "",
        club=state.options.club or "",
    )
