"""The `sql` verb: one statement that only reads, on the stored database."""

import asyncio
import json
import sys
from typing import TYPE_CHECKING, Any

from diskwars_cli.console.command import CommandError, requires_server
from diskwars_cli.console.output import print_table
from diskwars_cli.console.signals import run_async
from diskwars_cli.plugs.data_options import DataOptions

if TYPE_CHECKING:
    import asyncpg

MAX_ROWS = 10_000
CONNECT_SECONDS = 10
STATEMENT_SECONDS = 60
IS_SUPERUSER_SQL = "select rolsuper from pg_roles where rolname = current_user"
READER_SQL = "set local role pg_read_all_data"
"""A transaction that only reads lets a superuser, which the owner of the embedded database is, start programs, read
files and end connections all the same. This role of PostgreSQL reads tables and nothing else.
"""


def run_sql(query: str | None, as_json: bool, show_address: bool, data: DataOptions) -> int:
    """Print the rows of a statement, or the address for other programs. Raises CommandError."""
    with requires_server():
        from diskwars_server.app import open_database
        from diskwars_server.processes.embedded_postgres import EmbeddedError, default_data_dir, has_database
        from diskwars_server.store.errors import StoreError
    folder = data.folder or default_data_dir()
    if not data.database_url and not has_database(folder):
        raise CommandError(f"no database in {folder}; --data names another")
    try:
        with open_database(data.server_settings()) as url:
            if show_address:
                print(url.replace("postgresql+asyncpg", "postgresql", 1))
                return 0
            columns, rows = run_async(_read(url, sys.stdin.read() if query in (None, "-") else query))
    except (EmbeddedError, StoreError, OSError) as fault:
        raise CommandError(str(fault)) from None
    if as_json:
        for row in rows[:MAX_ROWS]:
            print(json.dumps(dict(zip(columns, map(_plain_value, row), strict=True)), ensure_ascii=False))
    else:
        print_table(columns, [tuple(map(_cell_text, row)) for row in rows[:MAX_ROWS]])
    if len(rows) > MAX_ROWS:
        print(f"only the first {MAX_ROWS} rows are shown: add a limit", file=sys.stderr)
    return 0


async def _read(url: str, query: str) -> "tuple[list[str], list[asyncpg.Record]]":
    import asyncpg

    from diskwars_server.store.postgres.database_url import parse_database_url

    try:
        connection = await parse_database_url(url).connect(CONNECT_SECONDS, None)
        try:
            # As the first statement of its transaction: what comes behind it cannot end that and write.
            async with connection.transaction(readonly=True):
                await connection.execute(f"set local statement_timeout = '{STATEMENT_SECONDS}s'")
                if await connection.fetchval(IS_SUPERUSER_SQL):
                    await connection.execute(READER_SQL)
                statement = await connection.prepare(query)
                columns = [attribute.name for attribute in statement.get_attributes()]
                cursor = await statement.cursor()
                return columns, await cursor.fetch(MAX_ROWS + 1)
        finally:
            await asyncio.shield(connection.close(timeout=CONNECT_SECONDS))
    except (asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError) as fault:
        raise CommandError(str(fault) or "the database did not answer in time") from None


def _plain_value(value: Any) -> Any:
    """Return a value as JSON and tables can show it."""
    match value:
        case bytes():
            return f"\\x{value.hex()}"
        case None | bool() | int() | float() | str():
            return value
        case list():
            return [_plain_value(member) for member in value]
        case _:
            return str(value)


def _cell_text(value: Any) -> str:
    """Return a value as a cell of the table: numbers without separators, which other programs would not read."""
    plain = _plain_value(value)
    if isinstance(plain, bool):
        return str(plain).lower()
    return "" if plain is None else str(plain)
