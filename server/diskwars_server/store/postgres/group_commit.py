"""Group commit: the appends of many matches become durable in one transaction.

There is no timer. While one transaction is under way the appends of all matches queue, and the next transaction takes
them all; a waiting window would only add latency.
"""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TypeVar

import asyncpg
import msgspec
from msgspec import Struct
from msgspec.structs import astuple

from diskwars_server.store.deadlines import Deadline
from diskwars_server.store.errors import MalformedAppend, OutcomeUnknown, StoreError, StoreUnavailable, WrongVersion
from diskwars_server.store.event_log import AppendRequest, check_append, duplicate_command_error
from diskwars_server.store.match_index import Listing
from diskwars_server.store.notices import PlannedNotice
from diskwars_server.store.postgres.tables import RECORDS_COMMAND, RECORDS_VERSION

log = logging.getLogger(__name__)

OUTAGE_SQLSTATES = ("25006", "53", "57P", "58", "XX")
"""Faults of the whole database and not of one append: read-only, out of disk or memory, shutting down,
input/output errors. Classes of PostgreSQL's error codes, by their first characters."""

DATABASE_ERRORS = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)


class _SecretRow(Struct, frozen=True):
    match_id: str
    name: str
    value: bytes


class _ListingRow(Struct, frozen=True):
    """A row of `matches`: its columns, in the order of the statement's arguments."""

    match_id: str
    ruleset: str
    status: str
    seats: str
    opener: str
    created: int
    updated: int
    result: str
    match_options: str
    armies: str
    records: int
    deciding: str
    settings: str
    packs: str

    @classmethod
    def of(cls, listing: Listing) -> "_ListingRow":
        return cls(
            match_id=listing.match,
            ruleset=listing.ruleset,
            status=listing.status,
            seats=_encode_json(listing.seats),
            opener=listing.opener,
            created=listing.created_ms,
            updated=listing.updated_ms,
            result=_encode_json(listing.result),
            match_options=_encode_json(listing.match_options),
            armies=_encode_json(listing.armies),
            records=listing.records,
            deciding=_encode_seats(listing.deciding),
            settings=_encode_json(listing.settings),
            packs=_encode_json(listing.packs),
        )


class _TurnRow(Struct, frozen=True):
    match_id: str
    deciding: str


class _ClosedRow(Struct, frozen=True):
    """A decision that is no longer open."""

    match_id: str
    decision: str


RowT = TypeVar("RowT", bound=Struct)

