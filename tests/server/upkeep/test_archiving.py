"""Old matches move to the archive by themselves, and are watched, exported and replayed from there."""

import logging
from collections.abc import Container
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


class RefusingArchive(Archive):
    """Refuses some matches, and counts how often it is asked for."""

    asked = 0
    refused: Container[str] = ()

    async def put(self, match: str, body: bytes) -> None:
        self.asked += 1
        if match in self.refused:
            raise ArchiveUnavailable("the archive cannot be reached: no route")
        await super().put(match, body)


async def no_pause(seconds: float) -> None:
    assert seconds == archiving.PAUSE_SECONDS


def archiver(events: ArchivedEventLog) -> OldMatchArchiver:
    return OldMatchArchiver(events, lambda: NOW_MS, 10 * DAY_MS)


def files(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.rglob("*.zst"))


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
        assert files(tmp_path) == [f"old{number}" for number in range(5)]
        told = [record for record in caplog.records if record.message == "old matches archived"]
        assert [record.__dict__["count"] for record in told] == [5]
        assert [record.seq for record in await database.events.read("old0")] == [1]


async def test_archive_that_cannot_be_reached_is_left_alone_after_some_matches(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    archive = RefusingArchive(f"file://{tmp_path}")
    archive.refused = [f"old{number}" for number in range(50)]
    async with MemoryDatabase(archive) as database:
        for number in range(50):
            await store_match(database, f"old{number}", status="ended", updated=1)
        await archiver(database.archived_events).archive_all(no_pause)
        assert archive.asked < archiving.MAX_FAILURES + archiving.AT_ONCE
        assert caplog.records[-1].message == "archive not reached"
        assert len(await database.archived_events.stored.read("old0")) == 1


async def test_match_that_the_archive_refuses_holds_up_no_other(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    archive = RefusingArchive(f"file://{tmp_path}")
    archive.refused = ["b"]
    async with MemoryDatabase(archive) as database:
        for name in ("a", "b", "c"):
            await store_match(database, name, status="ended", updated=1)
        await archiver(database.archived_events).archive_all(no_pause)
        assert files(tmp_path) == ["a", "c"]
        assert [record.message for record in caplog.records] == ["match not archived"]


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
        assert files(tmp_path) == ["a", "c"]
        assert [record.message for record in caplog.records] == ["match not archived"]
