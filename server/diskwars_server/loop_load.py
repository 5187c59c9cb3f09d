"""How busy the thread of an event loop has been lately."""

import time
from collections.abc import Callable
from pathlib import Path

WINDOW_SECONDS = 0.1
_SCHEDULED = Path("/proc/thread-self/schedstat")


def busy_seconds() -> float:
    """Return how long this thread has computed or waited for a processor.

    Beside other programs a thread that never rests gets a part of the time only. Where the system does not tell how
    long it waits, as outside Linux, only what it computed counts.
    """
    computed = time.thread_time()
    try:
        computed_ns, waited_ns, _ = _SCHEDULED.read_bytes().split()
    except (OSError, ValueError):
        return computed
    return max(computed, (int(computed_ns) + int(waited_ns)) / 1e9)


class LoopLoad:
    """Measures during which part of the time this thread has been at work, from one look at it to another."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, busy_seconds: Callable[[], float] = busy_seconds
    ) -> None:
        self._clock, self._busy_seconds = clock, busy_seconds
        self._at, self._busy_before = clock(), busy_seconds()
        self._share = 0.0

    def measure(self) -> float:
        """Return the share from 0 to 1 in the last whole window of `WINDOW_SECONDS`; 0 where nobody has looked lately.

        So a storm that begins after a calm is seen after its first window.
        """
        now = self._clock()
        passed = now - self._at
        if passed >= WINDOW_SECONDS:
            busy = self._busy_seconds()
            self._share = (busy - self._busy_before) / passed if passed < 2 * WINDOW_SECONDS else 0.0
            self._at, self._busy_before = now, busy
        return self._share