# Everything a batch writes is one statement, so that it is one transaction and one round trip. The primary key alone
# would let a writer leave a gap behind the end of a match, so an append after n > 0 needs record n to be there.
# Records are deleted only of matches that ended long ago: what is seen stays true until the commit. A record that
# another writer is just committing is not visible yet, and an append that builds on it was guessed. One gap keeps the
# whole batch out; the answer is the number of gaps.
#
# Whose turn it is changes with nearly every record, and `deciding` alone then: no index has it, so that PostgreSQL
# writes no index entry (a HOT update).
#
# Of each element of an array asyncpg asks whether it is an array itself, twice if it is a number or nothing at all, and
# that takes longer than to send it: numbers are sent as one text, and a secret that is there has a byte before it.
_APPEND_STEPS = f"""
with appends as materialized (
    select * from unnest($1::text[], string_to_array($2::text, ' ')::bigint[], string_to_array($3::text, ' ')::bigint[],
                         $4::text[], $5::text[], string_to_array($6::text, ' ')::integer[], $7::bytea[], $8::bytea[],
                         $9::bytea[], $10::bytea[])
        as a (match_id, expected, at, actor, command_id, rules_version, body, secret, salt, hash)
), gap as materialized (
    select from appends a
    where a.expected > 0
      and (select r.seq from records r where r.match_id = a.match_id and r.seq = a.expected) is null
), new_records as (
    insert into records (match_id, seq, at, actor, command_id, rules_version, body, secret, salt, hash)
    select match_id, expected + 1, at, actor, command_id, rules_version, body,
        case when secret <> '' then substring(secret from 2) end, salt, hash
    from appends
    where not exists (select from gap)
), new_secrets as (
    insert into secrets (match_id, name, value)
    select * from unnest($11::text[], $12::text[], $13::bytea[])
    where not exists (select from gap)
    on conflict (match_id, name) do update set value = excluded.value
), new_listings as (
    insert into matches ({", ".join(_ListingRow.__struct_fields__)})
    select * from unnest($14::text[], $15::text[], $16::text[], $17::jsonb[], $18::text[], $19::bigint[], $20::bigint[],
                         $21::jsonb[], $22::jsonb[], $23::jsonb[], $24::bigint[], $25::text[],
                         $26::jsonb[], $27::jsonb[])
    where not exists (select from gap)
    on conflict (match_id) do update set
        {", ".join(f"{name} = excluded.{name}" for name in _ListingRow.__struct_fields__ if name != "match_id")}
), new_turns as (
    update matches m set deciding = t.deciding
    from unnest($28::text[], $29::text[]) as t (match_id, deciding)
    where m.match_id = t.match_id and not exists (select from gap)
)"""
_DEADLINE_STEPS = """, new_deadlines as (
    insert into deadlines (match_id, decision, at, claimed_until)
    select *, 0 from unnest($30::text[], $31::text[], $32::bigint[])
    where not exists (select from gap)
    on conflict (match_id, decision) do update set at = excluded.at, claimed_until = 0
), old_deadlines as (
    delete from deadlines d
    using unnest($33::text[], $34::text[]) as c (match_id, decision)
    where d.match_id = c.match_id and d.decision = c.decision and not exists (select from gap)
)"""
# Only for those who can be reached, so that a player without a channel costs a look at one index and no row.
_NOTICE_STEPS = """, new_notices as (
    insert into planned_notices (player_id, match_id, kind, seat, due, seq, decision, claimed_until)
    select n.*, 0 from unnest($35::text[], $36::text[], $37::text[], $38::integer[], $39::bigint[], $40::bigint[],
                              $41::text[])
        as n (player_id, match_id, kind, seat, due, seq, decision)
    where not exists (select from gap)
      and exists (select from notice_channels c where c.player_id = n.player_id)
    on conflict (player_id, match_id, kind) do update set
        seat = excluded.seat, due = excluded.due, seq = excluded.seq, decision = excluded.decision, claimed_until = 0
)"""
_COUNT_GAPS = "\nselect count(*) from gap\n"
APPEND_SQL = _APPEND_STEPS + _COUNT_GAPS
APPEND_WITH_DEADLINES_SQL = _APPEND_STEPS + _DEADLINE_STEPS + _COUNT_GAPS
APPEND_WITH_NOTICES_SQL = _APPEND_STEPS + _DEADLINE_STEPS + _NOTICE_STEPS + _COUNT_GAPS
"""Other statements, because most batches hold no match with a clock, or nobody to notify, and need not pay for it."""
LAST_SEQ_SQL = "select coalesce(max(seq), 0) from records where match_id = $1"


class WriterLimits(Struct, frozen=True):
    """Limits of the queue, of a batch, and of waits in milliseconds."""

    queued_appends: int = 4_096  # appends in the queue; beyond that the store is busy
    batch_appends: int = 256
    lock_timeout_ms: int = 2_000  # an append that another transaction keeps waiting longer fails, and the others go on
    statement_timeout_ms: int = 10_000
    reply_timeout_ms: int = (
        15_000  # from a server that says nothing at all; longer than `statement`, whose answer is the better one
    )
    connect_timeout_ms: int = 5_000
    close_timeout_ms: int = 1_000  # everything is stored by then
    reconnect_pause_ms: int = 50  # before the second attempt to connect; doubled each time
    max_reconnect_pause_ms: int = 2_000
    outage_probe_ms: int = 1_000  # between two looks whether an outage is over
    outage_quiet_ms: int = 5_000  # without a failure before it is


class _BatchRejected(Exception):
    """Nothing of the batch is stored: the database said no, or was not even asked."""

    def __init__(self, why: str, constraint: str | None = None, is_malformed: bool = False) -> None:
        super().__init__(why)
        self.constraint, self.is_malformed = constraint, is_malformed


class _ConnectionLost(Exception):
    """The batch was sent and no answer came."""


class _QueuedAppend(Struct, frozen=True):
    append: AppendRequest
    outcome: "asyncio.Future[None]"

    def resolve(self, error: StoreError | None) -> None:
        """Set the result once. A cancelled caller gets none; the append is stored or refused all the same."""
        if self.outcome.done():
            return
        if error is None:
            self.outcome.set_result(None)
        else:
            self.outcome.set_exception(error)


