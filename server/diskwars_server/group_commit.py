"""How do the appends of many matches become durable at the cost of one transaction?

Group commit without a timer: while one transaction is under way the appends of all matches queue, and the next
transaction takes them all. A waiting window would only add latency. This file must not know what a record means, nor
how records are read again.
"""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence

import asyncpg
import msgspec
from msgspec import Struct

from diskwars_server.store import (
    Append,
    Malformed,
    OutcomeUnknown,
    StoreError,
    StoreUnavailable,
    WrongVersion,
    check,
    command_taken,
)

log = logging.getLogger(__name__)

EVENTS_VERSION = "events_version"
EVENTS_COMMAND = "events_command"
FAULTS = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)

# Everything a batch writes is one statement, so that it is one transaction and one round trip. The primary key alone
# would let a writer leave a gap behind the end of a match, so an append after n > 0 needs record n to be there.
# Records are never deleted: what is seen stays true until the commit. A record that another writer is just committing
# is not seen, and whoever builds on it has guessed. One gap keeps the whole batch out; the answer is the number of
# gaps.
#
# Of each element of an array asyncpg asks whether it is an array itself, twice if it is a number or nothing at all, and
# that takes longer than to send it: numbers are said as one text, and a secret that is there has a byte before it.
APPEND = """
with appends as materialized (
    select * from unnest($1::text[], string_to_array($2::text, ' ')::bigint[], $3::text[], $4::text[], $5::text[],
                         string_to_array($6::text, ' ')::bigint[])
        with ordinality as a (match_id, expected, actor, command_id, rules, recorded_at, number)
), gap as materialized (
    select from appends a
    where a.expected > 0
      and (select e.seq from events e where e.match_id = a.match_id and e.seq = a.expected) is null
), new_events as (
    insert into events
        (match_id, seq, kind, actor, command_id, part, body, secret, salt, hash, rules, recorded_at)
    select a.match_id, a.expected + 1 + r.part, r.kind, a.actor, a.command_id, r.part, r.body,
        case when r.secret <> '' then substring(r.secret from 2) end, r.salt, r.hash, a.rules, a.recorded_at
    from unnest(string_to_array($7::text, ' ')::int[], string_to_array($8::text, ' ')::int[],
                $9::text[], $10::bytea[], $11::bytea[], $12::bytea[], $13::bytea[])
        as r (number, part, kind, body, secret, salt, hash)
    join appends a on a.number = r.number
    where not exists (select from gap)
    order by r.number, r.part
), new_secrets as (
    insert into secrets (match_id, name, value)
    select * from unnest($14::text[], $15::text[], $16::bytea[])
    where not exists (select from gap)
    on conflict (match_id, name) do update set value = excluded.value
), new_listings as (
    insert into matches (match_id, ruleset, status, seats, created, updated, result)
    select * from unnest($17::text[], $18::text[], $19::text[], $20::jsonb[], $21::bigint[], $22::bigint[], $23::text[])
    where not exists (select from gap)
    on conflict (match_id) do update set ruleset = excluded.ruleset, status = excluded.status, seats = excluded.seats,
        created = excluded.created, updated = excluded.updated, result = excluded.result
)
select count(*) from gap
"""
LAST_SEQ = "select coalesce(max(seq), 0) from events where match_id = $1"


class Limits(Struct, frozen=True):
    """How much, and how long in milliseconds."""

    waiting: int = 4_096  # appends in the queue; beyond that the store is busy
    batch_appends: int = 256
    batch_records: int = 4_096
    lock: int = 2_000  # an append that another transaction keeps waiting longer fails, and the others go on
    statement: int = 10_000
    reply: int = (
        15_000  # from a server that says nothing at all; longer than `statement`, whose answer is the better one
    )
    connect: int = 5_000
    pause: int = 50  # before the second attempt to connect; doubled each time
    longest_pause: int = 2_000


class _Refused(Exception):
    """Nothing of the batch is stored: the database said no, or was not even asked."""

    def __init__(self, why: str, constraint: str | None = None, is_malformed: bool = False) -> None:
        super().__init__(why)
        self.constraint, self.is_malformed = constraint, is_malformed


