"""Fixtures of the server's tests: databases that are migrated once and emptied for each test, on the oldest and newest
supported versions of PostgreSQL.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import TypeAlias
from uuid import uuid4

import asyncpg
import pytest
from sqlalchemy import make_url

from diskwars_server.connections.fast_socket import FastGameSocket
from diskwars_server.connections.game_socket import GameSocket
from diskwars_server.processes.embedded_postgres import EmbeddedPostgres
from diskwars_server.store.database import Database
from diskwars_server.store.memory.database import MemoryDatabase
from diskwars_server.store.postgres.database import PostgresDatabase
from tests.server.faulty_database import FaultyDatabase
from tests.server.in_memory_server import InMemoryServer

MakeDatabase: TypeAlias = Callable[[], Database]
"""Makes one more database object over one and the same place."""

TRUNCATE_SQL = (
    "truncate records, matches, secrets, deadlines, graces, health, keys, accounts, devices, match_entries, "
    "match_invites, counted_matches, rating_model, ratings, rating_changes, played_results, chat_messages, "
    "muted_players, "
    "operator_acts, reports, match_seeks, challenges, challenge_refusers, planned_notices, notice_channels, "
    "notice_preferences, notice_deliveries, "
    "archive_removals, "
    "account_recoveries, guest_names, followed_players, presence_shown, former_names, lesson_progress, device_logins, "
    "page_builds, page_parts, "
    "tournament_records, tournaments, club_records, clubs"
)
DEBIAN_15 = Path("/usr/lib/postgresql/15/bin")


def options(url: str) -> dict[str, str | None]:
    """Return the arguments with which asyncpg itself reaches a database."""
    parsed = make_url(url)
    return {"host": str(parsed.query["host"]), "user": parsed.username, "database": parsed.database}


async def run_sql(url: str, sql: str) -> None:
    connection = await asyncpg.connect(**options(url))
    try:
        await connection.execute(sql)
    finally:
        await connection.close()


def migrated(server: str) -> str:
    """Return the URL of a new database on this server, with all tables."""

    async def made() -> str:
        name = f"migrated_{uuid4().hex}"
        await run_sql(server, f"create database {name}")
        url = make_url(server).set(database=name).render_as_string(hide_password=False)
        async with PostgresDatabase(url):
            return url

    return asyncio.run(made())


@pytest.fixture(scope="session")
def postgres_15_url(open_folder: Path) -> Iterator[str]:
    """Debian's PostgreSQL 15, the oldest that is supported."""
    if not DEBIAN_15.is_dir():
        pytest.skip("no PostgreSQL 15 of Debian on this machine")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EMBEDDED_PG_BIN", str(DEBIAN_15))
        server = EmbeddedPostgres(open_folder / "oldest", durable=False)
        url = server.start()
    yield url
    server.stop()


@pytest.fixture(scope="session")
def migrated_url(postgres_url: str) -> str:
    return migrated(postgres_url)


@pytest.fixture(scope="session")
def migrated_15_url(postgres_15_url: str) -> str:
    return migrated(postgres_15_url)


@pytest.fixture(params=["memory", "postgres", "postgres 15"])
def make_database(request: pytest.FixtureRequest) -> MakeDatabase:
    if request.param == "memory":
        database = MemoryDatabase()
        return lambda: database
    url = request.getfixturevalue("migrated_url" if request.param == "postgres" else "migrated_15_url")
    asyncio.run(run_sql(url, TRUNCATE_SQL))
    return lambda: PostgresDatabase(url)


@pytest.fixture
async def database(make_database: MakeDatabase) -> AsyncIterator[Database]:
    async with make_database() as opened:
        yield opened


@pytest.fixture
async def faulty_database() -> AsyncIterator[FaultyDatabase]:
    """A database in memory that fails where a test tells it to."""
    async with FaultyDatabase(MemoryDatabase()) as opened:
        yield opened


@pytest.fixture
async def node(faulty_database: FaultyDatabase) -> AsyncIterator[InMemoryServer]:
    """One server in memory over a database that can fail."""
    server = InMemoryServer(faulty_database)
    yield server
    await server.matches.close()


@pytest.fixture(params=[GameSocket, FastGameSocket])
def socket_class(request: pytest.FixtureRequest) -> type[GameSocket]:
    """The socket over the public API of the library, and the one with short cuts."""
    socket_class: type[GameSocket] = request.param
    return socket_class
