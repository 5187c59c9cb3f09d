"""The store in PostgreSQL: its tables, and every query except the append, which goes through `group_commit`."""

import contextlib
import re
import secrets as entropy
from collections.abc import AsyncIterator, Iterator, Sequence

import asyncpg
from sqlalchemy import (
    ARRAY,
    URL,
    BigInteger,
    Column,
    Index,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Select,
    Table,
    Text,
    UniqueConstraint,
    delete,
    func,
    literal,
    make_url,
    select,
    text,
    tuple_,
)
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from diskwars_protocol.records import Record
from diskwars_server import migrations
from diskwars_server.group_commit import (
    DATABASE_ERRORS,
    RECORDS_COMMAND,
    RECORDS_VERSION,
    GroupCommitWriter,
    WriterLimits,
)
from diskwars_server.store import (
    AppendRequest,
    EventStore,
    Listing,
    SchemaNewer,
    StoreUnavailable,
    UnknownMatch,
    is_storable,
)

DEFAULT_WRITER_LIMITS = WriterLimits()
READ_POOL_SIZE = 4  # connections for everything but appends

METADATA = MetaData()
UNFINISHED_MATCH = "status <> 'ended'"
NAME_TYPE = Text(collation="C")

# A body is bytea, not text or jsonb: it is hashed, so it has to be returned byte for byte, and bytea passes from the
# record to the disk and back without being decoded, whatever the encoding of the database. SQL users read it as jsonb
# in the views events_json and records_json. It is JSON, not msgpack: that would save 13 % of the disk and make every
# reader write the JSON again that the chain is over. TOAST stays as it is: figures in bench/profiles.md.
RECENT_APPEND_LIMIT = Table(
    "records",
    METADATA,
    Column("match_id", NAME_TYPE, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False, comment="milliseconds since 1970"),
    Column("actor", NAME_TYPE, nullable=False),
    Column("command_id", NAME_TYPE, nullable=False),
    Column("rules", NAME_TYPE, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("secret", LargeBinary),
    Column("salt", LargeBinary, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    # The primary key is made before the other, and PostgreSQL asks them in that order: a wrong version is named first.
    PrimaryKeyConstraint("match_id", "seq", name=RECORDS_VERSION),
    UniqueConstraint("actor", "match_id", "command_id", name=RECORDS_COMMAND),
)
MATCHES = Table(
    "matches",
    METADATA,
    Column("match_id", NAME_TYPE, nullable=False),
    Column("ruleset", NAME_TYPE, nullable=False),
    Column("status", NAME_TYPE, nullable=False),
    Column("seats", JSONB, nullable=False, comment="opaque player ids; null is an empty seat"),
    Column("opener", NAME_TYPE, nullable=False, comment="opaque player id"),
    Column("created", BigInteger, nullable=False, comment="milliseconds since 1970"),
    Column("updated", BigInteger, nullable=False, comment="milliseconds since 1970"),
    Column("result", Text, nullable=False),
    PrimaryKeyConstraint("match_id", name="matches_match"),
    Index("matches_newest", "created", "match_id"),
    Index("matches_newest_of_status", "status", "created", "match_id"),
    # Only unfinished matches have an entry, so counting a player's open matches reads only those.
    Index("matches_unfinished_of_opener", "opener", postgresql_where=text(UNFINISHED_MATCH)),
)
SECRETS = Table(
    "secrets",
    METADATA,
    Column("match_id", NAME_TYPE, nullable=False),
    Column("name", NAME_TYPE, nullable=False),
    Column("value", LargeBinary, nullable=False),
    PrimaryKeyConstraint("match_id", "name", name="secrets_name"),
)
KEYS = Table(
    "keys",
    METADATA,
    Column("name", NAME_TYPE, nullable=False),
    Column("value", LargeBinary, nullable=False),
    PrimaryKeyConstraint("name", name="keys_name"),
)


READ_SQL = f"""
select {", ".join(column.name for column in RECENT_APPEND_LIMIT.c if column.name != "match_id")}
from records where match_id = $1 and seq > $2 order by seq limit $3
"""


class PostgresStore(EventStore):
    """Everything in one PostgreSQL database, 15 or later. Any number of stores may share it."""

    def __init__(self, url: str, limits: WriterLimits = DEFAULT_WRITER_LIMITS) -> None:
        self._url, self._limits = parse_database_url(url), limits
        self._engine: AsyncEngine | None = None
        self._writer: GroupCommitWriter | None = None

    async def open(self) -> None:
        """Make the tables if they are missing. Raises `StoreUnavailable` or `SchemaNewer`."""
        # One statement is one transaction, so nothing here but the migrations needs a longer one.
        self._engine = create_async_engine(
            self._url,
            isolation_level="AUTOCOMMIT",
            connect_args=self._connect_options(),
            pool_size=READ_POOL_SIZE,
            max_overflow=0,
            pool_timeout=self._limits.reply_timeout_ms / 1000,
            pool_pre_ping=True,
            hide_parameters=True,  # errors are logged, and one of the parameters is the signing key
        )
        try:
            await self._ensure_schema()
        except BaseException:
            await self.close()
            raise
        self._writer = GroupCommitWriter(self._connect, self._limits)

    async def _ensure_schema(self) -> None:
        async with self._connection() as connection:
            found = await connection.run_sync(migrations.find_schema_version)
        if found is None or found < migrations.SCHEMA_VERSION:
            found = await self._upgrade_schema()
        if found is not None and found > migrations.SCHEMA_VERSION:
            raise SchemaNewer(found, migrations.SCHEMA_VERSION)

    async def _upgrade_schema(self) -> str | None:
        """Take the steps that are missing, which may take as long as the tables are large."""
        engine = create_async_engine(
            self._url, connect_args=self._connect_options(is_patient=True), hide_parameters=True
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
        finally:
            if self._engine is not None:
                await self._engine.dispose()
            self._engine = None

    async def append(self, append: AppendRequest) -> None:
        if self._writer is None:
            raise StoreUnavailable("the store is closed")
        await self._writer.enqueue(append)

    async def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Record]:
        if not is_storable(match):
            raise UnknownMatch(match)
        async with self._connection() as connection:
            # Through SQLAlchemy each row would cost more than checking and folding it.
            bare = (await connection.get_raw_connection()).driver_connection
            assert bare is not None
            records = [Record(*row) for row in await bare.fetch(READ_SQL, match, after, limit)]
        if not records and not await self.heads([match]):
            raise UnknownMatch(match)
        return records

    async def heads(self, matches: Sequence[str]) -> dict[str, int]:
        names = literal([match for match in matches if is_storable(match)], ARRAY(NAME_TYPE))
        asked = func.unnest(names, type_=NAME_TYPE).column_valued("asked")
        last = (
            select(func.max(RECENT_APPEND_LIMIT.c.seq)).where(RECENT_APPEND_LIMIT.c.match_id == asked).scalar_subquery()
        )
        async with self._connection() as connection:
            rows = await connection.execute(select(asked, last))
            return {match: seq for match, seq in rows if seq is not None}

    async def secrets(self, match: str) -> dict[str, bytes]:
        async with self._connection() as connection:
            rows = await connection.execute(select(SECRETS.c.name, SECRETS.c.value).where(SECRETS.c.match_id == match))
            return {row.name: row.value for row in rows}

    async def forget_secrets(self, match: str) -> None:
        async with self._connection() as connection:
            await connection.execute(delete(SECRETS).where(SECRETS.c.match_id == match))

    async def list_matches(
        self, status: str | None = None, limit: int = 100, before: tuple[int, str] | None = None
    ) -> list[Listing]:
        order = tuple_(MATCHES.c.created, MATCHES.c.match_id)
        wanted = select(MATCHES).order_by(MATCHES.c.created.desc(), MATCHES.c.match_id.desc()).limit(limit)
        if status is not None:
            wanted = wanted.where(MATCHES.c.status == status)
        if before is not None:
            wanted = wanted.where(order < before)
        async with self._connection() as connection:
            return [
                Listing(match, ruleset, shown, tuple(seats), opened_by, created, updated, result)
                for match, ruleset, shown, seats, opened_by, created, updated, result in await connection.execute(
                    wanted
                )
            ]

    async def count_unfinished(self, opener: str) -> int:
        if not is_storable(opener):
            return 0
        async with self._connection() as connection:
            found = await connection.execute(count_unfinished(opener))
            return int(found.scalar_one())

    async def signing_key(self) -> bytes:
        # The first process creates it; then all of them read the stored one.
        made = insert(KEYS).values(name="signing", value=entropy.token_bytes(32)).on_conflict_do_nothing()
        async with self._connection() as connection:
            await connection.execute(made)
            key: bytes = (await connection.execute(select(KEYS.c.value).where(KEYS.c.name == "signing"))).scalar_one()
            return key

    @contextlib.asynccontextmanager
    async def _connection(self) -> AsyncIterator[AsyncConnection]:
        if self._engine is None:
            raise StoreUnavailable("the store is closed")
        with _translate_errors():
            async with self._engine.connect() as connection:
                yield connection

    async def _connect(self) -> asyncpg.Connection:
        """Return a connection without SQLAlchemy, through which an append would cost five times as much."""
        _, options = self._url.get_dialect()().create_connect_args(self._url)
        return await asyncpg.connect(**options, **self._connect_options())

    def _connect_options(self, is_patient: bool = False) -> dict[str, object]:
        """Return the settings of a new connection; a patient one waits for its answers as long as they take."""
        return {
            "timeout": self._limits.connect_timeout_ms / 1000,
            "command_timeout": None if is_patient else self._limits.reply_timeout_ms / 1000,
            "server_settings": {
                "application_name": "diskwars",
                "default_transaction_isolation": "read committed",
                "lock_timeout": str(self._limits.lock_timeout_ms),
                "statement_timeout": str(self._limits.statement_timeout_ms),
                "jit": "off",  # compiling costs more than any of our statements
                # The same few statements for ever: one plan each. Made for the values of a call, and without
                # statistics, it would sort what its index has in order.
                "plan_cache_mode": "force_generic_plan",
            },
        }


def count_unfinished(opener: str) -> Select[int]:
    """The status is spelled out as in the index of openers, so that its plan is seen to need nothing else."""
    return select(func.count()).select_from(MATCHES).where(MATCHES.c.opener == opener, text(UNFINISHED_MATCH))


@contextlib.contextmanager
def _translate_errors() -> Iterator[None]:
    """Provide what goes wrong with the database is `StoreUnavailable`, in words for operators and players."""
    try:
        yield
    except (SQLAlchemyError, *DATABASE_ERRORS) as error:
        # players are not told the names of our libraries' classes
        why = re.sub(r"^(\(\S+\) *|<class '[^']*'>: *)+", "", next(iter(str(error).splitlines()), ""))
        why = why or ("it took too long" if isinstance(error, TimeoutError) else "no reason was given")
        raise StoreUnavailable(f"the database cannot be reached or did not answer: {why}") from error


def parse_database_url(url: str) -> URL:
    """The address as SQLAlchemy wants it, also from the forms of hosting providers. Raises `StoreUnavailable`."""
    try:
        parsed = make_url(url)
    except (SQLAlchemyError, ValueError):
        # The text may hold a password: neither it nor an error that quotes it is shown.
        raise StoreUnavailable(
            "unreadable database address; it looks like postgresql://user:password@host/name"
        ) from None
    if parsed.get_backend_name() not in ("postgresql", "postgres"):
        raise StoreUnavailable(f"not a PostgreSQL database: {parsed.render_as_string(hide_password=True)}")
    query = {("ssl" if name == "sslmode" else name): value for name, value in parsed.query.items()}
    return parsed.set(drivername="postgresql+asyncpg", query=query)