class _Lost(Exception):
    """The batch was sent and no answer came."""


class _Waiting(Struct, frozen=True):
    append: Append
    answer: "asyncio.Future[None]"

    def settle(self, error: StoreError | None) -> None:
        """The first answer counts. A cancelled caller hears nothing; his append is stored or refused all the same."""
        if self.answer.done():
            return
        if error is None:
            self.answer.set_result(None)
        else:
            self.answer.set_exception(error)


class Writer:
    """One task and one connection, through which every append of a store goes."""

    def __init__(self, connect: Callable[[], Awaitable[asyncpg.Connection]], limits: Limits) -> None:
        self._connect, self._limits = connect, limits
        self._queue: deque[_Waiting] = deque()
        self._wake = asyncio.Event()
        self._is_closing = False
        self._connection: asyncpg.Connection | None = None
        self._statement: asyncpg.prepared_stmt.PreparedStatement | None = None
        self._pause = 0
        self._task = asyncio.create_task(self._run(), name="store writer")

    def hand_over(self, append: Append) -> "asyncio.Future[None]":
        """Queue the append. The future is its answer; cancelling that does not take the append back."""
        if self._is_closing:
            raise StoreUnavailable("the store is closed")
        if len(self._queue) >= self._limits.waiting:
            raise StoreUnavailable("busy")
        check(append)
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(_Waiting(append, answer))
        self._wake.set()
        return answer

    async def close(self) -> None:
        """Write what waits, then end. Cancelled, it answers the rest without writing it."""
        self._is_closing = True
        self._wake.set()
        await self._task

    async def _run(self) -> None:
        try:
            while await self._has_work():
                await self._write(self._next_batch())
            if self._connection is not None:
                with contextlib.suppress(*FAULTS):
                    await self._connection.close(timeout=self._limits.connect / 1000)
        finally:
            self._is_closing = True
            self._answer_queue("the store is closed")
            self._drop()

    async def _has_work(self) -> bool:
        while not self._queue and not self._is_closing:
            self._wake.clear()
            await self._wake.wait()
        return bool(self._queue)

    def _next_batch(self) -> list[_Waiting]:
        """As much as one transaction takes, but one append of a match: the next stands or falls with the one before.

        Sorted by match, so that two writers wait for each other in one order and never in a circle.
        """
        batch: dict[str, _Waiting] = {}
        later: list[_Waiting] = []
        room = self._limits.batch_records
        while self._queue and len(batch) < self._limits.batch_appends:
            waiting = self._queue.popleft()
            match, size = waiting.append.match, len(waiting.append.records)
            if batch and size > room:
                later.append(waiting)
                break
            if match in batch:
                later.append(waiting)
            else:
                batch[match] = waiting
                room -= size
        self._queue.extendleft(reversed(later))
        return [batch[match] for match in sorted(batch)]

    async def _write(self, batch: list[_Waiting]) -> None:
        try:
            await self._store(batch)
        except StoreUnavailable as error:
            for waiting in batch:
                waiting.settle(StoreUnavailable(str(error)))
            self._answer_queue(str(error))
        except Exception:
            log.exception("append failed", extra={"matches": [waiting.append.match for waiting in batch]})
            self._drop()
        finally:
            # Who has no answer by now was cut off, by a fault of ours or by the end of this task.
            for waiting in batch:
                waiting.settle(OutcomeUnknown(waiting.append.match))

    async def _store(self, batch: list[_Waiting]) -> None:
        """Store all at once. One that is refused takes the others with it, so then each is tried alone."""
        try:
            await self._commit([waiting.append for waiting in batch])
        except _Refused as refusal:
            if len(batch) == 1:
                batch[0].settle(await self._reason(batch[0].append, refusal))
                return
            for waiting in batch:
                await self._store([waiting])
        except _Lost as lost:
            log.warning("connection to the database lost during an append: %s", lost)
            self._drop()
            for waiting in batch:
                waiting.settle(OutcomeUnknown(waiting.append.match))
        else:
            for waiting in batch:
                waiting.settle(None)

    async def _commit(self, appends: Sequence[Append]) -> None:
        statement = await self._ready()
        try:
            # asyncpg answers when the server is ready for the next statement, that is after the commit.
            gaps = await statement.fetchval(*_columns(appends), timeout=self._limits.reply / 1000)
        except asyncpg.PostgresError as error:
            # asyncpg itself raises DataError for a value that has no place in its column: that was never sent.
            is_malformed = isinstance(error, asyncpg.DataError)
            # ERROR: the server has rolled back. Anything else is said while it hangs up, perhaps after the commit.
            if error.severity_en != "ERROR" and not is_malformed:
                raise _Lost(repr(error)) from error
            raise _Refused(str(error), error.constraint_name, is_malformed) from error
        except FAULTS as error:
            raise _Lost(repr(error)) from error
        if gaps:
            raise _Refused("records before it are missing", EVENTS_VERSION)

    async def _reason(self, append: Append, refusal: _Refused) -> StoreError:
        if refusal.constraint == EVENTS_VERSION:
            return WrongVersion(append.match, append.expected, await self._last_seq(append.match))
        if refusal.constraint == EVENTS_COMMAND:
            return command_taken(append)
        text = f"append to match {append.match} after {append.expected}: {refusal}"
        return Malformed(text) if refusal.is_malformed else StoreUnavailable(text)

    async def _last_seq(self, match: str) -> int | None:
        try:
            if self._connection is not None:
                seq: int = await self._connection.fetchval(LAST_SEQ, match, timeout=self._limits.reply / 1000)
                return seq
        except FAULTS as error:
            log.warning("no answer to a question for the end of match %s: %r", match, error)
        return None

    async def _ready(self) -> asyncpg.prepared_stmt.PreparedStatement:
        """APPEND on a connection that lives, as far as one can see from here. Raises `StoreUnavailable`."""
        if self._connection is not None and not self._connection.is_closed():
            return self._statement
        self._drop()
        if not self._is_closing:
            await asyncio.sleep(self._pause / 1000)
        try:
            self._connection = await self._connect()
            self._statement = await self._connection.prepare(APPEND)
        except FAULTS as error:
            self._drop()
            self._pause = min(max(2 * self._pause, self._limits.pause), self._limits.longest_pause)
            raise StoreUnavailable(f"the database cannot be reached: {error}") from error
        self._pause = 0
        return self._statement

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None

    def _answer_queue(self, why: str) -> None:
        while self._queue:
            self._queue.popleft().settle(StoreUnavailable(why))


