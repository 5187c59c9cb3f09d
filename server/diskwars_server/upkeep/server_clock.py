"""The wall clock of a server: that of its database, which all of its nodes share, continued by the monotonic clock.

Records and deadlines that one node stores are compared with the time of another, so nodes agree on one clock. Spans
within a process are measured with the monotonic clock alone, and not with this one.
"""

import asyncio
import logging
from collections.abc import Callable

from msgspec import Struct

from diskwars_server.store.database import Database
from diskwars_server.upkeep.repeat import Sleep, repeat

log = logging.getLogger(__name__)

CHECK_SECONDS = 1.0
"""Between two looks whether the clock of this machine was set."""
MEASURE_MS = 10_000
"""Between two measurements. Drift would allow minutes; a standby that takes over has another clock at once."""
STEP_MS = 1_000
"""A change of this size is a step: clocks that are slewed gain or lose half a millisecond in a second."""


class MachineClocks(Struct, frozen=True):
    """The clocks of this machine, both in milliseconds: `wall` since 1970, `monotonic` since any moment."""

    wall: Callable[[], int]
    monotonic: Callable[[], int]


async def read_time(database: Database, clocks: MachineClocks) -> Callable[[], int]:
    """Return a clock for what is done soon: that of the database, or of this machine. Raises StoreUnavailable."""
    read_ms = await database.read_clock_ms()
    if read_ms is None:
        return clocks.wall
    ahead_ms = read_ms - clocks.monotonic()
    return lambda: clocks.monotonic() + ahead_ms


class ServerClock:
    """Milliseconds since 1970 by the clock of the database, or by that of this machine if the database has none."""

    def __init__(self, database: Database, clocks: MachineClocks) -> None:
        self._database, self._clocks = database, clocks
        self._wall_ahead_ms = self._read_wall_ahead()
        self._ahead_ms = self._wall_ahead_ms
        """The lead of the server's time over the monotonic clock."""
        self._measured_at_ms: int | None = None

    def now_ms(self) -> int:
        """Return the time; steps of the clock of this machine do not move it."""
        return self._clocks.monotonic() + self._ahead_ms

    def difference_ms(self) -> int:
        """Return how far the clock of this machine is ahead of the time of the server."""
        return self._clocks.wall() - self.now_ms()

    async def run(self, sleep: Sleep = asyncio.sleep) -> None:
        """Follow the clock of the database until cancelled."""
        await repeat(self.check, CHECK_SECONDS, log, "clock of the database not read", sleep)

    async def check(self) -> None:
        """Log a step of the clock of this machine, and measure when it is time. Raises StoreUnavailable."""
        ahead_ms = self._read_wall_ahead()
        step_ms, self._wall_ahead_ms = ahead_ms - self._wall_ahead_ms, ahead_ms
        if abs(step_ms) >= STEP_MS:
            log.warning("the clock of this machine was set", extra={"step_ms": step_ms})
            self._measured_at_ms = None  # after a suspension it is the monotonic clock that is wrong
        if self._measured_at_ms is None or self._clocks.monotonic() - self._measured_at_ms >= MEASURE_MS:
            await self.measure()

    async def measure(self) -> None:
        """Read the clock of the database and correct this one. Raises StoreUnavailable."""
        asked_ms = self._clocks.monotonic()
        read_ms = await self._database.read_clock_ms()
        if read_ms is None:
            read_ms = self._clocks.wall()
        answered_ms = self._clocks.monotonic()
        # It was read somewhen in between, which bounds the difference. Within the bounds nothing is corrected, so a
        # slow answer does no harm, and time does not jitter.
        ahead_ms = min(max(self._ahead_ms, read_ms - answered_ms), read_ms - asked_ms)
        change_ms, self._ahead_ms, self._measured_at_ms = ahead_ms - self._ahead_ms, ahead_ms, answered_ms
        if abs(change_ms) >= STEP_MS:
            log.warning("time corrected by the clock of the database", extra={"change_ms": change_ms})

    def _read_wall_ahead(self) -> int:
        return self._clocks.wall() - self._clocks.monotonic()
