"""Bounded send queue of one connection: many producers, one writer.

Backlog, live records and responses share one outbox, so that they stay in order. Everything passes the state machine of
the sans-I/O connection, which also keeps the account of commands in flight. Of the producers' methods only
`wait_writable` and `wait_idle` block.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import TypeAlias

from diskwars_protocol.connection.connection import ConnectionState, ServerConnection, SharedFrame
from diskwars_protocol.messages import ServerMessage
from diskwars_protocol.messages.closing import CLOSE_CODES, CloseReason, Closing
from diskwars_protocol.messages.decisions import OptionsResponse
from diskwars_protocol.messages.history import RecordRange
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.watching import Watching
from diskwars_server.limits.addresses import UNKNOWN
from diskwars_server.limits.usage import FREE_ANSWER_BYTES, UNLIMITED

MAX_OUTBOX_FRAMES = 512
MAX_OUTBOX_BYTES = 1024 * 1024
METERED_WITH_HISTORY = (Watching, RecordRange, OptionsResponse)
"""Responses that are metered with the history of their match; the first options of a decision are free."""
SLOW_TEXT = "frames came faster than they were taken: reconnect and resume after the last record you have"

FrameWriter: TypeAlias = Callable[[bytes], bool]
"""Writes a frame at once and returns True, or has no room for it now and returns False."""


class OutboxClosed(Exception):
    """Nothing more can be sent: the client is gone or about to go."""


class Signal:
    """Wakes all tasks that wait for it. Far lighter than an `asyncio.Event`, and every connection holds several."""

    __slots__ = ("_waiters",)

    def __init__(self) -> None:
        self._waiters: tuple[asyncio.Future[None], ...] = ()

    def notify(self) -> None:
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)
        self._waiters = ()

    async def wait(self) -> None:
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters = (*(other for other in self._waiters if not other.done()), waiter)
        await waiter


class Outbox:
    """The send queue of one connection, bounded in frames and in bytes.

    With a writer attached a frame is not queued at all as long as the writer has room: no task has to wake for it.
    A connection that cannot keep up is closed as "slow"; its client resumes later.
    """

    def __init__(
        self,
        connection: ServerConnection,
        max_frames: int = MAX_OUTBOX_FRAMES,
        max_bytes: int = MAX_OUTBOX_BYTES,
        on_refusal: Callable[[str], None] = lambda code: None,
    ) -> None:
        """`on_refusal` gets the code of every refusal that is sent."""
        self._on_refusal = on_refusal
        self.connection = connection
        self.usage = UNLIMITED.usage_of(UNKNOWN)
        self.closing: Closing | None = None
        self.measure_lag: Callable[[], int] = lambda: 0
        self.is_lost = False
        """Whether the socket is gone already. What waits to be done for its client need not be done."""
        self.looked_at: str | None = None
        """The match that is in view, empty for none; None where the client has not said so."""
        self._max_frames, self._max_bytes = max_frames, max_bytes
        self._queue: deque[bytes] = deque()
        self._queued_bytes = 0
        self._writer: FrameWriter | None = None
        self._frame_queued, self._progress, self._closed = Signal(), Signal(), Signal()

    @property
    def is_closed(self) -> bool:
        return self.connection.state is ConnectionState.CLOSED

    @property
    def backlog(self) -> int:
        """The number of frames that wait to be sent."""
        return len(self._queue)

    @property
    def lag_ms(self) -> int:
        """The round trip to the client that was measured last; 0 before the first measurement."""
        return self.measure_lag()

    # ---------------------------------------------------------------- for producers

    def send(self, message: ServerMessage) -> bool:
        """Send a message. Return False when the outbox is closed, or when this makes it too full and closes it.

        A response takes its command out of the connection's account. Raises LocalProtocolError.
        """
        if self.is_closed:
            return False
        if isinstance(message, Refused):
            self._on_refusal(message.code)
        frame = self.connection.send(message)
        if len(frame) > FREE_ANSWER_BYTES and not isinstance(message, METERED_WITH_HISTORY):
            self.usage.add_history(len(frame))
        is_sent = self._put(frame)
        self._progress.notify()
        return is_sent

    def send_shared(self, shared: SharedFrame) -> bool:
        """Send a message that was encoded once for many connections; otherwise like `send`."""
        # Asked here and not by `is_closed`: once for every watcher of every record.
        if self.connection.state is ConnectionState.CLOSED:
            return False
        return self._put(self.connection.send_shared(shared))

    def close(self, reason: CloseReason, text: str, retry_after_ms: int | None = None) -> None:
        """Send what is queued and a `Closing`, then end. The first closing counts."""
        self.close_with(Closing(CLOSE_CODES[reason], reason, text, retry_after_ms))

    def close_with(self, closing: Closing) -> None:
        """Send what is queued and this message, then end. The first closing counts."""
        if not self.is_closed:
            self.closing = closing
            self._append(self.connection.send(closing))
            self._notify_closed()

    def close_slow(self) -> None:
        """Drop the queue, which the client does not take, and end. The first closing counts."""
        if not self.is_closed:
            self._clear()
            self.close("slow", SLOW_TEXT)

    def abandon(self) -> None:
        """Drop the queue and end without a closing message: the socket is gone."""
        if not self.is_closed:
            self.connection.connection_lost()
            self._clear()
            self._notify_closed()

    async def wait_writable(self) -> None:
        """Wait until the queue is at most half full. Raises OutboxClosed."""
        while not self.is_closed and (
            2 * len(self._queue) > self._max_frames or 2 * self._queued_bytes > self._max_bytes
        ):
            await self._progress.wait()
        self._require_open()

    async def wait_idle(self, allowed: int = 0) -> None:
        """Wait until at most `allowed` commands are in flight on the connection. Raises OutboxClosed."""
        while not self.is_closed and len(self.connection.in_flight) > allowed:
            await self._progress.wait()
        self._require_open()

    # ---------------------------------------------------------------- for the one writer

    def attach_writer(self, writer: FrameWriter | None) -> None:
        """Write frames directly from now on; with None, queue them for `get`."""
        self._writer = writer
        self.flush()

    def flush(self) -> None:
        """Write what is queued, as far as the attached writer has room."""
        while self._writer is not None and self._queue and self._writer(self._queue[0]):
            self._queued_bytes -= len(self._queue.popleft())
            self._progress.notify()

    async def get(self) -> bytes | None:
        """Return the next frame, or None when the outbox is closed and empty."""
        while not self._queue:
            if self.is_closed:
                return None
            await self._frame_queued.wait()
        frame = self._queue.popleft()
        self._queued_bytes -= len(frame)
        self._progress.notify()
        return frame

    async def wait_closed(self) -> None:
        while not self.is_closed:
            await self._closed.wait()

    # ---------------------------------------------------------------- the queue

    def _put(self, frame: bytes) -> bool:
        if not self._queue and self._writer is not None and self._writer(frame):
            return True
        # One frame may be larger than the bound: an empty queue takes it.
        if self._queue and (len(self._queue) >= self._max_frames or self._queued_bytes + len(frame) > self._max_bytes):
            self.close_slow()
            return False
        self._append(frame)
        return True

    def _append(self, frame: bytes) -> None:
        self._queue.append(frame)
        self._queued_bytes += len(frame)
        self._frame_queued.notify()

    def _clear(self) -> None:
        self._queue.clear()
        self._queued_bytes = 0

    def _notify_closed(self) -> None:
        self._closed.notify()
        self._frame_queued.notify()
        self._progress.notify()

    def _require_open(self) -> None:
        if self.is_closed:
            raise OutboxClosed
