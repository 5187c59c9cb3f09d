"""What is still to be sent to one connection, in order, and what happens when it takes too long?

Backlog, live records and answers share one outbox: sent beside each other they would overtake. It is bounded in frames
and in bytes; who cannot keep up is closed and resumes later. Must not know sockets, sessions or matches.
"""

import asyncio
from collections import deque
from typing import Protocol

from diskwars_protocol.connection import encode
from diskwars_protocol.messages import CLOSES, Closing

FRAMES = 512
OCTETS = 1024 * 1024
SLOW = "frames came faster than they were taken: come back and resume after the last record you have"


class Pipe(Protocol):
    """Takes frames, all of them together, and says True; or has no room for them now and says False."""

    def __call__(self, *frames: bytes) -> bool: ...


class OutboxClosed(Exception):
    """Nothing more can be sent: whoever was being served is gone or about to go."""


class Sign:
    """Whoever waits for it goes on when it is given. An `asyncio.Event` is far heavier, in every connection."""

    __slots__ = ("_waiting",)

    def __init__(self) -> None:
        self._waiting: tuple[asyncio.Future[None], ...] = ()

    def give(self) -> None:
        for one in self._waiting:
            if not one.done():
                one.set_result(None)
        self._waiting = ()

    async def wait(self) -> None:
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting = (*(one for one in self._waiting if not one.done()), mine)
        await mine


class Outbox:
    """Filled by a session and by games, emptied by one writer. Nothing that fills it ever waits, but for `room`.

    Where it leads into a pipe, nothing waits here at all as long as that has room: no task has to wake for a frame.
    """

    def __init__(self, frames: int = FRAMES, octets: int = OCTETS) -> None:
        self._frames, self._octets = frames, octets
        self._queue: deque[bytes] = deque()
        self._held = 0
        self._asked = 0
        self._answered: list[str] = []
        self._filled, self._moved, self._ended = Sign(), Sign(), Sign()
        self._pipe: Pipe | None = None
        self._together: list[bytes] | None = None
        self.is_closed = False
        self.closing: Closing | None = None

    def put(self, frame: bytes) -> bool:
        """One more frame. False when it is closed; an outbox that this would make too full closes with "slow"."""
        if self.is_closed:
            return False
        if self._together is not None:
            self._together.append(frame)
            return True
        if not self._queue and self._pipe is not None and self._pipe(frame):
            return True
        if self._queue and (len(self._queue) >= self._frames or self._held + len(frame) > self._octets):
            self._drop()
            self.close("slow", SLOW)
            return False
        self._push(frame)
        self._filled.give()
        return True

    def lead(self, pipe: Pipe | None) -> None:
        """From now on frames go into this pipe at once; with None they wait to be taken again."""
        self._pipe = pipe
        self.flow()

    def flow(self) -> None:
        """The pipe has room again."""
        while self._pipe is not None and self._queue and self._pipe(self._queue[0]):
            self._held -= len(self._queue.popleft())
            self._moved.give()

    def close(self, word: str = "", text: str = "", retry_after_ms: int = 0) -> None:
        """What is in it is still sent, then a `Closing` if there is a word for it. The first closing counts."""
        if word:
            self.finish(Closing(CLOSES[word], word, text, retry_after_ms))
        elif not self.is_closed:
            self._drop()
            self._end()

    def finish(self, closing: Closing) -> None:
        """What is in it is still sent, then this."""
        if self.is_closed:
            return
        self.closing = closing
        self._push(encode(closing))
        self._end()

    async def take(self) -> bytes | None:
        """The next frame, or None when it is closed and empty. For one writer."""
        while not self._queue:
            if self.is_closed:
                return None
            await self._filled.wait()
        frame = self._queue.popleft()
        self._held -= len(frame)
        self._moved.give()
        return frame

    async def room(self) -> None:
        """Waits until it is at most half full. Raises OutboxClosed."""
        while not self.is_closed and (2 * len(self._queue) > self._frames or 2 * self._held > self._octets):
            await self._moved.wait()
        if self.is_closed:
            raise OutboxClosed

    async def over(self) -> None:
        """Waits until it is closed."""
        while not self.is_closed:
            await self._ended.wait()

    # ---------------------------------------------------------------- commands that a game still has to answer

    def expect(self) -> None:
        """A command is on its way to a game, which will answer it here."""
        self._asked += 1

    def hold(self) -> None:
        """An answer is due at once: what is put before it goes with it, for each writing to a socket costs a call."""
        if not self._queue and self._pipe is not None:
            self._together = []

    def answer(self, id: str, frame: bytes) -> None:
        """A game answers a command; the records that it made were put here before."""
        self._asked -= 1
        self._answered.append(id)
        before, self._together = self._together, None
        if not before or self.is_closed or self._pipe is None or not self._pipe(*before, frame):
            for each in (*(before or ()), frame):
                self.put(each)
        self._moved.give()

    def answered(self) -> list[str]:
        """The ids of the commands answered since the last question."""
        ids, self._answered = self._answered, []
        return ids

    async def quiet(self) -> None:
        """Waits until every command has been answered. Raises OutboxClosed."""
        while not self.is_closed and self._asked:
            await self._moved.wait()
        if self.is_closed:
            raise OutboxClosed

    def _push(self, frame: bytes) -> None:
        self._queue.append(frame)
        self._held += len(frame)

    def _drop(self) -> None:
        self._queue.clear()
        self._held = 0

    def _end(self) -> None:
        self.is_closed = True
        self._ended.give()
        self._filled.give()
        self._moved.give()
