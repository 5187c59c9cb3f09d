"""Group commit: the appends of many matches become durable in one transaction.

There is no timer. While one transaction is under way the appends of all matches queue, and the next transaction takes
them all; a waiting window would only add latency.
"""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence

import asyncpg
from msgspec import Struct

from diskwars_server.store.errors import MalformedAppend, OutcomeUnknown, StoreError, StoreUnavailable, WrongVersion
from diskwars_server.store.event_log import AppendRequest, OnOutcome, check_append, duplicate_command_error
from diskwars_server.store.postgres.append_statement import LEAN_APPEND_SQL, build_append
from diskwars_server.store.postgres.tables import RECORDS_COMMAND, RECORDS_VERSION

log = logging.getLogger(__name__)

OUTAGE_SQLSTATES = ("25006", "53", "57P", "58", "XX")
"""Faults of the whole database and not of one append: read-only, out of disk or memory, shutting down,
input/output errors. Classes of PostgreSQL's error codes, by their first characters."""

DATABASE_ERRORS = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)


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


class _QueuedAppend(Struct, eq=False):
    append: AppendRequest
    on_outcome: OnOutcome
    is_resolved: bool = False


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
        self._outcomes: list[tuple[OnOutcome, StoreError | None]] = []
        """Answers to be given in the next pass of the loop, those of a batch together."""
        self._wakeup = asyncio.Event()
        self._is_closing = False
        self._connection: asyncpg.Connection | None = None
        self._statements: dict[str, asyncpg.prepared_stmt.PreparedStatement] = {}
        """Prepared on the connection: one for each combination of what a batch holds, eight at most."""
        self._pause = 0
        self._task = asyncio.create_task(self._run(), name="store writer")

    def enqueue(self, append: AppendRequest, on_outcome: OnOutcome) -> None:
        """Queue the append; `on_outcome` gets its answer in a later pass of the loop."""
        if self._is_closing:
            raise StoreUnavailable("the store is closed")
        if len(self._queue) >= self._limits.queued_appends:
            raise StoreUnavailable("busy")
        check_append(append)
        self._queue.append(_QueuedAppend(append, on_outcome))
        self._wakeup.set()

    async def close(self) -> None:
        """Write what waits, then end. Cancelled, it answers the rest without writing it."""
        self._is_closing = True
        self._wakeup.set()
        await self._task

    async def _run(self) -> None:
        try:
            while await self._has_work():
                # Acts that came with the first one are decided in this pass of the loop and the next: one batch takes
                # them all. Without this pause batches were smaller, and a saturated server did 0.88 of the acts of
                # before; with it 0.96.
                await asyncio.sleep(0)
                await self._write_batch(self._next_batch())
            if self._connection is not None:
                with contextlib.suppress(*DATABASE_ERRORS):
                    await self._connection.close(timeout=self._limits.close_timeout_ms / 1000)
        finally:
            self._is_closing = True
            self._fail_queued("the store is closed")
            self._drop_connection()

    def _resolve(self, queued: _QueuedAppend, error: StoreError | None) -> None:
        """Answer an append, once, after the next batch is under way."""
        if queued.is_resolved:
            return
        queued.is_resolved = True
        if not self._outcomes:
            asyncio.get_running_loop().call_soon(self._deliver_outcomes)
        self._outcomes.append((queued.on_outcome, error))

    def _deliver_outcomes(self) -> None:
        outcomes, self._outcomes = self._outcomes, []
        for on_outcome, error in outcomes:
            try:
                on_outcome(error)
            except Exception:  # a fault of one match, which keeps no other from its answer
                log.exception("outcome of an append not taken")

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
                self._resolve(waiting, StoreUnavailable(str(error)))
            self._fail_queued(str(error))
        except Exception:
            appends = [waiting.append for waiting in batch]
            commands = [f"{append.match} {append.record.seq} {append.record.command_id}" for append in appends]
            log.exception("append failed", extra={"commands": commands})
            self._drop_connection()
        finally:
            # Appends without a result were cut off, by a bug or by the end of this task.
            for waiting in batch:
                self._resolve(waiting, OutcomeUnknown(waiting.append.match))

    async def _store_batch(self, batch: list[_QueuedAppend]) -> None:
        """Store all at once. One that is refused takes the others with it, so then each is tried alone."""
        try:
            await self._commit([waiting.append for waiting in batch])
        except _BatchRejected as refusal:
            if len(batch) == 1:
                self._resolve(batch[0], await self._explain_rejection(batch[0].append, refusal))
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
                self._resolve(waiting, OutcomeUnknown(waiting.append.match))
        else:
            for waiting in batch:
                self._resolve(waiting, None)

    async def _commit(self, appends: Sequence[AppendRequest]) -> None:
        connection = await self._ensure_connected()
        sql, arguments = build_append(appends)
        timeout = self._limits.reply_timeout_ms / 1000
        try:
            statement = self._statements.get(sql)
            if statement is None:
                statement = self._statements[sql] = await connection.prepare(sql, timeout=timeout)
            # asyncpg answers when the server is ready for the next statement, that is after the commit.
            gaps = await statement.fetchval(*arguments, timeout=timeout)
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

    async def _ensure_connected(self) -> asyncpg.Connection:
        """Return a connection that seems to live, the usual statement prepared. Raises `StoreUnavailable`."""
        if self._connection is not None and not self._connection.is_closed():
            return self._connection
        self._drop_connection()
        if not self._is_closing:
            await asyncio.sleep(self._pause / 1000)
        try:
            self._connection = await self._connect()
            self._statements = {LEAN_APPEND_SQL: await self._connection.prepare(LEAN_APPEND_SQL)}
        except DATABASE_ERRORS as error:
            self._drop_connection()
            self._pause = min(
                max(2 * self._pause, self._limits.reconnect_pause_ms), self._limits.max_reconnect_pause_ms
            )
            self._on_failure(f"the database cannot be reached: {error}")
            raise StoreUnavailable(f"the database cannot be reached: {error}") from error
        self._pause = 0
        return self._connection

    def _drop_connection(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None

    def _fail_queued(self, why: str) -> None:
        while self._queue:
            self._resolve(self._queue.popleft(), StoreUnavailable(why))
