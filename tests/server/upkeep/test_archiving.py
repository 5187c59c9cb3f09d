"""Old matches move to the archive by themselves, and are watched, exported and replayed from there."""

import logging
from pathlib import Path

import pytest

from diskwars_server.store.archive.archived_events import ArchivedEventLog
from diskwars_server.store.archive.objects import Archive, ArchiveUnavailable
from diskwars_server.store.memory.database import MemoryDatabase
from diskwars_server.upkeep import archiving
from diskwars_server.upkeep.archiving import OldMatchArchiver
from tests.server.stored_samples import store_match

DAY_MS = 86_400_000
NOW_MS = 100 * DAY_MS


class UnreachableArchive(Archive):
    """Counts how often it is asked for."""

    asked = 0

    async def put(self, match: str, body: bytes) -> None:
        self.asked += 1
        raise ArchiveUnavailable("the archive cannot be reached: no route")


async def no_pause(seconds: float) -> None:
    assert seconds == archiving.MATCH_PAUSE_SECONDS


def archiver(events: ArchivedEventLog) -> OldMatchArchiver:
    return OldMatchArchiver(events, lambda: NOW_MS, 10 * DAY_MS)


async def files(archive: Archive) -> list[str]:
    return sorted([file.match async for page in archive.list_files() for file in page])


async def test_matches_that_ended_long_ago_are_archived(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(archiving, "BATCH_MATCHES", 2)
    archive = Archive(f"file://{tmp_path}")
    async with MemoryDatabase(archive) as database:
        for number in range(5):
            await store_match(database, f"old{number}", status="ended", updated=90 * DAY_MS - 1 - number)
        await store_match(database, "late", status="ended", updated=90 * DAY_MS)
        await store_match(database, "running", status="running", updated=1)
        with caplog.at_level(logging.INFO):
            await archiver(database.archived_events).archive_all(no_pause)
            await archiver(database.archived_events).archive_all(no_pause)
        assert await files(archive) == [f"old{number}" for number in range(5)]
        told = [record for record in caplog.records if record.message == "old matches archived"]
        assert [record.__dict__["count"] for record in told] == [5]
        assert [record.seq for record in await database.events.read("old0")] == [1]


async def test_archive_that_cannot_be_reached_is_asked_once_a_pass(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    archive = UnreachableArchive(f"file://{tmp_path}")
    async with MemoryDatabase(archive) as database:
        for number in range(5):
            await store_match(database, f"old{number}", status="ended", updated=1)
        await archiver(database.archived_events).archive_all(no_pause)
        assert archive.asked == 1
        assert [record.message for record in caplog.records] == ["archive not reached"]
        assert len(await database.archived_events.stored.read("old0")) == 1


async def test_match_with_a_fault_holds_up_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    archive = Archive(f"file://{tmp_path}")
    async with MemoryDatabase(archive) as database:
        for name in ("a", "b", "c"):
            await store_match(database, name, status="ended", updated=1)
        archive_match = ArchivedEventLog.archive_match

        async def fail(self: ArchivedEventLog, match: str) -> bool:
            if match == "b":
                raise RuntimeError("a fault of one match")
            return await archive_match(self, match)

        monkeypatch.setattr(ArchivedEventLog, "archive_match", fail)
        await archiver(database.archived_events).archive_all(no_pause)
        assert await files(archive) == ["a", "c"]
        assert [record.message for record in caplog.records] == ["match not archived"]
