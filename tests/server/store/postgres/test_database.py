"""The database port on a PostgreSQL that is slow, hangs up, does not answer, is empty or too new."""

import asyncio
import contextlib
import json
import random
import re
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import asyncpg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from msgspec.structs import replace
from sqlalchemy import Connection, make_url
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import create_async_engine

from diskwars_server.monitoring.health import HealthCheck, HealthReport
from diskwars_server.store.database import Database
from diskwars_server.store.deadlines import ABSENCE
from diskwars_server.store.errors import (
    OutcomeUnknown,
    SchemaNewer,
    SchemaTooOld,
    StoreError,
    StoreUnavailable,
    WrongVersion,
)
from diskwars_server.store.event_log import AppendRequest
from diskwars_server.store.match_index import HistoryQuery
from diskwars_server.store.memory.database import MemoryDatabase
from diskwars_server.store.postgres import migrations
from diskwars_server.store.postgres.append_statement import LEAN_APPEND_SQL
from diskwars_server.store.postgres.database import PostgresDatabase
from diskwars_server.store.postgres.group_commit import WriterLimits
from diskwars_server.store.postgres.match_index import select_scanned, select_unfinished_count
from diskwars_server.store.postgres.tables import METADATA, RECORDS_VERSION
from tests.server.conftest import TRUNCATE_SQL, options, run_sql
from tests.server.cuttable_proxy import CuttableProxy
from tests.server.stored_samples import make_append, make_listing, make_record, outcomes

END_CONNECTIONS_SQL = "select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'diskwars'"
LONG_TIMEOUT = 8.0
"""Seconds after which a test has waited in vain for what has to happen."""


@pytest.fixture(params=["postgres", "postgres 15"])
def url(request: pytest.FixtureRequest) -> str:
    """A migrated and empty database."""
    url: str = request.getfixturevalue("migrated_url" if request.param == "postgres" else "migrated_15_url")
    asyncio.run(run_sql(url, TRUNCATE_SQL))
    return url


@pytest.fixture
async def sql(url: str) -> AsyncIterator[asyncpg.Connection]:
    """Somebody else at work in the same database."""
    connection = await asyncpg.connect(**options(url))
    yield connection
    await connection.close()


async def waiting_backend(sql: asyncpg.Connection) -> int:
    """Return the process that serves the store's writer, as soon as that waits for a lock."""
    async with asyncio.timeout(LONG_TIMEOUT):
        while True:
            pid = await sql.fetchval("select pid from pg_stat_activity where wait_event_type = 'Lock'")
            if pid is not None:
                return int(pid)


@asynccontextmanager
async def locked_match(url: str, match: str, lock_timeout: str = "8s") -> AsyncIterator[None]:
    """Another transaction has written record 1 of this match, and neither commits nor gives up."""
    connection = await asyncpg.connect(**options(url))
    values = "($1, 1, 0, 'bob', 'b1', 1, '', null, '', '')"
    try:
        await connection.execute(f"begin; set lock_timeout = '{lock_timeout}'")
        await connection.execute(f"insert into records values {values}", match)
        yield
    finally:
        await connection.close()


