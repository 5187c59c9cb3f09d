"""Tournaments in memory."""

from collections.abc import Callable, Sequence

from diskwars_protocol.tournaments.events import TournamentRecord
from diskwars_protocol.tournaments.state import TournamentStatus
from diskwars_server.store.errors import DuplicateCommand, WrongVersion
from diskwars_server.store.tournaments import UNFINISHED, TournamentAppend, TournamentListing, Tournaments


class MemoryTournaments(Tournaments):
    """Records and listings by tournament."""

    def __init__(self, require_open: Callable[[], None]) -> None:
        self._require_open = require_open
        self._records: dict[str, list[TournamentRecord]] = {}
        self._commands: set[tuple[str, str, str]] = set()
        self._listings: dict[str, TournamentListing] = {}
        self._due: dict[str, tuple[int, int]] = {}
        """When something is due, and until when it is claimed."""

    async def append(self, append: TournamentAppend) -> None:
        self._require_open()
        tournament, record = append.tournament, append.record
        records = self._records.setdefault(tournament, [])
        if record.seq != len(records) + 1:
            raise WrongVersion(tournament, record.seq - 1, len(records))
        command = tournament, record.actor, append.command
        if command in self._commands:
            raise DuplicateCommand(*command)
        self._commands.add(command)
        records.append(record)
        self._listings[tournament] = append.listing
        self._set_due(tournament, append.due_ms)

    async def read(self, tournament: str, after: int = 0) -> list[TournamentRecord]:
        self._require_open()
        return self._records.get(tournament, [])[after:]

    async def list_tournaments(
        self,
        viewer: str,
        statuses: Sequence[TournamentStatus],
        limit: int,
        before: tuple[int, str] | None = None,
        *,
        is_own: bool = False,
    ) -> list[TournamentListing]:
        self._require_open()
        shown = [
            listing
            for listing in self._listings.values()
            if listing.status in statuses
            and (viewer in listing.players or (listing.is_public and not is_own))
            and (before is None or (listing.created_ms, listing.tournament) < before)
        ]
        shown.sort(key=lambda listing: (listing.created_ms, listing.tournament), reverse=True)
        return shown[:limit]

    async def count_unfinished(self, organiser: str) -> int:
        self._require_open()
        own = (listing for listing in self._listings.values() if listing.organiser == organiser)
        return sum(listing.status in UNFINISHED for listing in own)

    async def claim_due(self, now: int, limit: int, lease_ms: int) -> list[str]:
        self._require_open()
        due = sorted((at, name) for name, (at, claimed_until) in self._due.items() if max(at, claimed_until) <= now)
        for at, tournament in due[:limit]:
            self._due[tournament] = at, now + lease_ms
        return [tournament for _, tournament in due[:limit]]

    async def settle(self, tournament: str, claimed_until: int, due_ms: int | None) -> None:
        self._require_open()
        if self._due.get(tournament, (0, 0))[1] == claimed_until:
            self._set_due(tournament, due_ms)

    def _set_due(self, tournament: str, due_ms: int | None) -> None:
        self._due.pop(tournament, None)
        if due_ms is not None:
            self._due[tournament] = due_ms, 0
