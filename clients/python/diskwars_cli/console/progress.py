"""Progress line of a long run, overwritten in place and removed at the end.

It is written to stderr, and only if that is a terminal, so that none of it ends up in a file.
"""

import sys
import time
from collections.abc import Callable
from typing import TextIO

CLEAR_LINE = "\r\x1b[K"


class Progress:
    """A line that shows how many items are done, at which rate, and the time left.

    `now` is a clock in seconds; it is only used for rate and time left.
    """

    def __init__(
        self, of: int, things: str, to: TextIO | None = None, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._total, self._noun, self._clock = of, things, now
        self._stream = sys.stderr if to is None else to
        self._is_shown = self._stream.isatty()
        self._started_at = now()

    def clear(self) -> None:
        """Clear the line, so that something else can be printed."""
        self._write("")

    def update(self, done: int) -> None:
        self._write(self._line(done, self._clock() - self._started_at))

    def _write(self, line: str) -> None:
        if self._is_shown:
            self._stream.write(CLEAR_LINE + line)
            self._stream.flush()

    def _line(self, done: int, seconds: float) -> str:
        line = f"{done:,} of {self._total:,} {self._noun}"
        if done >= self._total or seconds <= 0:
            return line
        return (
            f"{line}, {done / seconds:.1f} a second, about {_duration_text(seconds / done * (self._total - done))} left"
        )


def _duration_text(seconds: float) -> str:
    minutes, left = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {left} s" if minutes else f"{left} s"