@pytest.fixture
async def wire(url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[CuttableProxy]:
    tapped = CuttableProxy(url, tmp_path_factory.mktemp("w"))
    await tapped.connect()
    yield tapped
    await tapped.cut()


@asynccontextmanager
async def missing_standby(sql: asyncpg.Connection) -> AsyncIterator[None]:
    """Every commit waits for a standby that is not there."""
    await sql.execute("alter system set synchronous_standby_names = 'standby'")
    await sql.execute("select pg_reload_conf()")
    try:
        # Commits wait once the checkpointer has read it. This one is given up, and done.
        with contextlib.suppress(TimeoutError):
            while True:
                await sql.execute("select pg_logical_emit_message(true, '', '')", timeout=0.2)
        yield
    finally:
        await sql.execute("alter system reset synchronous_standby_names")
        await sql.execute("select pg_reload_conf()")


@pytest.mark.parametrize("is_closed", [False, True], ids=["waited too long", "server ends"])
async def test_append_that_waits_for_a_standby_is_not_seen_until_the_standby_has_it(
    url: str, sql: asyncpg.Connection, is_closed: bool
) -> None:
    """PostgreSQL shows a commit whose wait was cancelled, and a promotion of the standby would lose it.

    asyncpg cancels what takes too long; the writer ends the connection before the request is sent.
    """
    count_sql = "select count(*) from records"
    async with AsyncExitStack() as stack:
        limits = WriterLimits(reply_timeout_ms=30_000 if is_closed else 3_000)
        database = await stack.enter_async_context(PostgresDatabase(url, limits))
        await database.events.append(make_append("b"))  # connected
        async with missing_standby(sql):
            waiting = asyncio.create_task(outcomes(database, make_append("a")))
            async with asyncio.timeout(LONG_TIMEOUT):
                while not await sql.fetchval("select 1 from pg_stat_activity where wait_event = 'SyncRep'"):
                    await asyncio.sleep(0.01)
                if is_closed:
                    stack.pop_all()
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(database.close(), 0.1)
                with contextlib.suppress(asyncio.CancelledError):  # the end of the server
                    assert [type(answer) for answer in await waiting] == [OutcomeUnknown]
                assert is_closed or not waiting.cancelled()
            await asyncio.sleep(0.2)  # as long as a request to cancel would take
            assert await sql.fetchval(count_sql) == 1
        async with asyncio.timeout(LONG_TIMEOUT):
            while await sql.fetchval(count_sql) != 2:
                await asyncio.sleep(0.01)


async def test_a_commit_whose_answer_is_lost_is_unknown_and_is_found_when_one_looks(wire: CuttableProxy) -> None:
    async with PostgresDatabase(wire.url) as database:
        await database.events.append(make_append("a"))
        wire.swallow = True
        first = asyncio.create_task(outcomes(database, make_append("a", 1), make_append("b")))
        await wire.swallowed.wait()
        assert [type(answer) for answer in await first] == [OutcomeUnknown, OutcomeUnknown]
        assert await database.events.heads(["a", "b"]) == {"a": 2, "b": 1}
        # The writer reconnects by itself, and a blind second append is refused.
        again = await outcomes(database, make_append("a", 1), make_append("b", 1))
        assert [type(answer) for answer in again] == [WrongVersion, type(None)]


async def test_an_append_whose_connection_dies_before_the_commit_is_unknown_and_not_there(
    url: str, sql: asyncpg.Connection
) -> None:
    async with PostgresDatabase(url) as database:
        async with locked_match(url, "m"):
            doomed = asyncio.create_task(outcomes(database, make_append("m")))
            pid = await waiting_backend(sql)
            other = asyncio.create_task(outcomes(database, make_append("other")))
            await sql.execute("select pg_terminate_backend($1)", pid)
            [lost], [kept] = await doomed, await other
        assert isinstance(lost, OutcomeUnknown)
        assert kept is None, "what was still in the queue goes over the next connection"
        assert await database.events.heads(["m", "other"]) == {"other": 1}
        await database.events.append(make_append("m"))


async def test_killed_while_nothing_was_under_way_the_store_goes_on(url: str, sql: asyncpg.Connection) -> None:
    async with PostgresDatabase(url) as database:
        await database.events.append(make_append("m"))
        await sql.execute(END_CONNECTIONS_SQL)
        [answer] = await outcomes(database, make_append("m", 1))
        # The news of the end and the append may cross each other; then it was not stored, and one may look.
        if answer is not None:
            assert isinstance(answer, OutcomeUnknown)
            assert await database.events.heads(["m"]) == {"m": 1}
            await database.events.append(make_append("m", 1))
        assert len(await database.events.read("m")) == 2


async def test_a_server_that_falls_silent_makes_the_outcome_unknown(wire: CuttableProxy) -> None:
    async with PostgresDatabase(wire.url, WriterLimits(reply_timeout_ms=2_000)) as database:
        await database.events.append(make_append("m"))
        wire.silent = True
        [answer] = await outcomes(database, make_append("m", 1))
        assert isinstance(answer, OutcomeUnknown)
        wire.silent = False
        await database.events.append(make_append("n"))


async def test_abort_ends_what_waits_for_a_server_that_does_not_answer(wire: CuttableProxy) -> None:
    patient = WriterLimits(reply_timeout_ms=600_000, connect_timeout_ms=600_000)
    async with asyncio.timeout(LONG_TIMEOUT), AsyncExitStack() as stack:
        database = await stack.enter_async_context(PostgresDatabase(wire.url, patient))
        await database.events.append(make_append("m"))
        wire.hangs = True
        # More than the pool has connections: some wait for an answer, some to connect, some for their turn.
        reads = [asyncio.create_task(database.events.read("m")) for _ in range(12)]
        appends = [asyncio.create_task(outcomes(database, make_append("m", 1))) for _ in range(2)]
        await asyncio.sleep(0)
        await wire.asked_in_vain.wait()
        reads[0].cancel()
        await asyncio.sleep(0)
        database.abort()
        answers = await asyncio.gather(*reads, return_exceptions=True)
        assert isinstance(answers[0], asyncio.CancelledError)
        assert {type(answer) for answer in answers[1:]} == {StoreUnavailable}
        assert {type(answer) for [answer] in await asyncio.gather(*appends)} <= {StoreUnavailable, OutcomeUnknown}


async def test_a_database_out_of_reach_is_unavailable_and_served_again_when_it_is_back(wire: CuttableProxy) -> None:
    async with PostgresDatabase(wire.url, WriterLimits(reconnect_pause_ms=1, max_reconnect_pause_ms=4)) as database:
        await database.events.append(make_append("m"))
        await wire.cut()
        # The news of the cut and the first append may cross each other.
        first, *rest = [await outcomes(database, make_append("m", 1), make_append("n")) for _ in range(4)]
        assert {type(answer) for answer in first} <= {StoreUnavailable, OutcomeUnknown}
        assert {type(answer) for answers in rest for answer in answers} == {StoreUnavailable}
        with pytest.raises(StoreUnavailable):
            await database.events.read("m")
        await wire.connect()
        assert await outcomes(database, make_append("m", 1), make_append("n")) == [None, None]
        assert len(await database.events.read("m")) == 2


def outage_lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.message for record in caplog.records if record.name == "diskwars_server.store.postgres.outages"]


