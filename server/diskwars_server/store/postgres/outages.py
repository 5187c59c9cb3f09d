"""Log of database outages: one line when an outage begins and one when it is over, however many requests it fails."""

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from diskwars_server.refusals import describe_fault
from diskwars_server.store.errors import StoreUnavailable

log = logging.getLogger(__name__)

Probe: TypeAlias = Callable[[], Awaitable[None]]

FAILING_SECONDS = 2.0
"""Longer than clients wait before they try again, and short for those who wait until a server is healthy."""


class OutageLog:
    """Notices that the database fails, and writes to it from then on until it works again."""

    def __init__(self, probe: Probe, probe_ms: int, quiet_ms: int) -> None:
        """`probe` writes to the database and raises StoreUnavailable where that fails; it is called every `probe_ms`.

        An outage is over when it succeeds and nothing has failed for `quiet_ms`: a full disk refuses some writes only.
        """
        self._probe, self._probe_seconds, self._quiet_seconds = probe, probe_ms / 1000, quiet_ms / 1000
        self._failed_at = -math.inf
        self._watch: asyncio.Task[None] | None = None

    @property
    def is_failing(self) -> bool:
        """Whether something failed within `FAILING_SECONDS`."""
        return asyncio.get_running_loop().time() - self._failed_at < FAILING_SECONDS

    def on_failure(self, why: str) -> None:
        """Log that an outage begins, unless one is under way."""
        self._failed_at = asyncio.get_running_loop().time()
        if self._watch is None:
            log.error("database unavailable", extra={"why": why})
            self._watch = asyncio.create_task(self._wait_for_end(self._failed_at), name="database outage")

    async def close(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.wait([self._watch])

    async def _wait_for_end(self, began_at: float) -> None:
        now = asyncio.get_running_loop().time
        is_back = False
        while not is_back or now() - self._failed_at < self._quiet_seconds:
            await asyncio.sleep(self._probe_seconds)
            is_back = await self._is_back()
        self._watch = None
        log.warning("database available again", extra={"seconds": round(now() - began_at, 1)})

    async def _is_back(self) -> bool:
        try:
            await self._probe()
        except StoreUnavailable:
            return False
        except Exception as fault:  # A watch that ended would leave every later outage without a line.
            log.error("database not probed", extra=describe_fault(fault))
            return False
        return True