class GroupCommitWriter:
    """One task and one connection, through which every append of a store goes."""

    def __init__(
        self,
        connect: Callable[[], Awaitable[asyncpg.Connection]],
        limits: WriterLimits,
        on_failure: Callable[[str], None] = lambda why: None,
    ) -> None:
        """`on_failure` gets the reason whenever an append meets a fault of the database."""
        self._connect, self._limits, self._on_failure = connect, limits, on_failure
        self._queue: deque[_QueuedAppend] = deque()
        self._wakeup = asyncio.Event()
        self._is_closing = False
        self._connection: asyncpg.Connection | None = None
        self._statement: asyncpg.prepared_stmt.PreparedStatement | None = None
        self._pause = 0
        self._task = asyncio.create_task(self._run(), name="store writer")

    def enqueue(self, append: AppendRequest) -> "asyncio.Future[None]":
        """Queue the append. The future is its answer; cancelling that does not take the append back."""
        if self._is_closing:
            raise StoreUnavailable("the store is closed")
        if len(self._queue) >= self._limits.queued_appends:
            raise StoreUnavailable("busy")
        check_append(append)
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(_QueuedAppend(append, answer))
        self._wakeup.set()
        return answer

    async def close(self) -> None:
        """Write what waits, then end. Cancelled, it answers the rest without writing it."""
        self._is_closing = True
        self._wakeup.set()
        await self._task

    async def _run(self) -> None:
        try:
            while await self._has_work():
                await self._write_batch(self._next_batch())
            if self._connection is not None:
                with contextlib.suppress(*DATABASE_ERRORS):
                    await self._connection.close(timeout=self._limits.close_timeout_ms / 1000)
        finally:
            self._is_closing = True
            self._fail_queued("the store is closed")
            self._drop_connection()

    async def _has_work(self) -> bool:
        while not self._queue and not self._is_closing:
            self._wakeup.clear()
            await self._wakeup.wait()
        return bool(self._queue)

    def _next_batch(self) -> list[_QueuedAppend]:
        """Take as much as one transaction may hold, but one append of a match: the next depends on the one before.

        Sorted by match, so that two writers wait for each other in one order and never in a circle.
        """
        batch: dict[str, _QueuedAppend] = {}
        later: list[_QueuedAppend] = []
        while self._queue and len(batch) < self._limits.batch_appends:
            waiting = self._queue.popleft()
            if waiting.append.match in batch:
                later.append(waiting)
            else:
                batch[waiting.append.match] = waiting
        self._queue.extendleft(reversed(later))
        return [batch[match] for match in sorted(batch)]

    async def _write_batch(self, batch: list[_QueuedAppend]) -> None:
        try:
            await self._store_batch(batch)
        except StoreUnavailable as error:
            for waiting in batch:
                waiting.resolve(StoreUnavailable(str(error)))
            self._fail_queued(str(error))
        except Exception:
            appends = [waiting.append for waiting in batch]
            commands = [f"{append.match} {append.record.seq} {append.record.command_id}" for append in appends]
            log.exception("append failed", extra={"commands": commands})
            self._drop_connection()
        finally:
            # Appends without a result were cut off, by a bug or by the end of this task.
            for waiting in batch:
                waiting.resolve(OutcomeUnknown(waiting.append.match))

    async def _store_batch(self, batch: list[_QueuedAppend]) -> None:
        """Store all at once. One that is refused takes the others with it, so then each is tried alone."""
        try:
            await self._commit([waiting.append for waiting in batch])
        except _BatchRejected as refusal:
            if len(batch) == 1:
                batch[0].resolve(await self._explain_rejection(batch[0].append, refusal))
                return
            # A race for one match in a batch of 256 costs 256 commits. It happens when two nodes have the same match in
            # memory, which routing avoids; halving the batch instead would save nothing for the usual small batches.
            for waiting in batch:
                await self._store_batch([waiting])
        except _ConnectionLost as lost:
            self._on_failure(f"the connection was lost during an append: {lost}")
            # The commit may have happened. Trying again could store a record twice under another number, so the owners
            # look the command up instead.
            self._drop_connection()
            for waiting in batch:
                waiting.resolve(OutcomeUnknown(waiting.append.match))
        else:
            for waiting in batch:
                waiting.resolve(None)

    async def _commit(self, appends: Sequence[AppendRequest]) -> None:
        connection, statement = await self._ensure_connected()
        timeout = self._limits.reply_timeout_ms / 1000
        has_deadlines = any(append.deadlines or append.closed_decisions for append in appends)
        notices = [notice for append in appends for notice in append.notices]
        try:
            # asyncpg answers when the server is ready for the next statement, that is after the commit.
            if notices:
                arguments = [*_append_arguments(appends), *_deadline_arguments(appends), *_notice_arguments(notices)]
                gaps = await connection.fetchval(APPEND_WITH_NOTICES_SQL, *arguments, timeout=timeout)
            elif has_deadlines:
                arguments = [*_append_arguments(appends), *_deadline_arguments(appends)]
                gaps = await connection.fetchval(APPEND_WITH_DEADLINES_SQL, *arguments, timeout=timeout)
            else:
                gaps = await statement.fetchval(*_append_arguments(appends), timeout=timeout)
        except asyncpg.PostgresError as error:
            # asyncpg itself raises DataError for a value that has no place in its column: that was never sent.
            is_malformed = isinstance(error, asyncpg.DataError)
            # ERROR: the server has rolled back. Anything else may come after the commit, while it disconnects.
            if error.severity_en != "ERROR" and not is_malformed:
                raise _ConnectionLost(repr(error)) from error
            if (error.sqlstate or "").startswith(OUTAGE_SQLSTATES):
                self._on_failure(str(error))
            raise _BatchRejected(str(error), error.constraint_name, is_malformed) from error
        except DATABASE_ERRORS as error:
            raise _ConnectionLost(repr(error)) from error
        if gaps:
            raise _BatchRejected("records before it are missing", RECORDS_VERSION)

    async def _explain_rejection(self, append: AppendRequest, refusal: _BatchRejected) -> StoreError:
        if refusal.constraint == RECORDS_VERSION:
            return WrongVersion(append.match, append.expected, await self._last_seq(append.match))
        if refusal.constraint == RECORDS_COMMAND:
            return duplicate_command_error(append)
        text = f"append to match {append.match} after {append.expected}: {refusal}"
        return MalformedAppend(text) if refusal.is_malformed else StoreUnavailable(text)

    async def _last_seq(self, match: str) -> int | None:
        try:
            if self._connection is not None:
                seq: int = await self._connection.fetchval(
                    LAST_SEQ_SQL, match, timeout=self._limits.reply_timeout_ms / 1000
                )
                return seq
        except DATABASE_ERRORS as error:
            log.warning("last record of a match not read", extra={"match": match, "why": repr(error)})
        return None

    async def _ensure_connected(self) -> tuple[asyncpg.Connection, asyncpg.prepared_stmt.PreparedStatement]:
        """Return a connection that seems to live, with APPEND prepared on it. Raises `StoreUnavailable`."""
        if self._connection is not None and not self._connection.is_closed():
            return self._connection, self._statement
        self._drop_connection()
        if not self._is_closing:
            await asyncio.sleep(self._pause / 1000)
        try:
            self._connection = await self._connect()
            self._statement = await self._connection.prepare(APPEND_SQL)
        except DATABASE_ERRORS as error:
            self._drop_connection()
            self._pause = min(
                max(2 * self._pause, self._limits.reconnect_pause_ms), self._limits.max_reconnect_pause_ms
            )
            self._on_failure(f"the database cannot be reached: {error}")
            raise StoreUnavailable(f"the database cannot be reached: {error}") from error
        self._pause = 0
        return self._connection, self._statement

    def _drop_connection(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None

    def _fail_queued(self, why: str) -> None:
        while self._queue:
            self._queue.popleft().resolve(StoreUnavailable(why))


def _append_arguments(appends: Sequence[AppendRequest]) -> list[str | Sequence[object]]:
    """Return the arguments of APPEND, column by column."""
    records = [append.record for append in appends]
    secrets = [_SecretRow(append.match, name, value) for append in appends for name, value in append.secrets.items()]
    listings = [_ListingRow.of(append.listing) for append in appends if append.listing is not None]
    turns = [
        _TurnRow(append.match, _encode_seats(append.deciding)) for append in appends if append.deciding is not None
    ]
    return [
        [append.match for append in appends],
        _join_numbers(append.expected for append in appends),
        _join_numbers(record.at_ms for record in records),
        [record.actor for record in records],
        [record.command_id for record in records],
        _join_numbers(record.rules_version for record in records),
        [record.body for record in records],
        [b"" if record.secret is None else b"\x01" + record.secret for record in records],
        [record.salt for record in records],
        [record.hash for record in records],
        *_columns(_SecretRow, secrets),
        *_columns(_ListingRow, listings),
        *_columns(_TurnRow, turns),
    ]


def _deadline_arguments(appends: Sequence[AppendRequest]) -> list[Sequence[object]]:
    deadlines = [deadline for append in appends for deadline in append.deadlines]
    closed = [_ClosedRow(append.match, decision) for append in appends for decision in append.closed_decisions]
    return [*_columns(Deadline, deadlines), *_columns(_ClosedRow, closed)]


def _notice_arguments(notices: Sequence[PlannedNotice]) -> list[Sequence[object]]:
    """Return the columns of the rows: player, match, kind, seat, due, seq, decision."""
    return _columns(PlannedNotice, notices)


def _join_numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _columns(kind: type[RowT], rows: Sequence[RowT]) -> list[Sequence[object]]:
    """Return the values of each field, in the order of the fields."""
    return list(zip(*map(astuple, rows), strict=True)) if rows else [()] * len(kind.__struct_fields__)


def _encode_json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _encode_seats(seats: tuple[int, ...]) -> str:
    return "".join(map(str, seats))
