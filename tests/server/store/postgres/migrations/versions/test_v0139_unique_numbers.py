"""Reports of one number get numbers of their own, and nodes of the version before go on meanwhile."""

import asyncio

import asyncpg
import pytest
from sqlalchemy.ext.asyncio import create_async_engine

from diskwars_server.store.errors import StoreError
from diskwars_server.store.postgres import migrations
from diskwars_server.store.postgres.database import PostgresDatabase
from tests.server.conftest import options, run_sql

REPORTS_SQL = """
insert into reports (number, match_id, seq, player_id, reporter, at, text, command_id, closed_by, kind) values
    (1, 'm', 1, 'bob', 'ann', 5, 'first', 'c', 4, 'match'), (1, 'n', 1, 'dan', 'ann', 6, 'second', 'c', 4, 'match'),
    (2, 'm', 1, 'bob', 'cid', 7, 'third', 'd', 5, 'match'), (2, 'o', 1, 'bob', 'cid', 4, 'fourth', 'd', 5, 'match'),
    (3, 'p', 1, 'bob', 'cid', 1, 'fifth', 'd', 0, 'match'), (3, 'club', 1, 'bob', 'cid', 9, 'sixth', 'd', 6, 'club')
"""
ACTS_SQL = """
insert into operator_acts (number, kind, operator, target, at, reason, detail) values
    (4, 'close_report', 'eve', 'dan', 8, 'done', 'report 1'), (5, 'close_report', 'eve', 'bob', 8, 'done', 'report 2'),
    (6, 'close_report', 'eve', 'club', 8, 'done', 'report 3'), (7, 'ban', 'eve', 'dan', 8, 'done', 'report 1')
"""
CLOSE_SQL = "update reports set closed_by = 1 where number = 1"
WAITING_SQL = "select count(*) from pg_locks where not granted and relation = 'operator_acts'::regclass"


async def migrate(url: str, version: str) -> None:
    engine = create_async_engine(url)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(migrations.upgrade, version)
    finally:
        await engine.dispose()


async def test_reports_of_one_number_get_numbers_of_their_own_and_acts_name_those(database_url: str) -> None:
    await migrate(database_url, "0138")
    await run_sql(database_url, REPORTS_SQL + ";" + ACTS_SQL)
    async with PostgresDatabase(database_url) as database:
        reports = await database.reports.list_reports(10, is_open=False)
        acts = await database.operator_acts.read_after(0, 10)
        with pytest.raises(asyncpg.UniqueViolationError):
            await run_sql(database_url, REPORTS_SQL.replace("'m'", "'q'"))
    found = sorted((report.number, report.text, report.closed_by) for report in reports)
    kept = [(1, "first", 4), (2, "fourth", 5), (3, "fifth", 0)]
    assert found == [*kept, (4, "second", 4), (5, "third", 5), (6, "sixth", 6)]
    assert [act.detail for act in acts] == ["report 4", "report 2", "report 6", "report 1"]


async def test_acts_of_one_number_are_left_as_they_are_and_named(database_url: str) -> None:
    await migrate(database_url, "0138")
    await run_sql(database_url, f"{ACTS_SQL}, (4, 'ban', 'eve', 'fay', 8, 'done', '')")
    with pytest.raises(StoreError, match="two rows of the table operator_acts have the number 4"):
        await PostgresDatabase(database_url).open()


async def test_node_of_the_version_before_closes_a_report_while_the_step_waits(database_url: str) -> None:
    await migrate(database_url, "0138")
    await run_sql(database_url, REPORTS_SQL)
    node = await asyncpg.connect(**options(database_url))
    async with asyncio.timeout(20), node.transaction():
        await node.execute("lock table operator_acts in exclusive mode")
        step = asyncio.create_task(migrate(database_url, "0139"))
        while not await node.fetchval(WAITING_SQL):
            await asyncio.sleep(0.01)
        await node.execute(CLOSE_SQL)
    await step
    assert await node.fetchval("select count(*) from reports where closed_by = 1") == 2
    await node.close()
