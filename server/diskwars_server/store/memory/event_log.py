"""Records in memory."""

import asyncio
from collections.abc import Callable, Sequence

from diskwars_protocol.records.records import Record
from diskwars_server.store.errors import StoreError, UnknownMatch, WrongVersion
from diskwars_server.store.event_log import (
    AppendRequest,
    ArchivablePage,
    EventLog,
    GuestMatchPage,
    IdleMatchPage,
    OnOutcome,
    StoredImport,
    check_append,
    duplicate_command_error,
)
from diskwars_server.store.match_index import Listing
from diskwars_server.store.memory.accounts import MemoryAccounts
from diskwars_server.store.memory.admissions import MemoryAdmissions
from diskwars_server.store.memory.chat import MemoryChat
from diskwars_server.store.memory.deadlines import MemoryDeadlines
from diskwars_server.store.memory.match_index import MemoryMatchIndex
from diskwars_server.store.memory.notices import MemoryNotices
from diskwars_server.store.memory.vault import MemoryVault


class MemoryEventLog(EventLog):
    """Records by match, in lists: a seq is a place in the list."""

    def __init__(
        self,
        require_open: Callable[[], None],
        matches: MemoryMatchIndex,
        vault: MemoryVault,
        deadlines: MemoryDeadlines,
        admissions: MemoryAdmissions,
        chat: MemoryChat,
        accounts: MemoryAccounts,
        notices: MemoryNotices,
    ) -> None:
        self._require_open = require_open
        self._matches, self._vault, self._deadlines, self._admissions = matches, vault, deadlines, admissions
        self._chat, self._accounts, self._notices = chat, accounts, notices
        self._records: dict[str, list[Record]] = {}
        self._commands: dict[str, set[tuple[str, str]]] = {}
        self._archived: set[str] = set()
        """Matches of which only the last record is read; ratings are still made from all of them."""
        self._archive_removals: list[str] = []

    def submit(self, append: AppendRequest, on_outcome: OnOutcome) -> None:
        self._require_open()
        check_append(append)
        outcome: StoreError | None = None
        try:
            self._store(append, self._require_new_command(append))
        except StoreError as error:
            outcome = error
        asyncio.get_running_loop().call_soon(on_outcome, outcome)

    def _store(self, append: AppendRequest, command: tuple[str, str]) -> None:
        self._records.setdefault(append.match, []).append(append.record)
        self._commands.setdefault(append.match, set()).add(command)
        for name, value in append.secrets.items():
            self._vault.put(append.match, name, value)
        if append.listing is not None:
            self._matches.put(append.listing)
        elif append.deciding is not None:
            self._matches.put_turns(append.match, append.deciding)
        if append.deadlines or append.closed_decisions:
            self._deadlines.put(append)
        if append.notices:
            self._notices.put(append)

    async def import_match(self, imported: StoredImport) -> None:
        self._require_open()
        if imported.match in self._records:
            raise WrongVersion(imported.match, 0, len(self._records[imported.match]))
        self._records[imported.match] = list(imported.records)
        self._commands[imported.match] = {(record.actor, record.command_id) for record in imported.records}
        self._matches.put(imported.listing)

    def _require_new_command(self, append: AppendRequest) -> tuple[str, str]:
        actual = len(self._records.get(append.match, ()))
        if actual != append.expected:
            raise WrongVersion(append.match, append.expected, actual)
        command = append.record.actor, append.record.command_id
        if command in self._commands.get(append.match, ()):
            raise duplicate_command_error(append)
        return command

    async def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Record]:
        self._require_open()
        if match not in self._records:
            raise UnknownMatch(match)
        first = max(after, 0)
        if match in self._archived:
            first = max(first, len(self._records[match]) - 1)
        return self._records[match][first : None if limit is None else first + limit]

    def records_of(self, match: str) -> Sequence[Record]:
        """Return all records of a match, none where it is not there."""
        return self._records.get(match, ())

    async def remove_unstarted(self, opened_before: int, ended_before: int, limit: int) -> list[str]:
        self._require_open()
        removed = self._matches.find_never_begun(opened_before, ended_before, limit)
        self._remove(removed)
        return removed

    async def remove_guest_matches(self, before: int, after: tuple[int, str], limit: int) -> GuestMatchPage:
        self._require_open()
        seen = self._matches.find_next("ended", before, after, limit)
        removed = [listing.match for listing in seen if listing.updated_ms < before and not self._has_account(listing)]
        self._remove(removed)
        return GuestMatchPage(removed, (seen[-1].created_ms, seen[-1].match) if len(seen) == limit else None)

    async def find_idle_guest_matches(self, before: int, after: tuple[int, str], limit: int) -> IdleMatchPage:
        self._require_open()
        seen = self._matches.find_next("running", before, after, limit)
        idle = [
            listing.match
            for listing in seen
            if self._records[listing.match][-1].at_ms < before and not self._has_account(listing)
        ]
        return IdleMatchPage(idle, (seen[-1].created_ms, seen[-1].match) if len(seen) == limit else None)

    def _has_account(self, listing: Listing) -> bool:
        players = {listing.opener, *listing.seats}
        return any(player is not None and self._accounts.find_known(player) is not None for player in players)

    def _remove(self, matches: Sequence[str]) -> None:
        for match in matches:
            self._matches.remove(match)
            self._vault.remove(match)
            self._admissions.remove(match)
            self._chat.remove(match)
            del self._records[match], self._commands[match]
            if match in self._archived:
                self._archived.remove(match)
                self._archive_removals.append(match)

    async def heads(self, matches: Sequence[str]) -> dict[str, int]:
        self._require_open()
        return {match: len(self._records[match]) for match in matches if match in self._records}

    async def find_archivable(self, before: int, after: tuple[int, str], limit: int) -> ArchivablePage:
        self._require_open()
        ended = sorted(
            (listing.updated_ms, listing.match)
            for listing in self._matches.listings.values()
            if listing.status == "ended" and listing.updated_ms < before and listing.match not in self._archived
        )
        found = [place for place in ended if place > after][:limit]
        return ArchivablePage([match for _, match in found], found[-1] if len(found) == limit else None)

    async def drop_archived(self, match: str, head: int) -> bool:
        self._require_open()
        listing = self._matches.listings.get(match)
        is_new = match not in self._archived and listing is not None and listing.status == "ended"
        if not is_new or len(self._records[match]) != head:
            return False
        self._archived.add(match)
        return True

    async def list_archive_removals(self, limit: int) -> list[str]:
        self._require_open()
        return sorted(self._archive_removals)[:limit]

    async def forget_archive_removals(self, matches: Sequence[str]) -> None:
        self._require_open()
        self._archive_removals = [match for match in self._archive_removals if match not in matches]
