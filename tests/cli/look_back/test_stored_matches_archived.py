"""Archived matches are read by the command as all others, and ask for the archive where it is not named."""

import asyncio
from pathlib import Path

import pytest

from diskwars_server.store.archive.objects import Archive
from diskwars_server.store.postgres.database import PostgresDatabase
from tests.cli.command_runner import CommandRunner
from tests.cli.conftest import ENDED_MATCH


def archive_match(url: str, archive: Archive) -> None:
    """Archive the ended match, as a server does."""

    async def archived() -> None:
        async with PostgresDatabase(url, archive=archive) as database:
            while await database.ratings.count_ended(10):
                pass
            page = await database.events.find_archivable(2**53, (0, ""), 10)
            assert ENDED_MATCH in page.matches
            assert await database.archived_events.archive_match(ENDED_MATCH)

    asyncio.run(archived())


def test_archived_match_is_verified_exported_and_replayed(
    diskwars: CommandRunner, own_archive_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = "--database-url", own_archive_url
    before = diskwars("replay", ENDED_MATCH, *store).out
    diskwars("export", ENDED_MATCH, "-o", str(tmp_path / "before.jsonl"), *store)
    archive_match(own_archive_url, Archive(f"file://{tmp_path}/archive"))

    message = diskwars.error_message("replay", ENDED_MATCH, *store)
    assert "in an archive" in message
    assert "--archive-url" in message
    monkeypatch.setenv("DISKWARS_ARCHIVE_URL", f"file://{tmp_path}/archive")
    assert diskwars("replay", ENDED_MATCH, *store).out == before
    diskwars("export", ENDED_MATCH, "-o", str(tmp_path / "after.jsonl"), *store)
    assert (tmp_path / "after.jsonl").read_bytes() == (tmp_path / "before.jsonl").read_bytes()
    assert diskwars("verify", str(tmp_path / "after.jsonl")).out
    assert diskwars("verify", "--all", *store).out == "1 matches: 1 ruled the same, 0 ruled differently\n"

    monkeypatch.setenv("DISKWARS_ARCHIVE_URL", "ftp://host/x")
    assert "archive_url" in diskwars.error_message("replay", ENDED_MATCH, *store)
