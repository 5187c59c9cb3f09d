"""The database schema and its migrations.

The steps are in `versions/`, one file each, numbered in order and never edited once released.
"""

from sqlalchemy import Connection, text

FIRST_SCHEMA_VERSION = "0100"
"""The oldest schema that can be migrated. Older ones held records of another form, which nothing reads any more."""
SCHEMA_VERSION = "0141"
"""The number of the last step."""
VERSION_TABLE = "diskwars_schema"

_ADVISORY_LOCK_KEY = (
    0x6469736B77617273  # any fixed number: the name of this lock among all of PostgreSQL's advisory locks
)


def find_schema_version(connection: Connection) -> str | None:
    """Return the version of the schema in the database; None if it has none."""
    if connection.scalar(text("select to_regclass(:name)::text"), {"name": VERSION_TABLE}) is None:
        return None
    version = connection.scalar(text(f"select version_num from {VERSION_TABLE}"))
    return None if version is None else str(version)


def upgrade(connection: Connection, version: str = SCHEMA_VERSION) -> None:
    """Take every step that is missing up to a version, in the transaction of this connection: all or none."""
    # Of two nodes that start at once one waits here, and finds everything done.
    connection.execute(text("set local lock_timeout = '60s'"))
    connection.execute(text("set local statement_timeout = 0"))
    connection.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": _ADVISORY_LOCK_KEY})
    stored = find_schema_version(connection)
    if stored is not None and stored >= version:
        return
    # Only here: a start that finds everything done need not wait for alembic to load.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "diskwars_server.store.postgres:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, version)