async def wait_for_outage_lines(caplog: pytest.LogCaptureFixture, count: int) -> None:
    async with asyncio.timeout(LONG_TIMEOUT):
        while len(outage_lines(caplog)) < count:
            await asyncio.sleep(0.01)


async def test_outage_is_logged_once_and_so_is_its_end(wire: CuttableProxy, caplog: pytest.LogCaptureFixture) -> None:
    limits = WriterLimits(reconnect_pause_ms=1, max_reconnect_pause_ms=4, outage_probe_ms=20, outage_quiet_ms=50)
    async with PostgresDatabase(wire.url, limits) as database:
        for outage in range(1, 3):
            await database.events.append(make_append(f"m{outage}"))
            await wire.cut()
            for _ in range(5):
                await outcomes(database, make_append("n"), make_append("o"))
                with pytest.raises(StoreUnavailable):
                    await database.events.read("m1")
            assert outage_lines(caplog)[2 * outage - 2 :] == ["database unavailable"]
            await wire.connect()
            await wait_for_outage_lines(caplog, 2 * outage)
        assert outage_lines(caplog) == ["database unavailable", "database available again"] * 2
    assert [record.levelname for record in caplog.records if record.name.endswith("outages")] == [
        "ERROR",
        "WARNING",
    ] * 2


