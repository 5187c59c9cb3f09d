"""The bounded send queue of one connection.

Backlog, live records and answers share one queue, because separate queues would overtake each other. It is bounded in
frames and in bytes; a connection that cannot keep up is closed and resumes later.
"""

import asyncio
from collections import deque
from typing import Protocol

from diskwars_protocol.connection import encode
from diskwars_protocol.messages import CLOSE_CODES, Closing

MAX_OUTBOX_FRAMES = 512
MAX_OUTBOX_BYTES = 1024 * 1024
SLOW_TEXT = "frames arrived faster than you read them: reconnect and resume after your last record"


class FrameWriter(Protocol):
    """Takes frames, all of them together, and says True; or has no room for them now and says False."""

    def __call__(self, *frames: bytes) -> bool: ...


class OutboxClosed(Exception):
    """Nothing more can be sent: the connection is closed or closing."""


class Signal:
    """Wakes its waiters. An `asyncio.Event` would be far heavier, in every connection."""

    __slots__ = ("_waiters",)

    def __init__(self) -> None:
        self._waiters: tuple[asyncio.Future[None], ...] = ()

    def notify(self) -> None:
        for one in self._waiters:
            if not one.done():
                one.set_result(None)
        self._waiters = ()

    async def wait(self) -> None:
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters = (*(one for one in self._waiters if not one.done()), mine)
        await mine


class Outbox:
    """Filled by a session and by games, emptied by one writer. Nothing that fills it ever waits, but for `room`.

    Where it leads into a pipe, nothing waits here at all as long as that has room: no task has to wake for a frame.
    """

    def __init__(self, frames: int = MAX_OUTBOX_FRAMES, octets: int = MAX_OUTBOX_BYTES) -> None:
        self._max_frames, self._max_bytes = frames, octets
        self._queue: deque[bytes] = deque()
        self._queued_bytes = 0
        self._pending_commands = 0
        self._finished_commands: list[str] = []
        self._frame_queued, self._progress, self._closed = Signal(), Signal(), Signal()
        self._writer: FrameWriter | None = None
        self._corked: list[bytes] | None = None
        self.is_closed = False
        self.closing: Closing | None = None

    def put(self, frame: bytes) -> bool:
        """One more frame. False when it is closed; an outbox that this would make too full closes with "slow"."""
        if self.is_closed:
            return False
        if self._corked is not None:
            self._corked.append(frame)
            return True
        if not self._queue and self._writer is not None and self._writer(frame):
            return True
        if self._queue and (len(self._queue) >= self._max_frames or self._queued_bytes + len(frame) > self._max_bytes):
            self._discard_frames()
            self.close("slow", SLOW_TEXT)
            return False
        self._append_frame(frame)
        self._frame_queued.notify()
        return True

    def attach_writer(self, pipe: FrameWriter | None) -> None:
        """From now on frames go into this pipe at once; with None they wait to be taken again."""
        self._writer = pipe
        self.flush()

    def flush(self) -> None:
        """The pipe has room again."""
        while self._writer is not None and self._queue and self._writer(self._queue[0]):
            self._queued_bytes -= len(self._queue.popleft())
            self._progress.notify()

    def close(self, word: str = "", text: str = "", retry_after_ms: int = 0) -> None:
        """What is in it is still sent, then a `Closing` if there is a word for it. The first closing counts."""
        if word:
            self.close_with(Closing(CLOSE_CODES[word], word, text, retry_after_ms))
        elif not self.is_closed:
            self._discard_frames()
            self._mark_closed()

    def close_with(self, closing: Closing) -> None:
        """What is in it is still sent, then this."""
        if self.is_closed:
            return
        self.closing = closing
        self._append_frame(encode(closing))
        self._mark_closed()

    async def get(self) -> bytes | None:
        """Return the next frame, or None when it is closed and empty. For one writer."""
        while not self._queue:
            if self.is_closed:
                return None
            await self._frame_queued.wait()
        frame = self._queue.popleft()
        self._queued_bytes -= len(frame)
        self._progress.notify()
        return frame

    async def wait_writable(self) -> None:
        """Wait until it is at most half full. Raises OutboxClosed."""
        while not self.is_closed and (
            2 * len(self._queue) > self._max_frames or 2 * self._queued_bytes > self._max_bytes
        ):
            await self._progress.wait()
        if self.is_closed:
            raise OutboxClosed

    async def wait_closed(self) -> None:
        """Wait until it is closed."""
        while not self.is_closed:
            await self._closed.wait()

    # ---------------------------------------------------------------- commands that a game still has to answer

    def begin_command(self) -> None:
        """A command is on its way to a game, which will answer it here."""
        self._pending_commands += 1

    def cork(self) -> None:
        """An answer is due at once: what is put before it goes with it, for each writing to a socket costs a call."""
        if not self._queue and self._writer is not None:
            self._corked = []

    def finish_command(self, id: str, frame: bytes) -> None:
        """A game answers a command; the records that it made were put here before."""
        self._pending_commands -= 1
        self._finished_commands.append(id)
        before, self._corked = self._corked, None
        if not before or self.is_closed or self._writer is None or not self._writer(*before, frame):
            for each in (*(before or ()), frame):
                self.put(each)
        self._progress.notify()

    def take_finished_commands(self) -> list[str]:
        """Return the ids of the commands answered since the last question."""
        ids, self._finished_commands = self._finished_commands, []
        return ids

    async def wait_idle(self) -> None:
        """Wait until every command has been answered. Raises OutboxClosed."""
        while not self.is_closed and self._pending_commands:
            await self._progress.wait()
        if self.is_closed:
            raise OutboxClosed

    def _append_frame(self, frame: bytes) -> None:
        self._queue.append(frame)
        self._queued_bytes += len(frame)

    def _discard_frames(self) -> None:
        self._queue.clear()
        self._queued_bytes = 0

    def _mark_closed(self) -> None:
        self.is_closed = True
        self._closed.notify()
        self._frame_queued.notify()
        self._progress.notify()
