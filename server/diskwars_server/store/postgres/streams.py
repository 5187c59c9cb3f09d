"""Streams of events in PostgreSQL, as tournaments and others keep them: a table of records, and one of listings."""

from collections.abc import Mapping, Sequence

import msgspec
from sqlalchemy import BigInteger, Table, TextClause, select, text, update
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.exc import IntegrityError

from diskwars_server.store.changes import StreamRecord
from diskwars_server.store.errors import DuplicateCommand, WrongVersion
from diskwars_server.store.event_log import is_storable
from diskwars_server.store.postgres.connections import Connect

RECORD_COLUMNS = ("seq", "at", "actor", "command_id", "events")


class PostgresStreams:
    """Two tables whose first columns are the id of a stream: what has happened, and what lists show of it."""

    def __init__(self, connect: Connect, records: Table, listings: Table, command_constraint: str) -> None:
        """`command_constraint` is the name of the one by which a command of an actor is stored once."""
        self._connect, self._records, self._listings = connect, records, listings
        self._command_constraint = command_constraint
        (self._id,) = listings.primary_key.columns
        self._append_sql = _append_statement(records, listings, self._id.name)

    async def append(self, stream: str, record: StreamRecord, command: str, row: Mapping[str, object]) -> None:
        """Store a record with the row of the listing, and end every claim. Raises WrongVersion and DuplicateCommand."""
        values = {
            self._id.name: stream,
            "seq": record.seq,
            "at": record.at_ms,
            "actor": record.actor,
            "command_id": command,
            "events": to_json(record.events),
            "claimed_until": 0,
            **row,
        }
        async with self._connect() as connection:
            try:
                await connection.execute(self._append_sql, values)
            except IntegrityError as error:
                if self._command_constraint in str(error.orig):
                    raise DuplicateCommand(stream, record.actor, command) from None
                raise WrongVersion(stream, record.seq - 1, None) from None

    async def read(self, stream: str, after: int) -> Sequence[tuple[int, int, str, str]]:
        """Return seq, time, actor and events as JSON of the records with a greater seq, in order."""
        if not is_storable(stream):
            return []
        row = self._records.c
        wanted = select(row.seq, row.at, row.actor, row.events).where(row[self._id.name] == stream, row.seq > after)
        async with self._connect() as connection:
            rows = (await connection.execute(wanted.order_by(row.seq))).all()
        return [(seq, at, actor, events) for seq, at, actor, events in rows]

    async def has_command(self, stream: str, actor: str, command: str) -> bool:
        """Return whether a record is stored under this command of an actor."""
        if not all(map(is_storable, (stream, actor, command))):
            return False
        row = self._records.c
        stored = select(row.seq).where(row[self._id.name] == stream, row.actor == actor, row.command_id == command)
        async with self._connect() as connection:
            return await connection.scalar(stored) is not None

    async def claim_due(self, now: int, limit: int, lease_ms: int) -> list[str]:
        row = self._listings.c
        due = (
            select(self._id)
            .where(row.due <= now, row.claimed_until <= now)
            .order_by(row.due, self._id)
            .limit(limit)
            # Of several nodes each takes what no other is just taking, and none waits.
            .with_for_update(skip_locked=True)
            .cte("due")
            .prefix_with("materialized")
        )
        claim = (
            update(self._listings)
            .values(claimed_until=now + lease_ms)
            .where(self._id == due.c[self._id.name])
            .returning(row.due, self._id)
        )
        async with self._connect() as connection:
            return [claimed[1] for claimed in sorted((await connection.execute(claim)).all(), key=tuple)]

    async def settle(self, stream: str, claimed_until: int, due_ms: int | None) -> None:
        settled = update(self._listings).values(due=due_ms, claimed_until=0)
        mine = self._id == stream, self._listings.c.claimed_until == claimed_until
        async with self._connect() as connection:
            await connection.execute(settled.where(*mine))


def _append_statement(records: Table, listings: Table, id_column: str) -> TextClause:
    """Return one statement, so that a record and its listing are stored together or not at all."""
    recorded = [id_column, *RECORD_COLUMNS]
    listed = [column.name for column in listings.columns]
    values = [_parameter(listings, name) for name in listed]
    changes = [f"{name} = excluded.{name}" for name in listed if name != id_column]
    return text(
        f"with stored as (insert into {records.name} ({', '.join(recorded)})"
        f" values ({', '.join(f':{name}' for name in recorded)}))"
        f" insert into {listings.name} ({', '.join(listed)}) values ({', '.join(values)})"
        f" on conflict ({id_column}) do update set {', '.join(changes)}"
    )


def _parameter(table: Table, name: str) -> str:
    """Return the parameter of a column. The driver cannot tell the type of a null, nor JSON from text."""
    column = table.c[name]
    if isinstance(column.type, JSONB):
        return f"cast(:{name} as jsonb)"
    return f"cast(:{name} as bigint)" if isinstance(column.type, BigInteger) else f":{name}"


def to_json(value: object) -> str:
    return msgspec.json.encode(value).decode()
