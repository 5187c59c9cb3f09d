"""An event log that measures how long its appends take, over another one that stores them."""

from collections.abc import Sequence
from time import perf_counter

from diskwars_protocol.records.records import Record
from diskwars_server.monitoring.metrics import Metrics
from diskwars_server.store.errors import StoreError
from diskwars_server.store.event_log import (
    AppendRequest,
    ArchivablePage,
    EventLog,
    GuestMatchPage,
    IdleMatchPage,
    OnOutcome,
    StoredImport,
)


class MeasuredEventLog(EventLog):
    """Passes everything on; appends that became durable are measured."""

    def __init__(self, events: EventLog, metrics: Metrics) -> None:
        self._events, self._metrics = events, metrics

    def submit(self, append: AppendRequest, on_outcome: OnOutcome) -> None:
        began = perf_counter()

        def measure(error: StoreError | None) -> None:
            if error is None:
                self._metrics.commit_seconds.observe(perf_counter() - began)
            on_outcome(error)

        self._events.submit(append, measure)

    async def import_match(self, imported: StoredImport) -> None:
        await self._events.import_match(imported)

    async def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Record]:
        return await self._events.read(match, after, limit)

    async def remove_unstarted(self, opened_before: int, ended_before: int, limit: int) -> list[str]:
        return await self._events.remove_unstarted(opened_before, ended_before, limit)

    async def remove_guest_matches(self, before: int, after: tuple[int, str], limit: int) -> GuestMatchPage:
        return await self._events.remove_guest_matches(before, after, limit)

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

    async def read_near(self, match: str) -> list[Record]:
        return await self._events.read_near(match)

    async def fetch(self, match: str) -> None:
        await self._events.fetch(match)

    async def heads(self, matches: Sequence[str]) -> dict[str, int]:
        return await self._events.heads(matches)
