"""The database in PostgreSQL: its schema, its connections, and the one writer of appends."""

import asyncio
import contextlib
import re
import weakref
from collections.abc import AsyncIterator, Iterator
from functools import partial

import asyncpg
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from diskwars_server.store.archive.archived_events import ArchivedEventLog
from diskwars_server.store.archive.objects import Archive
from diskwars_server.store.database import Database
from diskwars_server.store.errors import (
    NoSessions,
    SchemaNewer,
    SchemaTooOld,
    StatementRefused,
    StoreUnavailable,
    WrongEncoding,
)
from diskwars_server.store.event_log import EventLog
from diskwars_server.store.postgres import migrations
from diskwars_server.store.postgres.accounts import PostgresAccounts
from diskwars_server.store.postgres.admissions import PostgresAdmissions
from diskwars_server.store.postgres.challenges import PostgresChallenges
from diskwars_server.store.postgres.chat import PostgresChat
from diskwars_server.store.postgres.clubs import PostgresClubs
from diskwars_server.store.postgres.connections import Connect
from diskwars_server.store.postgres.database_url import parse_database_url
from diskwars_server.store.postgres.deadlines import PostgresDeadlines
from diskwars_server.store.postgres.device_logins import PostgresDeviceLogins
from diskwars_server.store.postgres.event_log import PostgresEventLog
from diskwars_server.store.postgres.group_commit import DATABASE_ERRORS, GroupCommitWriter, WriterLimits
from diskwars_server.store.postgres.lesson_progress import PostgresLessonProgresses
from diskwars_server.store.postgres.match_index import PostgresMatchIndex
from diskwars_server.store.postgres.notices import PostgresNotices
from diskwars_server.store.postgres.operator_acts import PostgresOperatorActs
from diskwars_server.store.postgres.outages import OutageLog
from diskwars_server.store.postgres.page_parts import PostgresPageParts
from diskwars_server.store.postgres.ratings import PostgresRatings
from diskwars_server.store.postgres.reports import PostgresReports
from diskwars_server.store.postgres.seeks import PostgresSeeks
from diskwars_server.store.postgres.tournaments import PostgresTournaments
from diskwars_server.store.postgres.vault import PostgresVault

DEFAULT_WRITER_LIMITS = WriterLimits()
OUTAGE_SQLSTATES = ("08", "25006", "28", "3D", "40", "53", "55", "57", "58", "XX")
"""PostgreSQL's error codes, by their first characters, that say nothing about the statement they answer: connection
lost, read-only, out of disk or memory, locked or cancelled for too long, shutting down, input/output errors."""
_DIALECT = "postgresql+asyncpg://"
_PROCESS = text("select pg_backend_pid()")
FOREIGN_STATEMENT_SQLSTATES = ("26000", "42P05")
"""A prepared statement is missing or there already: a pooler has given this session a connection of another one."""
READ_POOL_SIZE = 4  # connections for everything but appends

# One row for all nodes: each write replaces it, and its age says when some node last could write.
HEALTH_SQL = """
insert into health (id, at) values (1, now()) on conflict (id) do update set at = excluded.at
"""
CLOCK_SQL = "select floor(extract(epoch from clock_timestamp()) * 1000)::bigint"