async def test_database_that_refuses_writes_is_an_outage_and_not_healthy(
    url: str, sql: asyncpg.Connection, caplog: pytest.LogCaptureFixture
) -> None:
    async with PostgresDatabase(url, WriterLimits(outage_probe_ms=20, outage_quiet_ms=50)) as database:
        name = make_url(url).database
        health = HealthCheck(database, "n1", "1.2.3", seconds_between_writes=0)
        assert (await health.report()).status == "ok"
        await sql.execute(f"alter database {name} set default_transaction_read_only = on")
        try:
            await sql.execute(END_CONNECTIONS_SQL)
            assert (await health.report()).status == "unavailable"
            for _ in range(3):
                assert {type(answer) for answer in await outcomes(database, make_append("m"))} <= {
                    StoreUnavailable,
                    OutcomeUnknown,
                }
            assert await database.events.heads(["m"]) == {}, "reading goes on"
            assert outage_lines(caplog) == ["database unavailable"]
        finally:
            await sql.execute(f"alter database {name} reset all")
        await sql.execute(END_CONNECTIONS_SQL)
        await wait_for_outage_lines(caplog, 2)
        async with asyncio.timeout(LONG_TIMEOUT):
            while database.is_failing:
                await asyncio.sleep(0.05)
        assert (await health.report()) == HealthReport("ok", "n1", "1.2.3", "ok", migrations.SCHEMA_VERSION)
        await health.close()


async def test_health_check_of_a_silent_database_ends_in_time(wire: CuttableProxy) -> None:
    async with PostgresDatabase(wire.url, WriterLimits(reply_timeout_ms=500)) as database:
        health = HealthCheck(database, "n1", "1.2.3", timeout_seconds=0.05, seconds_between_writes=0)
        async with asyncio.timeout(LONG_TIMEOUT):
            while (await health.report()).status != "ok":  # a busy machine may take longer than the limit
                await asyncio.sleep(0.01)
        wire.silent = True
        for _ in range(3):
            assert (await health.report()).database == "unavailable"
        wire.silent = False
        async with asyncio.timeout(LONG_TIMEOUT):
            while (await health.report()).status != "ok":
                await asyncio.sleep(0.01)
        await health.close()


async def test_server_that_refuses_some_writes_is_not_healthy() -> None:
    class FullDisk(MemoryDatabase):
        is_failing = True

    async with FullDisk() as database:
        health = HealthCheck(database, "n1", "1.2.3")
        assert (await health.report()).status == "unavailable"
        await health.close()


async def test_requests_for_health_share_one_write() -> None:
    class CountingDatabase(MemoryDatabase):
        writes = 0

        async def check_writable(self) -> None:
            self.writes += 1
            await super().check_writable()

    async with CountingDatabase() as database:
        health = HealthCheck(database, "n1", "1.2.3", seconds_between_writes=60)
        reports = await asyncio.gather(*(health.report() for _ in range(50)))
        assert {report.status for report in reports} == {"ok"}
        assert database.writes == 1
        await health.close()


async def test_a_match_that_another_transaction_holds_fails_alone(url: str) -> None:
    async with PostgresDatabase(url, WriterLimits(lock_timeout_ms=100)) as database, locked_match(url, "held"):
        held, *others = await outcomes(database, make_append("held"), *(make_append(f"m{i}") for i in range(5)))
        assert isinstance(held, StoreUnavailable)
        assert "lock timeout" in str(held)
        assert others == [None] * 5
    async with PostgresDatabase(url) as database:
        assert len(await database.events.heads([f"m{i}" for i in range(5)])) == 5
        await database.events.append(make_append("held"))


async def test_a_batch_that_waits_for_one_match_holds_none_that_comes_after_it(
    url: str, sql: asyncpg.Connection
) -> None:
    async with PostgresDatabase(url) as database:
        async with locked_match(url, "a"):
            waiting = asyncio.create_task(outcomes(database, make_append("b"), make_append("a")))
            await waiting_backend(sql)
            # All writers go through the matches in one order, so this one does not block b, in either order.
            async with locked_match(url, "b", lock_timeout="100ms"):
                pass
        assert await waiting == [None, None]


