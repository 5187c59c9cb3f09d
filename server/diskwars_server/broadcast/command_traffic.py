"""Counts the commands that matches work on now, so that what is less urgent can wait for a gap between them."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from diskwars_server.broadcast.outbox import Signal

LONGEST_WAIT_SECONDS = 0.002
SHARE_SECONDS = 0.002
"""For which nothing waits after a wait in vain, so that commands without a gap take half of the time at most."""


class CommandTraffic:
    """The commands that are being decided, stored and answered on this node.

    A task that waits for a gap is held up by `LONGEST_WAIT_SECONDS` at most, and then `SHARE_SECONDS` are its own, so
    that it goes on under any load.
    """

    def __init__(self) -> None:
        self._commands = 0
        self._gap = Signal()
        self._share_ends_at = 0.0

    def begin(self) -> None:
        """Count a command until `finish` is called for it."""
        self._commands += 1

    def finish(self) -> None:
        """Let what waits go on where this was the only command."""
        self._commands -= 1
        if not self._commands:
            self._gap.notify()

    @contextmanager
    def carry(self) -> Iterator[None]:
        """Count a command while the context lasts."""
        self.begin()
        try:
            yield
        finally:
            self.finish()

    async def wait_for_gap(self) -> None:
        """Return once nothing is under way, or after a moment, or at once in the share of what waits."""
        loop = asyncio.get_running_loop()
        if not self._commands or loop.time() < self._share_ends_at:
            return
        try:
            async with asyncio.timeout(LONGEST_WAIT_SECONDS):
                await self._gap.wait()
        except TimeoutError:
            self._share_ends_at = loop.time() + SHARE_SECONDS
