"""Archived matches are read as before; nothing is deleted that is not in the archive."""

import asyncio
import gc
from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import func, select

from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.match_options import MatchOptions
from diskwars_server.store.archive import archived_events
from diskwars_server.store.archive.archived_events import KEPT_MATCHES, ArchivedEventLog
from diskwars_server.store.archive.archived_match import pack_match
from diskwars_server.store.archive.objects import Archive, ArchiveUnavailable, ArchiveUnreachable
from diskwars_server.store.database import Database
from diskwars_server.store.errors import RecordsElsewhere, StoreUnavailable, WrongVersion
from diskwars_server.store.match_index import Listing
from diskwars_server.store.memory.database import MemoryDatabase
from diskwars_server.store.postgres.ratings import LOCK_KEY, PostgresRatings
from diskwars_server.store.rating_model import MODEL_VERSION
from tests.server.conftest import MakeDatabase
from tests.server.stored_samples import make_append, make_record, register, store_match, store_played

START = (0, "")


class FaultyArchive(Archive):
    """Loses what is written, or changes it, where a test says so."""

    fault = ""

    async def put(self, match: str, body: bytes) -> None:
        if self.fault == "unreachable":
            raise ArchiveUnavailable("the archive cannot be reached")
        if self.fault != "lost":
            await super().put(match, body[:-1] if self.fault == "cut" else body)

    async def delete(self, matches: object) -> None:
        if self.fault == "unreachable":
            raise ArchiveUnavailable("the archive cannot be reached")
        await super().delete(matches)  # type: ignore[arg-type]