class PostgresDatabase(Database):
    """One PostgreSQL database, 15 or later: owns the SQLAlchemy engine and the writer, and gives out the ports."""

    def __init__(self, url: str, limits: WriterLimits = DEFAULT_WRITER_LIMITS, archive: Archive | None = None) -> None:
        """`archive` has the records of old matches, where some were moved there."""
        self._url, self._limits = parse_database_url(url), limits
        self._engine: AsyncEngine | None = None
        self._writer: GroupCommitWriter | None = None
        self._outages: OutageLog | None = None
        self._connections: weakref.WeakSet[asyncpg.Connection] = weakref.WeakSet()
        self._connecting: set[asyncio.Timeout] = set()
        self._is_aborted = False
        self._events = ArchivedEventLog(PostgresEventLog(self._connection, self._open_writer), archive)
        self._matches = PostgresMatchIndex(self._connection)
        self._vault = PostgresVault(self._connection)
        self._deadlines = PostgresDeadlines(self._connection)
        self._accounts = PostgresAccounts(self._connection)
        self._admissions = PostgresAdmissions(self._connection)
        self._ratings = PostgresRatings(self._connection, self._events)
        self._chat = PostgresChat(self._connection)
        self._operator_acts = PostgresOperatorActs(self._connection)
        self._reports = PostgresReports(self._connection)
        self._seeks = PostgresSeeks(self._connection)
        self._challenges = PostgresChallenges(self._connection)
        self._notices = PostgresNotices(self._connection)
        self._page_parts = PostgresPageParts(self._connection)
        self._lesson_progress = PostgresLessonProgresses(self._connection)
        self._device_logins = PostgresDeviceLogins(self._connection)
        self._tournaments = PostgresTournaments(self._connection)
        self._clubs = PostgresClubs(self._connection)

    @property
    def events(self) -> EventLog:
        return self._events

    @property
    def archived_events(self) -> ArchivedEventLog:
        return self._events

    @property
    def matches(self) -> PostgresMatchIndex:
        return self._matches

    @property
    def vault(self) -> PostgresVault:
        return self._vault

    @property
    def deadlines(self) -> PostgresDeadlines:
        return self._deadlines

    @property
    def accounts(self) -> PostgresAccounts:
        return self._accounts

    @property
    def admissions(self) -> PostgresAdmissions:
        return self._admissions

    @property
    def ratings(self) -> PostgresRatings:
        return self._ratings

    @property
    def chat(self) -> PostgresChat:
        return self._chat

    @property
    def operator_acts(self) -> PostgresOperatorActs:
        return self._operator_acts

    @property
    def reports(self) -> PostgresReports:
        return self._reports

    @property
    def notices(self) -> PostgresNotices:
        return self._notices

    @property
    def page_parts(self) -> PostgresPageParts:
        return self._page_parts

    @property
    def seeks(self) -> PostgresSeeks:
        return self._seeks

    @property
    def challenges(self) -> PostgresChallenges:
        return self._challenges

    @property
    def lesson_progress(self) -> PostgresLessonProgresses:
        return self._lesson_progress

    @property
    def device_logins(self) -> PostgresDeviceLogins:
        return self._device_logins

    @property
    def tournaments(self) -> PostgresTournaments:
        return self._tournaments

    @property
    def clubs(self) -> PostgresClubs:
        return self._clubs

    async def open(self) -> None:
        """Make the tables if they are missing.

        Raises `StoreUnavailable`, `SchemaNewer`, `SchemaTooOld`, `WrongEncoding` or `NoSessions`.
        """
        # One statement is one transaction, so nothing here but the migrations needs a longer one.
        self._engine = create_async_engine(
            _DIALECT,
            async_creator=self._connect,
            isolation_level="AUTOCOMMIT",
            pool_size=READ_POOL_SIZE,
            max_overflow=0,
            pool_timeout=self._limits.reply_timeout_ms / 1000,
            pool_pre_ping=True,
            hide_parameters=True,  # errors are logged, and one of the parameters is the signing key
        )
        self._is_aborted = False
        try:
            if self._url.is_remote:
                await _require_sessions(self._connection)
            await self._ensure_schema()
        except BaseException:
            await self.close()
            raise
        self._outages = OutageLog(self.check_writable, self._limits.outage_probe_ms, self._limits.outage_quiet_ms)
        self._writer = GroupCommitWriter(self._connect, self._limits, self._outages.on_failure)

    async def _ensure_schema(self) -> None:
        async with self._connection() as connection:
            encoding = (await connection.execute(text("show server_encoding"))).scalar_one()
            if encoding != "UTF8":
                # Names and chat hold any letter, which such a database would refuse one by one.
                raise WrongEncoding(encoding)
            version = await connection.run_sync(migrations.find_schema_version)
        if version is not None and version < migrations.FIRST_SCHEMA_VERSION:
            raise SchemaTooOld(version, migrations.FIRST_SCHEMA_VERSION)
        if version is None or version < migrations.SCHEMA_VERSION:
            version = await self._upgrade_schema()
        if version is not None and version > migrations.SCHEMA_VERSION:
            raise SchemaNewer(version, migrations.SCHEMA_VERSION)

    async def _upgrade_schema(self) -> str | None:
        """Take the steps that are missing, which may take as long as the tables are large."""
        engine = create_async_engine(
            _DIALECT, async_creator=partial(self._connect, is_patient=True), hide_parameters=True
        )
        try:
            with _translate_errors():
                async with engine.begin() as connection:
                    await connection.run_sync(migrations.upgrade)
                    return await connection.run_sync(migrations.find_schema_version)
        finally:
            await engine.dispose()

    async def close(self) -> None:
        """Write what was handed over, answer everybody, and stop. Cancelled, it answers the rest without writing it."""
        try:
            if self._writer is not None:
                await self._writer.close()
            if self._outages is not None:
                await self._outages.close()
        finally:
            # The pool closes its connections one after another, and waits for each until the server hangs up.
            self.abort()
            if self._engine is not None:
                await self._engine.dispose()
            self._engine, self._outages = None, None

    def abort(self) -> None:
        self._is_aborted = True
        for connection in tuple(self._connections):
            connection.terminate()
        now = asyncio.get_running_loop().time()
        for limit in tuple(self._connecting):
            limit.reschedule(now)

    @property
    def is_failing(self) -> bool:
        return self._outages is not None and self._outages.is_failing

    async def read_clock_ms(self) -> int | None:
        async with self._connection() as connection:
            return int((await connection.execute(text(CLOCK_SQL))).scalar_one())

    async def check_writable(self) -> None:
        try:
            async with self._connection() as connection:
                await connection.execute(text(HEALTH_SQL))
        except StatementRefused as error:  # a missing table, or one that we may not write: nothing can work
            raise StoreUnavailable(str(error)) from error

    def _open_writer(self) -> GroupCommitWriter:
        if self._writer is None:
            raise StoreUnavailable("the store is closed")
        return self._writer

    @contextlib.asynccontextmanager
    async def _connection(self) -> AsyncIterator[AsyncConnection]:
        if self._engine is None:
            raise StoreUnavailable("the store is closed")
        try:
            with _translate_errors():
                async with self._engine.connect() as connection:
                    yield connection
        except StoreUnavailable as error:
            if self._outages is None:
                raise
            # Otherwise a stranger whose text no index takes would take the node out of its load balancer.
            if _is_about_statement(error.__cause__):
                raise StatementRefused(str(error.__cause__)) from error
            self._outages.on_failure(str(error))
            raise

    async def _connect(self, is_patient: bool = False) -> asyncpg.Connection:
        """Return a connection without SQLAlchemy, through which an append would cost five times as much.

        A patient one waits for its answers as long as they take.
        """
        if self._is_aborted:
            raise ConnectionAbortedError("the store is closed")
        async with asyncio.timeout(None) as limit:
            self._connecting.add(limit)
            try:
                connection = await self._make_connection(is_patient)
            finally:
                self._connecting.discard(limit)
        self._connections.add(connection)
        return connection

    async def _make_connection(self, is_patient: bool) -> asyncpg.Connection:
        limits = self._limits
        reply_seconds = None if is_patient else limits.reply_timeout_ms / 1000
        connection = await self._url.connect(limits.connect_timeout_ms / 1000, reply_seconds)
        # Not with the request for the connection: poolers refuse parameters there that they do not know.
        settings = {
            "default_transaction_isolation": "read committed",
            "lock_timeout": limits.lock_timeout_ms,
            "statement_timeout": limits.statement_timeout_ms,
            "jit": "off",  # compiling costs more than any of our statements
            # The same few statements for ever: one plan each. Made for the values of a call, and without statistics,
            # it would sort what its index has in order.
            "plan_cache_mode": "force_generic_plan",
        }
        try:
            await connection.execute("".join(f"set {name} = '{value}';" for name, value in settings.items()))
        except BaseException:
            connection.terminate()
            raise
        return connection


