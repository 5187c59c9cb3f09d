"""Backup of a database that is in use, and its restoration into an empty one.

A backup is one snapshot: everything is read in one transaction of isolation level repeatable read, while servers go on
writing. A restoration is one transaction too: it happens whole or not at all.
"""

import contextlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import asyncpg
from msgspec import Struct
from sqlalchemy.exc import SQLAlchemyError

from diskwars_server.store.errors import SchemaNewer, SchemaTooOld, StoreUnavailable
from diskwars_server.store.postgres import migrations
from diskwars_server.store.postgres.backup_file import (
    BACKUP_FORMAT,
    BackupEnd,
    BackupError,
    BackupHeader,
    BackupReader,
    BackupWriter,
    TableBegin,
)
from diskwars_server.store.postgres.database import CLOCK_SQL, connect_patiently

OWN_TABLES_SQL = """
select table_name, array_agg(column_name::text order by ordinal_position) as columns
from information_schema.tables join information_schema.columns using (table_schema, table_name)
where table_schema = current_schema() and table_type = 'BASE TABLE' and is_generated = 'NEVER'
    and table_name not in ('health', 'page_builds', 'page_parts', $1)
group by table_name order by table_name
"""
"""Every table but four: the version of the schema is in the header, the row of health says when a server wrote, and
parts of pages come with the servers that start."""


class BackupSummary(Struct, frozen=True):
    """The contents of a backup: matches, records, and rows in all."""

    matches: int
    records: int
    rows: int

    @classmethod
    def of(cls, rows: dict[str, int]) -> "BackupSummary":
        return cls(rows.get("matches", 0), rows.get("records", 0), sum(rows.values()))


async def write_backup(url: str, file: Path) -> BackupSummary:
    """Write everything that is stored to a new file, with the time of the database.

    Raises BackupError, StoreError and OSError.
    """
    rows: dict[str, int] = {}
    async with connect_patiently(url) as (connection, raw):
        with BackupWriter(file) as writer, _translate_errors():
            await raw.execute("set transaction isolation level repeatable read, read only")
            schema = await connection.run_sync(migrations.find_schema_version)
            _require_known(schema)
            writer.write_line(BackupHeader(BACKUP_FORMAT, schema or "", await raw.fetchval(CLOCK_SQL)))
            for table, columns in await raw.fetch(OWN_TABLES_SQL, migrations.VERSION_TABLE):
                writer.write_line(TableBegin(table, tuple(columns)))

                async def write(block: bytes) -> None:
                    if block:  # an empty one would end the table
                        writer.write_block(block)

                status = await raw.copy_from_table(table, columns=columns, output=write, format="binary")
                writer.write_block(b"")
                rows[table] = int(status.split()[-1])
            writer.write_line(BackupEnd(rows))
    return BackupSummary.of(rows)


async def restore_backup(url: str, file: Path) -> BackupSummary:
    """Store the content of a backup in an empty database, and bring its tables up to date.

    Raises BackupError, StoreError and OSError; then nothing was changed.
    """
    with BackupReader(file, migrations.SCHEMA_VERSION, migrations.FIRST_SCHEMA_VERSION) as reader:
        header = reader.read_header()
        async with connect_patiently(url) as (connection, raw):
            with _translate_errors():
                if tables := await raw.fetch(OWN_TABLES_SQL, migrations.VERSION_TABLE):
                    text = f"the database has tables already ({tables[0]['table_name']}): restore into an empty one"
                    raise BackupError("target_not_empty", text, "the database")
                await connection.run_sync(migrations.upgrade, header.schema)
                rows = await _copy_tables(reader, raw)
                await connection.run_sync(migrations.upgrade)
                await connection.commit()
    return BackupSummary.of(rows)


async def _copy_tables(reader: BackupReader, raw: asyncpg.Connection) -> dict[str, int]:
    known = {table: tuple(columns) for table, columns in await raw.fetch(OWN_TABLES_SQL, migrations.VERSION_TABLE)}
    rows: dict[str, int] = {}
    while isinstance(begin := reader.read_line(), TableBegin):
        if known.get(begin.table) != begin.columns or begin.table in rows:
            raise BackupError("backup_damaged", "the schema has no such table", f"table {begin.table}")
        await raw.execute(f'truncate "{begin.table}"')  # a step of the migrations may have written to it
        try:
            status = await raw.copy_to_table(
                begin.table, source=_each(reader.read_blocks()), columns=begin.columns, format="binary"
            )
        except (asyncpg.DataError, asyncpg.IntegrityConstraintViolationError) as fault:
            raise BackupError("rows_refused", str(fault), f"table {begin.table}") from None
        rows[begin.table] = int(status.split()[-1])
    if begin.rows != rows:
        raise BackupError("backup_damaged", "it does not hold the rows that its last line names", "the last line")
    return rows


async def _each(blocks: Iterator[bytes]) -> AsyncIterator[bytes]:
    for block in blocks:
        yield block


def _require_known(schema: str | None) -> None:
    if schema is None or schema < migrations.FIRST_SCHEMA_VERSION:
        raise SchemaTooOld(schema or "none", migrations.FIRST_SCHEMA_VERSION)
    if schema > migrations.SCHEMA_VERSION:
        raise SchemaNewer(schema, migrations.SCHEMA_VERSION)


@contextlib.contextmanager
def _translate_errors() -> Iterator[None]:
    """Raise StoreUnavailable for a database that goes away; files that do are OSError all the same."""
    try:
        yield
    except (SQLAlchemyError, asyncpg.PostgresError, asyncpg.InterfaceError, ConnectionError) as error:
        raise StoreUnavailable(f"the database did not answer: {error}") from error
