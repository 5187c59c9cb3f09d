"""The event log that finds in the archive what the database no longer has.

Of an archived match the database keeps the last record: where the match ends is known without the archive, and an
append still needs the record before it.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Sequence

from diskwars_protocol.records.records import Record
from diskwars_server.store.archive.archived_match import pack_match, unpack_match
from diskwars_server.store.archive.objects import Archive, ArchiveUnavailable
from diskwars_server.store.errors import StoreUnavailable
from diskwars_server.store.event_log import (
    AppendRequest,
    ArchivablePage,
    EventLog,
    GuestMatchPage,
    IdleMatchPage,
    OnOutcome,
    StoredImport,
)

log = logging.getLogger(__name__)

KEPT_MATCHES = 8
KEPT_BYTES = 16 << 20
"""What was read last is kept: an export reads a match in pieces."""


class ArchivedEventLog(EventLog):
    """Reads through to the archive, and moves matches there; everything else is the other log's."""

    def __init__(self, events: EventLog, archive: Archive | None) -> None:
        """Without an archive, archived matches cannot be read."""
        self._events, self._archive = events, archive
        # An archived match has ended, so appends are the other log's alone: its own method saves each a call.
        self.submit = events.submit  # type: ignore[method-assign]
        self._kept: OrderedDict[str, list[Record]] = OrderedDict()

    @property
    def stored(self) -> EventLog:
        """What the database has: of an archived match the last record."""
        return self._events

    @property
    def archive(self) -> Archive:
        """The archive. Raises ArchiveUnavailable where there is none."""
        if self._archive is None:
            raise ArchiveUnavailable("the records of this match are in an archive, and none is set: --archive-url")
        return self._archive

    def submit(self, append: AppendRequest, on_outcome: OnOutcome) -> None:
        self._events.submit(append, on_outcome)

    async def import_match(self, imported: StoredImport) -> None:
        await self._events.import_match(imported)

    async def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Record]:
        found = await self._events.read(match, after, limit)
        first = max(after, 0)
        if not found or found[0].seq == first + 1:
            return found
        records = await self.read_archived(match)
        if records[-1] not in await self._events.read(match):
            raise ArchiveUnavailable(f"the archived file of match {match} does not end as the match does")
        return records[first : None if limit is None else first + limit]

    async def read_archived(self, match: str) -> list[Record]:
        """Return all records of an archived match. Raises ArchiveUnavailable."""
        if (kept := self._kept.get(match)) is not None:
            self._kept.move_to_end(match)
            return kept
        try:
            records = await asyncio.to_thread(unpack_match, match, await self.archive.get(match))
        except ArchiveUnavailable as error:
            log.error("archived match not read", extra={"match": match, "why": str(error)})
            raise
        self._keep(match, records)
        return records

    def _keep(self, match: str, records: list[Record]) -> None:
        self._kept[match] = records
        while len(self._kept) > KEPT_MATCHES or (len(self._kept) > 1 and self._kept_bytes() > KEPT_BYTES):
            self._kept.popitem(last=False)

    def _kept_bytes(self) -> int:
        return sum(record.size for records in self._kept.values() for record in records)

    async def archive_match(self, match: str) -> bool:
        """Move the records of an ended match to the archive; return whether there was something to move.

        The file is written and read back before a record is deleted, so a crash at any moment loses nothing. Two nodes
        may do so at once: they write the same file. Raises StoreUnavailable.
        """
        records = await self._events.read(match)
        if records[0].seq != 1:
            return False  # another node was quicker
        await self.archive.put(match, await asyncio.to_thread(pack_match, match, records))
        stored = await asyncio.to_thread(unpack_match, match, await self.archive.get(match))
        if stored != records:
            raise StoreUnavailable(f"the archive returned another file of match {match} than it was given")
        return await self._events.drop_archived(match, records[-1].seq)

    async def delete_orphans(self, before_ms: int) -> int:
        """Delete files, last written before a moment, of matches that are no longer stored; return how many.

        Such a file is left where a match of guests was removed and the archive could not be reached.
        """
        count = 0
        async for files in self.archive.list_files():
            heads = await self._events.heads([file.match for file in files])
            orphans = [file.match for file in files if file.match not in heads and file.modified_ms < before_ms]
            await self.archive.delete(orphans)
            count += len(orphans)
        return count

    async def remove_unstarted(self, opened_before: int, ended_before: int, limit: int) -> list[str]:
        return await self._events.remove_unstarted(opened_before, ended_before, limit)

    async def remove_guest_matches(self, before: int, after: tuple[int, str], limit: int) -> GuestMatchPage:
        page = await self._events.remove_guest_matches(before, after, limit)
        for match in page.removed:
            self._kept.pop(match, None)
        if self._archive is None:
            return page
        try:
            await self._archive.delete(page.removed)
        except ArchiveUnavailable as error:  # `delete_orphans` finds them later
            log.warning("archived files of removed matches not deleted", extra={"why": str(error)})
        return page

    async def find_idle_guest_matches(self, before: int, after: tuple[int, str], limit: int) -> IdleMatchPage:
        return await self._events.find_idle_guest_matches(before, after, limit)

    async def find_archivable(self, before: int, after: tuple[int, str], limit: int) -> ArchivablePage:
        return await self._events.find_archivable(before, after, limit)

    async def drop_archived(self, match: str, head: int) -> bool:
        return await self._events.drop_archived(match, head)

    async def heads(self, matches: Sequence[str]) -> dict[str, int]:
        return await self._events.heads(matches)