class SlowArchive(Archive):
    """Answers when a test says so, and fails where it says so."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self.asked, self.fails = 0, False
        self.is_asked, self.may_answer = asyncio.Event(), asyncio.Event()

    async def get(self, match: str) -> bytes:
        self.asked += 1
        self.is_asked.set()
        await self.may_answer.wait()
        if self.fails:
            raise ArchiveUnreachable("the archive cannot be reached")
        return await self._archive.get(match)


@pytest.fixture
def archive(tmp_path: Path) -> FaultyArchive:
    return FaultyArchive(f"file://{tmp_path}/archive")


def ended(match: str, updated: int = 5) -> Listing:
    result, options = Result("points", (0,)), MatchOptions(rated=True)
    return Listing(match, "diskwars", "ended", ("ann", "bob"), "ann", 1, updated, result, options, records=4)


async def log_of(database: Database, archive: Archive | None) -> ArchivedEventLog:
    """Return the archived log over a database with one ended match of four records, counted for ratings."""
    await store_bodies_of(database, "old")
    return ArchivedEventLog(database.archived_events.stored, archive)


async def store_bodies_of(database: Database, match: str, updated: int = 5) -> None:
    await store_played(database, ended(match, updated))
    while await database.ratings.count_ended(10):
        pass


async def test_archived_match_is_read_as_before(database: Database, archive: FaultyArchive) -> None:
    events = await log_of(database, archive)
    whole = await events.read("old")
    assert await events.archive_match("old")
    assert [record.seq for record in await database.archived_events.stored.read("old")] == [len(whole)]
    fresh = ArchivedEventLog(database.archived_events.stored, archive)
    for after in range(-1, len(whole) + 2):
        for limit in (None, 1, 2, 100):
            first = max(after, 0)
            wanted = whole[first : None if limit is None else first + limit]
            assert await fresh.read("old", after, limit) == wanted, (after, limit)
    assert await fresh.heads(["old"]) == {"old": len(whole)}
    assert not await events.archive_match("old")


async def test_archived_match_keeps_its_lock(database: Database, archive: FaultyArchive) -> None:
    """A writer that has slept through the end still loses, and a new match cannot begin in its place."""
    events = await log_of(database, archive)
    head = (await events.heads(["old"]))["old"]
    assert await events.archive_match("old")
    for expected in range(1, head):
        with pytest.raises(WrongVersion):
            await events.append(make_append("old", expected))


@pytest.mark.parametrize("fault", ["lost", "cut", "unreachable"])
async def test_nothing_is_deleted_that_the_archive_does_not_have(
    database: Database, archive: FaultyArchive, fault: str
) -> None:
    events = await log_of(database, archive)
    whole = await events.read("old")
    archive.fault = fault
    with pytest.raises(StoreUnavailable):
        await events.archive_match("old")
    assert await database.archived_events.stored.read("old") == whole
    archive.fault = ""
    assert await events.archive_match("old")
    assert await events.read("old") == whole


async def test_only_old_ended_and_counted_matches_may_be_archived(database: Database) -> None:
    await register(database, "ann")
    await store_bodies_of(database, "old", updated=5)
    await store_bodies_of(database, "older", updated=4)
    await store_bodies_of(database, "late", updated=10)
    await store_match(database, "running", "ann", "bob", status="running", updated=3)
    first = await database.events.find_archivable(10, START, 1)
    assert (first.matches, first.next) == (["older"], (4, "older"))
    assert first.next is not None
    rest = await database.events.find_archivable(10, first.next, 10)
    assert (rest.matches, rest.next) == (["old"], None)
    assert not await database.events.drop_archived("running", 1)
    assert not await database.events.drop_archived("nowhere", 1)
    head = (await database.events.heads(["old"]))["old"]
    assert not await database.events.drop_archived("old", head - 1), "it does not end there"
    assert await database.events.drop_archived("old", head)
    assert (await database.events.find_archivable(10, START, 10)).matches == ["older"]


async def test_lost_and_foreign_files_are_no_records(database: Database, archive: FaultyArchive) -> None:
    events = await log_of(database, archive)
    await store_bodies_of(database, "other")
    whole = await events.read("old")
    assert await events.archive_match("old")
    body = await archive.get("old")
    for wrong in (b"", body[:-2]):
        await archive.put("old", wrong)
        with pytest.raises(ArchiveUnavailable):
            await ArchivedEventLog(database.archived_events.stored, archive).read("old")
    await archive.delete(["old"])
    with pytest.raises(ArchiveUnavailable, match="does not have"):
        await ArchivedEventLog(database.archived_events.stored, archive).read("old")
    with pytest.raises(ArchiveUnavailable, match="archive-url"):
        await ArchivedEventLog(database.archived_events.stored, None).read("old")
    # What the database still has is read without the archive.
    assert await ArchivedEventLog(database.archived_events.stored, None).read("old", len(whole) - 1) == whole[-1:]
    await archive.put("old", body)
    assert await ArchivedEventLog(database.archived_events.stored, archive).read("old") == whole


async def test_file_with_another_end_than_its_match_is_refused(database: Database, archive: FaultyArchive) -> None:
    events = await log_of(database, archive)
    whole = await events.read("old")
    assert await events.archive_match("old")
    for forged in (
        whole[:-1],
        [*whole[:-1], replace(whole[-1], hash=bytes(32))],
        [*whole, make_record(len(whole) + 1)],
    ):
        await archive.put("old", pack_match("old", forged))
        with pytest.raises(ArchiveUnavailable, match="does not end"):
            await ArchivedEventLog(database.archived_events.stored, archive).read("old")


def files(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.rglob("*.zst"))


async def test_files_of_removed_matches_go_and_no_others(
    database: Database, archive: FaultyArchive, tmp_path: Path
) -> None:
    """Another database may have its files in the same place."""
    await archive.put("of another server", b"body")
    events = await log_of(database, archive)
    await store_bodies_of(database, "kept", updated=20)
    for match in ("old", "kept"):
        assert await events.archive_match(match)
    assert await events.delete_removed(10) == 0
    assert (await events.remove_guest_matches(10, START, 10)).removed == ["old"]
    archive.fault = "unreachable"
    with pytest.raises(ArchiveUnavailable):
        await events.delete_removed(10)
    archive.fault = ""
    assert await events.delete_removed(10) == 1
    assert await events.delete_removed(10) == 0
    assert files(tmp_path / "archive") == ["kept", "of another server"]


async def test_slow_archive_is_asked_once_for_all_readers_and_holds_up_nobody_else(
    database: Database, archive: FaultyArchive
) -> None:
    events = await log_of(database, archive)
    whole = await events.read("old")
    assert await events.archive_match("old")
    slow = SlowArchive(archive)
    fresh = ArchivedEventLog(database.archived_events.stored, slow)
    with pytest.raises(RecordsElsewhere):
        await fresh.read_near("old")
    readers = [asyncio.create_task(fresh.read("old")) for _ in range(5)]
    await asyncio.wait_for(slow.is_asked.wait(), 10)
    await store_bodies_of(database, "live")
    assert len(await fresh.read_near("live")) > 1
    slow.may_answer.set()
    assert await asyncio.gather(*readers) == [whole] * 5
    assert slow.asked == 1
    assert await fresh.read_near("old") == whole


async def test_archive_that_has_failed_is_left_alone_for_a_while(
    database: Database, archive: FaultyArchive, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = await log_of(database, archive)
    whole = await events.read("old")
    assert await events.archive_match("old")
    slow = SlowArchive(archive)
    slow.may_answer.set()
    slow.fails = True
    fresh = ArchivedEventLog(database.archived_events.stored, slow)
    for _ in range(3):
        with pytest.raises(ArchiveUnavailable):
            await fresh.read("old")
    assert slow.asked == 1
    monkeypatch.setattr(fresh, "_rests_until", 0.0)
    slow.fails = False
    assert await fresh.read("old") == whole


async def test_reader_who_leaves_a_failing_archive_leaves_no_trace(database: Database, archive: FaultyArchive) -> None:
    events = await log_of(database, archive)
    assert await events.archive_match("old")
    slow = SlowArchive(archive)
    slow.fails = True
    fresh = ArchivedEventLog(database.archived_events.stored, slow)
    faults: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: faults.append(context))
    reader = asyncio.create_task(fresh.read("old"))
    await asyncio.wait_for(slow.is_asked.wait(), 10)
    reader.cancel()
    slow.may_answer.set()
    while fresh._reading:
        await asyncio.sleep(0)
    del reader
    gc.collect()
    await asyncio.sleep(0)
    assert faults == []


async def test_readers_of_many_matches_at_once_are_refused(
    database: Database, archive: FaultyArchive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archived_events, "MAX_READINGS", 1)
    events = await log_of(database, archive)
    await store_bodies_of(database, "other")
    for match in ("old", "other"):
        assert await events.archive_match(match)
    slow = SlowArchive(archive)
    fresh = ArchivedEventLog(database.archived_events.stored, slow)
    reading = asyncio.create_task(fresh.read("old"))
    await asyncio.wait_for(slow.is_asked.wait(), 10)
    with pytest.raises(ArchiveUnavailable, match="busy"):
        await fresh.read("other")
    slow.may_answer.set()
    assert len(await reading) > 1


async def test_few_matches_are_kept_in_memory(database: Database, archive: FaultyArchive) -> None:
    events = await log_of(database, archive)
    for number in range(KEPT_MATCHES + 2):
        await store_bodies_of(database, f"m{number}")
        assert await events.archive_match(f"m{number}")
        await events.read(f"m{number}")
    assert len(events._kept) == KEPT_MATCHES


async def test_rated_match_whose_file_is_lost_holds_up_no_other(
    make_database: MakeDatabase, archive: FaultyArchive, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with make_database() as database:
        monkeypatch.setattr(database.archived_events, "_archive", archive)
        await register(database, "ann")
        await register(database, "bob")
        await store_bodies_of(database, "old")
        assert await database.archived_events.archive_match("old")
        await archive.delete(["old"])
        await store_bodies_of(database, "other", updated=6)
        # Another model counts all of them once more.
        for _ in range(10):
            if not await database.ratings.count_ended(10, MODEL_VERSION + 1):
                break
        (rating,) = await database.ratings.list_ratings("ann")
        is_memory = isinstance(database, MemoryDatabase)  # which has all records itself
        assert rating.games == (2 if is_memory else 1)


async def test_archive_is_read_for_ratings_while_nobody_holds_their_lock(
    make_database: MakeDatabase, archive: FaultyArchive, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with make_database() as database:
        if not isinstance(database.ratings, PostgresRatings):
            return  # the other has no lock
        slow = SlowArchive(archive)
        monkeypatch.setattr(database.archived_events, "_archive", archive)
        await register(database, "ann")
        await register(database, "bob")
        await store_bodies_of(database, "old")
        assert await database.archived_events.archive_match("old")
        monkeypatch.setattr(database.archived_events, "_archive", slow)
        assert await database.ratings.count_ended(10, MODEL_VERSION + 1) == 1, "taken back"
        counting = asyncio.create_task(database.ratings.count_ended(10, MODEL_VERSION + 1))
        await asyncio.wait_for(slow.is_asked.wait(), 10)
        async with database.ratings._connect() as connection:
            assert await connection.scalar(select(func.pg_try_advisory_xact_lock(LOCK_KEY)))
        slow.may_answer.set()
        assert await counting == 1, "read"
        assert await database.ratings.count_ended(10, MODEL_VERSION + 1) == 1
        (rating,) = await database.ratings.list_ratings("ann")
        assert rating.games == 1


async def test_ratings_are_made_again_from_archived_matches(
    make_database: MakeDatabase, archive: FaultyArchive, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with make_database() as database:
        monkeypatch.setattr(database.archived_events, "_archive", archive)
        await register(database, "ann")
        await register(database, "bob")
        await store_bodies_of(database, "old")
        before = await database.ratings.list_ratings("ann")
        assert await database.archived_events.archive_match("old")
        assert before
        assert await database.ratings.rebuild(write=False) == (1, [])
