"""The health check of a server: it writes to the database, within a time limit."""

import asyncio

from msgspec import Struct

from diskwars_server.bus.bus import Bus, BusState
from diskwars_server.store.database import Database
from diskwars_server.store.errors import StoreUnavailable
from diskwars_server.store.postgres import migrations

CHECK_TIMEOUT_SECONDS = 2.0
"""Shorter than what usual monitors wait, so that they get an answer from a database that hangs."""
MIN_SECONDS_BETWEEN_WRITES = 1.0
"""Anybody may ask for `/healthz`, so requests share one write."""


class HealthReport(Struct, frozen=True):
    """Body of `/healthz` and `/readyz`. `status` and `database` are "ok" or "unavailable"; at `/readyz` the status of a
    server that is about to end is "draining".

    `node` is this process; `schema` is the newest version of the tables that it knows. A bus that is unavailable makes
    other nodes slower and nothing wrong, so it does not count for the status.
    """

    status: str
    node: str
    version: str
    database: str
    schema: str
    bus: BusState = "none"


class HealthCheck:
    """Checks the database of one node when asked. Made inside a running event loop; `close` ends it."""

    def __init__(
        self,
        database: Database,
        node: str,
        version: str,
        bus: Bus | None = None,
        timeout_seconds: float = CHECK_TIMEOUT_SECONDS,
        seconds_between_writes: float = MIN_SECONDS_BETWEEN_WRITES,
    ) -> None:
        self._database, self._node, self._version, self._bus = database, node, version, bus
        self._timeout_seconds, self._seconds_between_writes = timeout_seconds, seconds_between_writes
        self._write: asyncio.Task[bool] | None = None
        self._began_at = 0.0

    async def report(self) -> HealthReport:
        """Return the state of the server, at the latest when the time limit is over."""
        now = asyncio.get_running_loop().time()
        if self._write is None or (self._write.done() and now - self._began_at >= self._seconds_between_writes):
            self._began_at = now
            self._write = asyncio.create_task(self._try_to_write(), name="health check")
        # Not cancelled when the time is up: a connection that hangs takes long to close, and the next request waits
        # for the same write.
        await asyncio.wait([self._write], timeout=max(0.0, self._began_at + self._timeout_seconds - now))
        status = "ok" if self._write.done() and self._write.result() else "unavailable"
        bus = "none" if self._bus is None else self._bus.state
        return HealthReport(status, self._node, self._version, status, migrations.SCHEMA_VERSION, bus)

    async def close(self) -> None:
        if self._write is not None:
            self._write.cancel()
            await asyncio.wait([self._write])

    async def _try_to_write(self) -> bool:
        try:
            await self._database.check_writable()
        except StoreUnavailable:
            return False
        return not self._database.is_failing
