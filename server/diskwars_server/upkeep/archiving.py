"""The loop that moves the records of old matches from the database to the archive."""

import asyncio
import logging

from diskwars_server.matches.services import Clock
from diskwars_server.refusals import describe_fault
from diskwars_server.store.archive.archived_events import ArchivedEventLog
from diskwars_server.store.archive.objects import ArchiveUnavailable
from diskwars_server.store.errors import StoreError, StoreUnavailable
from diskwars_server.upkeep.repeat import Sleep, repeat

log = logging.getLogger(__name__)

PASS_SECONDS = 6 * 3600.0
BATCH_MATCHES = 100
MATCH_PAUSE_SECONDS = 0.05
"""Between two matches, so that a first pass through years of matches leaves room for those that are played."""
ORPHAN_AGE_MS = 86_400_000


class OldMatchArchiver:
    """Archives the matches that ended `age_ms` ago and have been counted for ratings.

    Several nodes may do so at once. One that cannot be moved holds up no other; the next pass finds it again.
    """

    def __init__(self, events: ArchivedEventLog, clock: Clock, age_ms: int) -> None:
        self._events, self._clock, self._age_ms = events, clock, age_ms

    async def run(self, sleep: Sleep = asyncio.sleep) -> None:
        """Archive until cancelled."""
        await repeat(lambda: self.archive_all(sleep), PASS_SECONDS, log, "old matches are not archived", sleep)

    async def archive_all(self, sleep: Sleep = asyncio.sleep) -> None:
        """Go once through the matches that are old enough, then delete files of removed ones."""
        before, count = self._clock() - self._age_ms, 0
        after: tuple[int, str] | None = (0, "")
        try:
            while after is not None:
                page = await self._events.find_archivable(before, after, BATCH_MATCHES)
                for match in page.matches:
                    count += await self._archive(match)
                    await sleep(MATCH_PAUSE_SECONDS)
                after = page.next
            if orphans := await self._events.delete_orphans(self._clock() - ORPHAN_AGE_MS):
                log.info("archived files of removed matches deleted", extra={"count": orphans})
        except ArchiveUnavailable as error:  # the next match would wait for it as well
            log.error("archive not reached", extra={"why": str(error)})
        if count:
            log.info("old matches archived", extra={"count": count})

    async def _archive(self, match: str) -> bool:
        try:
            return await self._events.archive_match(match)
        except StoreUnavailable:
            raise  # the next match would wait for database or archive as well
        except StoreError as fault:
            log.warning("match not archived", extra={"match": match, "why": str(fault)})
        except Exception as fault:
            log.error("match not archived", extra={"match": match, **describe_fault(fault)})
        return False
