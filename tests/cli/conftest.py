"""Fixtures of the command's tests: a command, and a database with matches."""

import asyncio
from itertools import pairwise

import pytest

from diskwars_protocol.records import Record
from diskwars_server.postgres import PostgresStore
from diskwars_server.store import AppendRequest, Listing
from tests.cli.command_runner import CommandRunner
from tests.client.match_files import greedy_appends, seal_appends
from tests.server.conftest import migrated

ENDED_MATCH, UNFINISHED_MATCH = "seed-1", "seed-2"
UNFINISHED_RECORD_COUNT = 200


@pytest.fixture
def diskwars(capsys: pytest.CaptureFixture[str]) -> CommandRunner:
    return CommandRunner(capsys)


def unfinished_records() -> list[Record]:
    """Return the first appends of a match, up to record 200 or a little more."""
    appends = greedy_appends(2)
    count = next(n for n in range(len(appends)) if sum(map(len, appends[:n])) >= UNFINISHED_RECORD_COUNT)
    return seal_appends(appends[:count], 2)


@pytest.fixture(scope="session")
def archive_url(postgres_url: str) -> str:
    """A database with an ended match and one that is under way."""
    url = migrated(postgres_url)

    async def filled() -> None:
        async with PostgresStore(url) as store:
            for match, records in (
                (ENDED_MATCH, seal_appends(greedy_appends())),
                (UNFINISHED_MATCH, unfinished_records()),
            ):
                status = "ended" if match == ENDED_MATCH else "running"
                listing = Listing(match, "diskwars", status, ("one", "two"), 0, 0, "")
                starts = [place for place, record in enumerate(records) if record.part == 0]
                for start, end in pairwise((*starts, len(records))):
                    await store.append(AppendRequest(match, start, tuple(records[start:end]), listing=listing))

    asyncio.run(filled())
    return url