def _columns(appends: Sequence[Append]) -> list[str | Sequence[object]]:
    """The arguments of APPEND, column by column."""
    firsts = [append.records[0] for append in appends]
    records = [record for append in appends for record in append.records]
    counted = [(number, r.part) for number, append in enumerate(appends, 1) for r in append.records]
    secrets = [(append.match, name, value) for append in appends for name, value in append.secrets.items()]
    listings = [
        (shown.match, shown.ruleset, shown.status, _json(shown.seats), shown.created, shown.updated, shown.result)
        for shown in (append.listing for append in appends)
        if shown is not None
    ]
    return [
        [append.match for append in appends],
        _numbers(append.expected for append in appends),
        [first.actor for first in firsts],
        [first.command for first in firsts],
        [first.rules for first in firsts],
        _numbers(first.at for first in firsts),
        _numbers(number for number, _ in counted),
        _numbers(part for _, part in counted),
        [record.kind for record in records],
        [record.body for record in records],
        [b"" if record.secret is None else b"\x01" + record.secret for record in records],
        [record.salt for record in records],
        [record.hash for record in records],
        *_turned(secrets, 3),
        *_turned(listings, 7),
    ]


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _turned(rows: Sequence[Sequence[object]], width: int) -> list[Sequence[object]]:
    return list(zip(*rows, strict=True)) if rows else [()] * width


def _json(seats: tuple[str | None, ...]) -> str:
    return msgspec.json.encode(seats).decode()
