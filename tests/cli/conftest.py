"""Fixtures of the command's tests: a command, and a database with matches."""

import asyncio

import pytest

from diskwars_protocol.match.state import MatchStatus
from diskwars_protocol.records.records import Record
from diskwars_server.community.operators import Operators
from diskwars_server.players.names import name_key
from diskwars_server.store.accounts import StoredAccount, StoredDevice
from diskwars_server.store.event_log import AppendRequest
from diskwars_server.store.match_index import Listing
from diskwars_server.store.postgres.database import PostgresDatabase
from tests.cli.command_runner import CommandRunner
from tests.client.match_files import greedy_records, seal_records
from tests.server.conftest import migrated

ENDED_MATCH, UNFINISHED_MATCH = "seed-1", "seed-2"
UNFINISHED_RECORD_COUNT = 40


@pytest.fixture
def diskwars(capsys: pytest.CaptureFixture[str]) -> CommandRunner:
    return CommandRunner(capsys)


def unfinished_records() -> list[Record]:
    """Return the first records of a match that has not ended."""
    return seal_records(greedy_records(2)[:UNFINISHED_RECORD_COUNT], 2)


ARCHIVE_OPERATOR = "Olga"


async def store_archive(url: str) -> None:
    """Store an ended match and one that is under way, with an operator."""
    async with PostgresDatabase(url) as database:
        for match, records in (
            (ENDED_MATCH, seal_records(greedy_records())),
            (UNFINISHED_MATCH, unfinished_records()),
        ):
            status: MatchStatus = "ended" if match == ENDED_MATCH else "running"
            listing = Listing(match, "diskwars", status, ("one", "two"), "one", 0, 0)
            for record in records:
                await database.events.append(AppendRequest(match, record.seq - 1, record, listing=listing))
        account = StoredAccount("olga", ARCHIVE_OPERATOR, name_key(ARCHIVE_OPERATOR), "hash", 0)
        await database.accounts.register(account, StoredDevice("olga", "d", b"olga", 0, 0))
        await Operators(database, lambda: 1).grant(ARCHIVE_OPERATOR, "looks into the archive")


@pytest.fixture(scope="session")
def archive_url(postgres_url: str) -> str:
    """Return the address of a database with an ended match and one that is under way."""
    url = migrated(postgres_url)
    asyncio.run(store_archive(url))
    return url


@pytest.fixture
def own_archive_url(postgres_url: str) -> str:
    """Return the address of such a database for one test alone."""
    url = migrated(postgres_url)
    asyncio.run(store_archive(url))
    return url
