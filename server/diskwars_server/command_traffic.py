"""Counts the commands that matches work on now, so that what is less urgent can wait for a gap between them."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from diskwars_server.outbox import Signal

LONGEST_WAIT_SECONDS = 0.002


class CommandTraffic:
    """The commands that are being decided, stored and answered on this node.

    What waits for a gap is held up by `LONGEST_WAIT_SECONDS` at most, so that it goes on under any load.
    """

    def __init__(self) -> None:
        self._commands = 0
        self._gap = Signal()

    @contextmanager
    def carry(self) -> Iterator[None]:
        """Count a command until it is answered."""
        self._commands += 1
        try:
            yield
        finally:
            self._commands -= 1
            if not self._commands:
                self._gap.notify()

    async def wait_for_gap(self) -> None:
        """Return once nothing is under way, or after a moment."""
        if not self._commands:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(LONGEST_WAIT_SECONDS):
                await self._gap.wait()
