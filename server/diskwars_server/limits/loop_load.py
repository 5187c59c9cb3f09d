"""Measured load of the thread of an event loop."""

import asyncio
import os
import time
from collections.abc import Callable
from typing import NamedTuple

WINDOW_SECONDS = 0.1
REMEMBERED_SECONDS = 1.0
"""Seconds for which a share counts after the window in which it was measured."""
_SCHEDULED = "/proc/thread-self/schedstat"
_SCHEDULED_BYTES = 100
_NS_PER_SECOND = 1_000_000_000


class ThreadTime(NamedTuple):
    """Seconds that a thread has computed, and that it has waited for a processor."""

    computed: float
    waited: float


class ThreadClock:
    """The clock of the thread that makes it. Outside Linux its waits are unknown."""

    def __init__(self) -> None:
        try:
            self._scheduled: int | None = os.open(_SCHEDULED, os.O_RDONLY)
        except OSError:
            self._scheduled = None

    def close(self) -> None:
        if self._scheduled is not None:
            os.close(self._scheduled)
            self._scheduled = None

    def read(self) -> ThreadTime:
        waited = 0.0
        if self._scheduled is not None:  # open all the time: a storm may leave no file descriptor
            waited = int(os.pread(self._scheduled, _SCHEDULED_BYTES, 0).split()[1]) / _NS_PER_SECOND
        return ThreadTime(time.thread_time(), waited)


class LoopLoad:
    """Measures which part of its time the thread of the running event loop is at work, in windows after a look at it.

    Time in which the thread waits for a processor is not its own: beside other programs one that never rests gets a
    part of the time only, and one that hardly does anything waits as often as it wakes up.
    """

    def __init__(self, read_thread: Callable[[], ThreadTime], clock: Callable[[], float] = time.monotonic) -> None:
        self._loop = asyncio.get_running_loop()
        self._read_thread, self._clock = read_thread, clock
        self._share = self._measured_at = 0.0
        self._window: asyncio.TimerHandle | None = None

    def close(self) -> None:
        if self._window is not None:
            self._window.cancel()

    def measure(self) -> float:
        """Return the share from 0 to 1 in the last window, 0 where that was long ago, and begin a window.

        So a storm that begins after a calm is seen after its first window.
        """
        now = self._clock()
        if self._window is None:
            self._window = self._loop.call_later(WINDOW_SECONDS, self._end_window, now, self._read_thread())
        return self._share if now - self._measured_at <= REMEMBERED_SECONDS else 0.0

    def _end_window(self, began_at: float, before: ThreadTime) -> None:
        self._window = None
        now, after = self._clock(), self._read_thread()
        own = now - began_at - (after.waited - before.waited)
        self._share = min(1.0, (after.computed - before.computed) / max(own, 1e-6))
        self._measured_at = now