async def test_a_statement_that_takes_too_long_is_given_up(url: str) -> None:
    async with PostgresDatabase(url, WriterLimits(statement_timeout_ms=100)) as database, locked_match(url, "held"):
        [answer] = await outcomes(database, make_append("held"))
        assert isinstance(answer, StoreUnavailable)
        assert "statement timeout" in str(answer)


async def test_beyond_the_longest_queue_the_store_is_busy(url: str, sql: asyncpg.Connection) -> None:
    async with PostgresDatabase(url, WriterLimits(queued_appends=3)) as database:
        async with locked_match(url, "held"):
            held = asyncio.create_task(outcomes(database, make_append("held")))
            await waiting_backend(sql)
            queued = asyncio.create_task(outcomes(database, *(make_append(f"m{i}") for i in range(5))))
            await asyncio.sleep(0)
        assert [str(answer) for answer in await queued] == ["None"] * 3 + ["busy"] * 2
        assert await held == [None]


async def test_a_close_that_is_cancelled_answers_everybody(url: str, sql: asyncpg.Connection) -> None:
    database = PostgresDatabase(url)
    await database.open()
    async with locked_match(url, "held"):
        held = asyncio.create_task(database.events.append(make_append("held")))
        await waiting_backend(sql)
        queued = asyncio.create_task(database.events.append(make_append("m")))
        await asyncio.sleep(0)
        closing = asyncio.create_task(database.close())
        await asyncio.sleep(0)
        closing.cancel()
        async with asyncio.timeout(LONG_TIMEOUT):
            cut_off, unwritten, _ = await asyncio.gather(held, queued, closing, return_exceptions=True)
    assert closing.cancelled()
    assert isinstance(cut_off, OutcomeUnknown)
    assert isinstance(unwritten, StoreUnavailable)
    async with PostgresDatabase(url) as again:
        assert await again.events.heads(["m"]) == {}


