"""The loop that moves the records of old matches from the database to the archive."""

import asyncio
import logging
import random

from diskwars_server.matches.services import Clock
from diskwars_server.refusals import describe_fault
from diskwars_server.store.archive.archived_events import ArchivedEventLog
from diskwars_server.store.archive.objects import ArchiveUnavailable
from diskwars_server.store.errors import StoreError, StoreUnavailable
from diskwars_server.upkeep.repeat import Sleep, repeat

log = logging.getLogger(__name__)

PASS_SECONDS = 6 * 3600.0
BATCH_MATCHES = 100
AT_ONCE = 4
PAUSE_SECONDS = 0.05
"""Between two groups of `AT_ONCE` matches, so that a first pass through years of matches leaves room for those that are
played: at most eighty matches a second."""
MAX_FAILURES = 5
"""Matches in a row that could not be moved, after which a pass ends: the archive is away."""
REMOVALS = 500


class OldMatchArchiver:
    """Archives the matches that ended `age_ms` ago and have been counted for ratings.

    Several nodes may do so at once. A match that cannot be moved does not hold up others; the next pass finds it again.
    """

    def __init__(self, events: ArchivedEventLog, clock: Clock, age_ms: int) -> None:
        self._events, self._clock, self._age_ms = events, clock, age_ms
        self._failures = 0

    async def run(self, sleep: Sleep = asyncio.sleep) -> None:
        """Archive until cancelled."""
        await repeat(lambda: self.archive_all(sleep), PASS_SECONDS, log, "old matches are not archived", sleep)

    async def archive_all(self, sleep: Sleep = asyncio.sleep) -> None:
        """Delete files of removed matches, then go once through the matches that are old enough."""
        self._failures = 0
        try:
            while deleted := await self._events.delete_removed(REMOVALS):
                log.info("archived files of removed matches deleted", extra={"count": deleted})
        except ArchiveUnavailable as error:
            log.error("archive not reached", extra={"why": str(error)})
            return
        before, count = self._clock() - self._age_ms, 0
        after: tuple[int, str] | None = (0, "")
        while after is not None and self._failures < MAX_FAILURES:
            page = await self._events.find_archivable(before, after, BATCH_MATCHES)
            # Nodes that go through one list in another order each seldom move the same match.
            matches = random.sample(page.matches, len(page.matches))
            for first in range(0, len(matches), AT_ONCE):
                if self._failures < MAX_FAILURES:
                    count += sum(await asyncio.gather(*map(self._archive, matches[first : first + AT_ONCE])))
                    await sleep(PAUSE_SECONDS)
            after = page.next
        if self._failures >= MAX_FAILURES:
            log.error("archive not reached", extra={"why": f"{self._failures} matches in a row were not moved"})
        if count:
            log.info("old matches archived", extra={"count": count})

    async def _archive(self, match: str) -> bool:
        try:
            is_moved = await self._events.archive_match(match)
        except ArchiveUnavailable as error:
            self._failures += 1
            log.warning("match not archived", extra={"match": match, "why": str(error)})
        except StoreUnavailable:
            raise  # the next match would wait for the database as well
        except StoreError as fault:
            log.warning("match not archived", extra={"match": match, "why": str(fault)})
        except Exception as fault:
            log.error("match not archived", extra={"match": match, **describe_fault(fault)})
        else:
            self._failures = 0
            return is_moved
        return False