async def _require_sessions(connect: Connect) -> None:
    """Raise `NoSessions` behind a pooler that shares connections, where prepared statements would be missing.

    A transaction takes the connection that the session before it has used. If that session can go on meanwhile, it
    goes on with another one.
    """
    async with connect() as session, connect() as other:
        process = await session.scalar(_PROCESS)
        await other.execute(text("begin"))
        await other.execute(_PROCESS)
        is_same = await session.scalar(_PROCESS) == process
        await other.execute(text("rollback"))
    if not is_same:
        raise NoSessions


@contextlib.asynccontextmanager
async def connect_patiently(url: str) -> AsyncIterator[tuple[AsyncConnection, asyncpg.Connection]]:
    """Provide a connection in a transaction that may take as long as it takes, as SQLAlchemy's and as asyncpg's.

    Nothing is stored unless it is committed. Raises `StoreUnavailable`.
    """
    connect = partial(parse_database_url(url).connect, DEFAULT_WRITER_LIMITS.connect_timeout_ms / 1000, None)
    engine = create_async_engine(_DIALECT, async_creator=connect, hide_parameters=True)
    try:
        with _translate_errors():
            connection = await engine.connect()
        try:
            # SQLAlchemy begins a transaction with the first statement that it sees.
            await connection.execute(text("set local statement_timeout = 0"))
            yield connection, (await connection.get_raw_connection()).driver_connection
        finally:
            await connection.close()
    finally:
        await engine.dispose()


@contextlib.contextmanager
def _translate_errors() -> Iterator[None]:
    """Raise `StoreUnavailable` for what goes wrong with the database, in words for operators and players."""
    try:
        yield
    except (SQLAlchemyError, *DATABASE_ERRORS) as error:
        if _sqlstate(error) in FOREIGN_STATEMENT_SQLSTATES:
            raise NoSessions from error
        # The names of our libraries' classes would tell players nothing.
        why = re.sub(r"^(\(\S+\) *|<class '[^']*'>: *)+", "", next(iter(str(error).splitlines()), ""))
        why = why or ("it took too long" if isinstance(error, TimeoutError) else "no reason was given")
        raise StoreUnavailable(f"the database cannot be reached or did not answer: {why}") from error


def _is_about_statement(error: BaseException | None) -> bool:
    """Return whether the database works, and found fault with this statement alone."""
    if not isinstance(error, DBAPIError) or error.connection_invalidated:
        return False
    sqlstate = _sqlstate(error)
    return bool(sqlstate) and not sqlstate.startswith(OUTAGE_SQLSTATES)


def _sqlstate(error: BaseException) -> str:
    return str(getattr(getattr(error, "orig", error), "sqlstate", None) or "")
