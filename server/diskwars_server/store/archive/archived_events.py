"""The event log that finds in the archive what the database no longer has.

Of an archived match the database keeps the last record: where the match ends is known without the archive, and an
append still needs the record before it.
"""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Sequence
from functools import partial

from diskwars_protocol.records.records import Record
from diskwars_server.store.archive.archived_match import pack_match, unpack_match
from diskwars_server.store.archive.objects import Archive, ArchiveUnavailable, ArchiveUnreachable
from diskwars_server.store.errors import RecordsElsewhere
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

READINGS_AT_ONCE = 4
MAX_READINGS = 32
"""Matches that are being read or wait for it; further ones are refused."""
REST_SECONDS = 10.0
"""For which an archive that has not answered is left alone."""
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
        self._reading: dict[str, asyncio.Task[list[Record]]] = {}
        self._turns = asyncio.Semaphore(READINGS_AT_ONCE)
        self._rests_until = 0.0

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
        records = await self._read_archived(match)
        return records[first : None if limit is None else first + limit]

    async def read_near(self, match: str) -> list[Record]:
        found = await self._events.read(match)
        if found[0].seq == 1:
            return found
        if match not in self._kept:
            raise RecordsElsewhere(match)
        return await self._read_archived(match)

    async def fetch(self, match: str) -> None:
        await self._read_archived(match)

    async def _read_archived(self, match: str) -> list[Record]:
        """Return all records of an archived match. Raises ArchiveUnavailable.

        Those who read one match at once share one request, few requests are under way at once, and after a failure the
        archive is left alone for a while: a bucket that does not answer must not collect readers.
        """
        if (kept := self._kept.get(match)) is not None:
            self._kept.move_to_end(match)
            return kept
        if (reading := self._reading.get(match)) is None:
            if len(self._reading) >= MAX_READINGS or time.monotonic() < self._rests_until:
                raise ArchiveUnavailable("the archive is busy, or has just failed: try again in a few seconds")
            reading = self._reading[match] = asyncio.create_task(self._load(match), name=f"archived {match}")
            reading.add_done_callback(partial(self._finish_reading, match))
        return await asyncio.shield(reading)

    def _finish_reading(self, match: str, reading: asyncio.Task[list[Record]]) -> None:
        self._reading.pop(match, None)
        if not reading.cancelled():
            reading.exception()  # is logged already; those who waited for it may be gone

    async def _load(self, match: str) -> list[Record]:
        try:
            async with self._turns:
                records = await asyncio.to_thread(unpack_match, match, await self.archive.get(match))
            if records[-1] != (await self._events.read(match))[-1]:
                raise ArchiveUnavailable(f"the archived file of match {match} does not end as the match does")
        except ArchiveUnreachable as error:
            self._rests_until = time.monotonic() + REST_SECONDS
            log.error("archived match not read", extra={"match": match, "why": str(error)})
            raise
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
            raise ArchiveUnavailable(f"the archive returned another file of match {match} than it was given")
        return await self._events.drop_archived(match, records[-1].seq)

    async def delete_removed(self, limit: int) -> int:
        """Delete files of matches that were removed from this database; return how many. Raises StoreUnavailable.

        Only what this database has named itself: another one may have files in the same place.
        """
        removed = await self._events.list_archive_removals(limit)
        if removed:
            await self.archive.delete(removed)
            await self._events.forget_archive_removals(removed)
        return len(removed)

    async def remove_unstarted(self, opened_before: int, ended_before: int, limit: int) -> list[str]:
        return await self._events.remove_unstarted(opened_before, ended_before, limit)

    async def remove_guest_matches(self, before: int, after: tuple[int, str], limit: int) -> GuestMatchPage:
        page = await self._events.remove_guest_matches(before, after, limit)
        for match in page.removed:
            self._kept.pop(match, None)
        return page

    async def find_idle_guest_matches(self, before: int, after: tuple[int, str], limit: int) -> IdleMatchPage:
        return await self._events.find_idle_guest_matches(before, after, limit)

    async def find_archivable(self, before: int, after: tuple[int, str], limit: int) -> ArchivablePage:
        return await self._events.find_archivable(before, after, limit)

    async def drop_archived(self, match: str, head: int) -> bool:
        return await self._events.drop_archived(match, head)

    async def list_archive_removals(self, limit: int) -> list[str]:
        return await self._events.list_archive_removals(limit)

    async def forget_archive_removals(self, matches: Sequence[str]) -> None:
        await self._events.forget_archive_removals(matches)

    async def heads(self, matches: Sequence[str]) -> dict[str, int]:
        return await self._events.heads(matches)