async def test_a_fault_in_the_writer_is_answered_logged_and_survived(
    url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> object:
        raise ZeroDivisionError

    async with PostgresDatabase(url) as database:
        with monkeypatch.context() as patch:
            patch.setattr("diskwars_server.store.postgres.group_commit.build_append", broken)
            [answer] = await outcomes(database, make_append("m"))
        assert isinstance(answer, OutcomeUnknown)
        assert "ZeroDivisionError" in caplog.text
        await database.events.append(make_append("m"))


async def test_numbers_that_no_column_holds_harm_only_their_own_append(url: str) -> None:
    async with PostgresDatabase(url) as database:
        wide = AppendRequest("wide", 0, replace(make_record(1), at_ms=2**70))
        answers = await outcomes(database, make_append("a"), wide, make_append("z"))
        assert [type(answer).__name__ for answer in answers] == ["NoneType", "MalformedAppend", "NoneType"]


async def test_memory_and_postgres_answer_every_query_alike(url: str) -> None:
    chance = random.Random(4)

    def wish() -> AppendRequest:
        match, expected, actor = chance.choice("abc"), chance.randrange(12), chance.choice(["alice", "bob"])
        wished = make_record(expected + 1, f"c{chance.randrange(30)}", actor)
        secrets = {chance.choice("xy"): chance.randbytes(2)} if chance.random() < 0.3 else {}
        return AppendRequest(
            match, expected, wished, secrets, make_listing(match, expected) if chance.random() < 0.3 else None
        )

    async def said(database: Database, append: AppendRequest) -> str:
        try:
            await database.events.append(append)
        except StoreError as error:
            return f"{type(error).__name__}: {error}"
        return "stored"

    answers: set[str] = set()
    async with MemoryDatabase() as memory, PostgresDatabase(url) as postgres:
        for _ in range(400):
            append = wish()
            answer = await said(memory, append)
            assert await said(postgres, append) == answer
            answers.add(answer.split(":")[0])
        for match in "abc":
            assert await postgres.events.read(match) == await memory.events.read(match)
            assert await postgres.vault.secrets(match) == await memory.vault.secrets(match)
        assert await postgres.matches.list_matches() == await memory.matches.list_matches()
    assert answers == {"stored", "WrongVersion", "DuplicateCommand"}


async def test_sql_users_read_one_row_for_each_event_and_no_secrets(url: str, sql: asyncpg.Connection) -> None:
    flipped = '{"type":"flipped","name":"☠ \\"","to":[9007199254740991,-3]}'
    body = '{"at_ms":5,"events":[{"type":"moved"},' + flipped + ',{"#":"00ff"}]}'
    async with PostgresDatabase(url) as database:
        await database.events.append(AppendRequest("m", 0, make_record(1, body=body.encode())))
        await database.events.append(AppendRequest("m", 1, make_record(2, body=b'{"at_ms":6}')))
    rows = await sql.fetch("select * from events_json order by seq, number")
    assert [(row["seq"], row["number"], row["kind"]) for row in rows] == [
        (1, 0, "moved"),
        (1, 1, "flipped"),
        (1, 2, None),
    ]
    assert json.loads(rows[1]["event"]) == json.loads(flipped)
    assert rows[0]["at"].timestamp() * 1000 == pytest.approx(make_record(1).at_ms, abs=0.01)
    assert rows[0]["actor"] == "alice"
    whole = await sql.fetch("select * from records_json order by seq")
    assert [json.loads(row["body"]) for row in whole] == [json.loads(body), {"at_ms": 6}]
    assert whole[0]["hash"] == make_record(1).hash.hex()
    for view in (rows, whole):
        assert not {"secret", "salt"} & set(view[0].keys())
        assert view[0]["rules_version"] == make_record(1).rules_version


async def test_several_servers_may_open_an_empty_database_at_once(database_url: str) -> None:
    async with AsyncExitStack() as stack:
        databases = [PostgresDatabase(database_url) for _ in range(4)]
        await asyncio.gather(*(stack.enter_async_context(database) for database in databases))
        await databases[0].events.append(make_append("m"))
        assert await databases[3].events.heads(["m"]) == {"m": 1}


async def test_a_database_is_found_again_as_it_was_left(database_url: str) -> None:
    async with PostgresDatabase(database_url) as database:
        await database.events.append(make_append("m", listing=make_listing("m", 1), secrets={"deal": b"\x01"}))
        key = await database.vault.signing_key()
    async with PostgresDatabase(database_url) as database:
        assert await database.events.read("m") == [make_append("m").record]
        assert await database.matches.list_matches() == [make_listing("m", 1)]
        assert await database.vault.secrets("m") == {"deal": b"\x01"}
        assert await database.vault.signing_key() == key


async def test_a_schema_newer_than_the_code_is_refused_and_left_alone(database_url: str) -> None:
    async with PostgresDatabase(database_url) as database:
        await database.events.append(make_append("m"))
    await run_sql(database_url, "update diskwars_schema set version_num = '9999'")
    with pytest.raises(SchemaNewer, match=f"knows none after {migrations.SCHEMA_VERSION}") as refused:
        await PostgresDatabase(database_url).open()
    assert (refused.value.found, refused.value.known) == ("9999", migrations.SCHEMA_VERSION)
    await run_sql(database_url, f"update diskwars_schema set version_num = '{migrations.SCHEMA_VERSION}'")
    async with PostgresDatabase(database_url) as database:
        assert await database.events.heads(["m"]) == {"m": 1}


async def test_a_schema_older_than_any_that_can_be_read_is_refused_and_left_alone(database_url: str) -> None:
    async with PostgresDatabase(database_url) as database:
        await database.events.append(make_append("m"))
    await run_sql(database_url, "update diskwars_schema set version_num = '0003'")
    with pytest.raises(
        SchemaTooOld,
        match="has schema 0003, and the oldest that can be read is 0100: move the folder of the database away",
    ):
        await PostgresDatabase(database_url).open()
    await run_sql(database_url, f"update diskwars_schema set version_num = '{migrations.SCHEMA_VERSION}'")
    async with PostgresDatabase(database_url) as database:
        assert await database.events.heads(["m"]) == {"m": 1}


async def test_a_migration_that_fails_leaves_nothing_behind(database_url: str) -> None:
    await run_sql(database_url, "create table matches (mine int)")
    with pytest.raises(StoreUnavailable, match="already exists"):
        await PostgresDatabase(database_url).open()
    await run_sql(database_url, "drop table matches")
    async with PostgresDatabase(database_url) as database:
        await database.events.append(make_append("m"))


async def test_the_steps_lead_to_the_tables_that_the_code_uses(database_url: str) -> None:
    def differences(connection: Connection) -> list[object]:
        ours = {"version_table": migrations.VERSION_TABLE, "compare_server_default": True}
        return list(compare_metadata(MigrationContext.configure(connection, opts=ours), METADATA))

    async with PostgresDatabase(database_url):
        engine = create_async_engine(database_url)
        async with engine.connect() as connection:
            assert await connection.run_sync(differences) == []
        await engine.dispose()


CLOCKED = '{"clock": {"type": "per_decision", "decision_seconds": 60}}'
OLD_MATCH_SQL = """
insert into matches (match_id, ruleset, status, seats, opener, created, updated, result, match_options)
values ('{match}', 'counting', '{status}', '["ann"]', 'ann', 0, 0, 'null', '{options}')
"""


async def test_matches_under_way_without_a_clock_get_a_deadline_when_they_are_migrated(database_url: str) -> None:
    engine = create_async_engine(database_url)
    async with engine.begin() as connection:
        await connection.run_sync(migrations.upgrade, "0117")
    await engine.dispose()
    for match, status, matched in (("old", "running", "{}"), ("clocked", "running", CLOCKED), ("over", "ended", "{}")):
        await run_sql(database_url, OLD_MATCH_SQL.format(match=match, status=status, options=matched))
    before = time.time_ns() // 1_000_000
    async with PostgresDatabase(database_url) as database:
        due = await database.deadlines.claim_due(before + 15 * 86_400_000, 10, 1)
    assert [(deadline.match, deadline.decision) for deadline in due] == [("old", ABSENCE.key)]
    assert due[0].at >= before + 14 * 86_400_000 - 1000


async def test_the_steps_wait_longer_than_any_other_statement(database_url: str) -> None:
    other = await asyncpg.connect(**options(database_url))
    transaction = other.transaction()
    await transaction.start()
    await other.execute("create table matches (mine int)")
    database = PostgresDatabase(database_url, WriterLimits(reply_timeout_ms=2_000))
    opening = asyncio.create_task(database.open())
    await asyncio.sleep(2.5)
    assert not opening.done(), "it waits for the other transaction"
    await transaction.rollback()
    await other.close()
    await opening
    await database.events.append(make_append("m"))
    await database.close()


async def test_an_append_finds_the_record_before_it_by_its_number(url: str, sql: asyncpg.Connection) -> None:
    """Without statistics a planner may prefer any index that begins with the match, and read all of the match."""
    async with PostgresDatabase(url):
        nothing = re.sub(r"\$\d+::text\b(?!\[)", "''", re.sub(r"\$\d+::(\w+\[\])", r"'{}'::\1", LEAN_APPEND_SQL))
        plan = [str(row[0]).strip() for row in await sql.fetch(f"explain {nothing}")]
    assert any(f"using {RECORDS_VERSION} on records" in line for line in plan), plan
    assert any(re.search(r"Index Cond: .*match_id = .* AND .*seq = ", line) for line in plan), plan


def test_the_schema_that_the_code_names_is_the_last_step() -> None:
    config = Config()
    config.set_main_option("script_location", "diskwars_server.store.postgres:migrations")
    steps = list(ScriptDirectory.from_config(config).walk_revisions())
    assert steps[0].revision == migrations.SCHEMA_VERSION
    assert [step.revision for step in reversed(steps)] == [f"{i:04}" for i in range(100, 100 + len(steps))]


async def test_a_database_that_is_not_there_is_named_and_its_password_is_not() -> None:
    database = PostgresDatabase("postgresql://me:swordfish@/none?host=/nowhere/at/all")
    with pytest.raises(StoreUnavailable) as refused:
        await database.open()
    assert "swordfish" not in str(refused.value)
    with pytest.raises(StoreUnavailable):
        await database.events.append(make_append("m"))


async def test_password_of_the_environment_may_hold_any_character(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in docker-compose.yml, where the address has none. What listens here asks for it in the clear and hangs up."""
    password = "p@ss:w/o%rd?"
    received: list[str] = []

    async def ask_for_password(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError):
            request = await reader.readexactly(int.from_bytes(await reader.readexactly(4), "big") - 4)
            if len(request) == 4:  # whether the connection may be encrypted
                writer.write(b"N")
                await reader.readexactly(int.from_bytes(await reader.readexactly(4), "big") - 4)
            writer.write(b"R" + (8).to_bytes(4, "big") + (3).to_bytes(4, "big"))
            answer = await reader.readexactly(int.from_bytes((await reader.readexactly(5))[1:], "big") - 4)
            received.append(answer.rstrip(b"\0").decode())
        writer.close()

    monkeypatch.setenv("PGPASSWORD", password)
    async with await asyncio.start_server(ask_for_password, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        with pytest.raises(StoreUnavailable):
            await PostgresDatabase(f"postgresql://diskwars@127.0.0.1:{port}/diskwars").open()
    assert set(received) == {password}


async def test_ended_matches_of_a_player_are_found_by_the_index_of_all_matches(
    url: str, sql: asyncpg.Connection
) -> None:
    """Another index of ended matches alone would have nearly the same entries."""
    async with PostgresDatabase(url):
        await sql.execute(
            "insert into matches select 'm' || n, 'diskwars', 'ended', jsonb_build_array('p' || n % 1000, 'q'),"
            " 'alice', n, n, 'null', '{}' from generate_series(1, 5000) n"
        )
        await sql.execute("analyze matches")
        dialect: Any = postgresql
        searched = select_scanned(HistoryQuery(None, "p7"), None).limit(50)
        options = {"literal_binds": True, "render_postcompile": True}
        searched_text = str(searched.compile(dialect=dialect.dialect(), compile_kwargs=options))
        plan = [str(row[0]).strip() for row in await sql.fetch(f"explain analyze {searched_text}")]
    scanned = [line for line in plan if "Index Scan on matches_of_player" in line]
    assert scanned, plan
    assert re.search(r"rows=5(\.00)? ", scanned[0]), plan


async def test_a_players_unfinished_matches_are_counted_without_those_that_ended(
    url: str, sql: asyncpg.Connection
) -> None:
    """The cost is that of the matches under way, however many the player has finished."""
    async with PostgresDatabase(url):
        await sql.execute(
            "insert into matches select 'm' || n, 'diskwars', case when n % 500 = 0 then 'open' else 'ended' end, '[]',"
            " 'alice', n, n, 'null', '{}' from generate_series(1, 5000) n"
        )
        await sql.execute("analyze matches")
        await sql.execute("set plan_cache_mode = 'force_generic_plan'")
        dialect: Any = postgresql
        counted = str(select_unfinished_count("alice").compile(dialect=dialect.dialect()))
        counted = re.sub(r"%\(\w+\)s(::\w+)?", "$1", counted)
        await sql.execute(f"prepare counting (text) as {counted}")
        plan = [str(row[0]).strip() for row in await sql.fetch("explain analyze execute counting ('alice')")]
    scanned = [line for line in plan if "matches_unfinished_of_opener" in line]
    assert scanned, plan
    assert "rows=10 " in scanned[0], plan
