"""A stop signal ends `backup`, `restore` and `import` while they wait, and leaves nothing half done."""

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import asyncpg
import pytest
from sqlalchemy import make_url

from tests.cli.console.test_signals_verbs import BOTH, stop
from tests.cli.play.test_play import start_play
from tests.client.local_server import TEST_TIMEOUT_SECONDS, running_server
from tests.server.conftest import migrated, options, run_sql

MOMENTS = pytest.mark.parametrize(
    ("delay", "number"), [(0.1, signal.SIGINT), (0.4, signal.SIGTERM), (1.0, signal.SIGINT)], ids=str
)
"""Seconds after the start, and the signal that comes then."""
LOCK = "lock table records in access exclusive mode"
WAITING = "select count(*) from pg_locks where not granted and relation = 'records'::regclass"


@contextlib.asynccontextmanager
async def locked_records(url: str) -> AsyncIterator[asyncpg.Connection]:
    """Hold the table of records, so that those who read or write it wait."""
    connection = await asyncpg.connect(**options(url))
    try:
        async with connection.transaction():
            await connection.execute(LOCK)
            yield connection
    finally:
        await connection.close()


async def succeed(*words: str) -> str:
    process = await start_play(*words)
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
        output, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()
    return output.decode()


@BOTH
async def test_backup_stops_while_it_reads_and_leaves_no_file(
    postgres_url: str, tmp_path: Path, number: signal.Signals
) -> None:
    url = await asyncio.to_thread(migrated, postgres_url)
    async with locked_records(url) as connection:
        process = await start_play("backup", str(tmp_path / "a.backup"), "--database-url", url)
        async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
            while not await connection.fetchval(WAITING):
                assert process.returncode is None, (await process.communicate())[1].decode()
                await asyncio.sleep(0.02)
        assert await stop(process, number) == ""
    assert list(tmp_path.iterdir()) == []


@MOMENTS
async def test_restore_stops_while_it_starts_and_works_and_can_be_repeated(
    postgres_url: str, tmp_path: Path, delay: float, number: signal.Signals
) -> None:
    file = tmp_path / "a.backup"
    name = f"restored_{uuid4().hex}"
    await run_sql(postgres_url, f"create database {name}")
    target = make_url(postgres_url).set(database=name).render_as_string(hide_password=False)
    await succeed("backup", str(file), "--database-url", await asyncio.to_thread(migrated, postgres_url))
    process = await start_play("restore", str(file), "--database-url", target)
    await asyncio.sleep(delay)
    if not (await stop(process, number, may_be_importing=True, codes=(0, 130))).startswith("restored"):
        assert (await succeed("restore", str(file), "--database-url", target)).startswith("restored 0 matches")


@MOMENTS
async def test_backup_stops_while_it_starts(
    postgres_url: str, tmp_path: Path, delay: float, number: signal.Signals
) -> None:
    process = await start_play("backup", str(tmp_path / "a.backup"), "--database-url", postgres_url)
    await asyncio.sleep(delay)
    await stop(process, number, may_be_importing=True, codes=(0, 2, 130))  # 2: this database has no tables
    assert not list(tmp_path.glob("*.part"))


@MOMENTS
async def test_import_stops_while_it_starts_and_waits_for_its_input(delay: float, number: signal.Signals) -> None:
    async with running_server() as url:
        process = await start_play("import", "-", "--url", url)
        await asyncio.sleep(delay)
        assert await stop(process, number, may_be_importing=True) == ""
