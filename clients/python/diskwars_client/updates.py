"""Updates of a match that wait to be taken."""

import asyncio
from collections import deque
from collections.abc import Callable

from msgspec import Struct

from diskwars_protocol.match.state import AnyBody, AnyMatch, RecordBody

UPDATE_BUFFER_LIMIT = 256
"""Updates that wait to be taken before the client stops reading, unless a task waits for what comes next."""


class Update(Struct, frozen=True):
    """Record `seq`, and the match before and after it.

    `is_live` is False for what had happened before the match was watched. A match that is watched from a snapshot
    begins with an update whose record is empty and whose `before` is None: `state` is the match as it was found. One
    such update also stands for the oldest records where more were waiting than a handle keeps, and for a takeback to
    before the snapshot: then its record says to where.
    """

    seq: int
    record: AnyBody
    before: AnyMatch | None
    state: AnyMatch
    is_live: bool

    @property
    def is_snapshot(self) -> bool:
        """Whether this is the match at some moment, instead of a record."""
        return self.before is None and not self.record.events


class UpdateQueue:
    """Queue of updates, and the signal of any change for tasks that wait for a later state.

    At most `UPDATE_BUFFER_LIMIT` updates and one frame of them wait. `resume_reading` is called when there is room
    again, and when a task begins to wait.
    """

    def __init__(self, resume_reading: Callable[[], None]) -> None:
        self._resume_reading = resume_reading
        self._updates: deque[Update] = deque()
        self._changed = asyncio.Event()
        self._waiters = 0

    def __len__(self) -> int:
        return len(self._updates)

    @property
    def is_full(self) -> bool:
        return len(self._updates) >= UPDATE_BUFFER_LIMIT

    @property
    def is_awaited(self) -> bool:
        """Whether a task waits for what comes next, and nothing has come yet: when it wakes, it may take updates."""
        return self._waiters > 0 and not self._changed.is_set()

    @property
    def is_idle(self) -> bool:
        """Whether no update waits to be taken, and no task for a change."""
        return not self._updates and not self._waiters

    def add(self, update: Update) -> None:
        self._updates.append(update)
        self._changed.set()

    def notify(self) -> None:
        """Wake the tasks that wait: something else than the updates has changed."""
        self._changed.set()

    def take(self) -> Update:
        """Return the oldest update, of which there must be one."""
        update = self._updates.popleft()
        self._resume_reading()
        return update

    def clear(self) -> None:
        self._updates.clear()

    def merge_oldest(self) -> None:
        """Make room for a frame that is read though the queue is full, because a task waits for what comes next."""
        oldest: Update | None = None
        while len(self._updates) >= UPDATE_BUFFER_LIMIT:
            oldest = self._updates.popleft()
        if oldest is not None:
            self._updates.appendleft(snapshot_update(oldest.seq, oldest.state, oldest.is_live))

    async def wait(self) -> None:
        """Wait for the next record, options or fault. The client reads on meanwhile, though no task takes updates."""
        self._waiters += 1
        self._resume_reading()
        self._changed.clear()
        try:
            await self._changed.wait()
        finally:
            self._waiters -= 1


def snapshot_update(seq: int, state: AnyMatch, is_live: bool, taken_back_to: int | None = None) -> Update:
    """Return an update that stands for the match after a record, and for no record."""
    return Update(seq, RecordBody(at_ms=state.at_ms, taken_back_to=taken_back_to), None, state, is_live)
