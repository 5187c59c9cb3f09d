"""How busy the thread of an event loop has been lately."""

import time
from collections.abc import Callable

WINDOW_SECONDS = 0.1


class LoopLoad:
    """Measures which part of the time this thread has computed, from one look at it to another."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, computed: Callable[[], float] = time.thread_time
    ) -> None:
        """Both give seconds; `computed` is what the thread has computed so far."""
        self._clock, self._computed = clock, computed
        self._at, self._computed_before = clock(), computed()
        self._share = 0.0

    def measure(self) -> float:
        """Return the share from 0 to 1, over `WINDOW_SECONDS` or since the last look, if that was longer ago."""
        now = self._clock()
        if now - self._at >= WINDOW_SECONDS:
            computed = self._computed()
            self._share = (computed - self._computed_before) / (now - self._at)
            self._at, self._computed_before = now, computed
        return self._share
