"""The log of database outages: a line at the beginning and one at the end, whatever fails in between."""

import asyncio

import pytest

from diskwars_server.store.errors import StoreUnavailable
from diskwars_server.store.postgres.outages import OutageLog

WAIT_SECONDS = 45


async def test_outage_ends_once_a_write_succeeds_whatever_failed_before(caplog: pytest.LogCaptureFixture) -> None:
    faults: list[Exception] = [StoreUnavailable("gone"), ValueError("a secret of the driver")]

    async def probe() -> None:
        if faults:
            raise faults.pop(0)

    outages = OutageLog(probe, probe_ms=1, quiet_ms=0)
    async with asyncio.timeout(WAIT_SECONDS):
        for _ in range(2):  # the watch of the first outage did not end with its fault
            outages.on_failure("the connection broke")
            outages.on_failure("and once more")
            while "database available again" not in caplog.messages:
                await asyncio.sleep(0.001)
            assert (caplog.messages[0], caplog.messages[-1]) == ("database unavailable", "database available again")
            caplog.clear()
    await outages.close()


async def test_fault_of_the_probe_is_logged_without_its_text(caplog: pytest.LogCaptureFixture) -> None:
    faults = [ValueError("a secret of the driver")]

    async def probe() -> None:
        if faults:
            raise faults.pop()

    outages = OutageLog(probe, probe_ms=1, quiet_ms=0)
    outages.on_failure("the connection broke")
    async with asyncio.timeout(WAIT_SECONDS):
        while "database available again" not in caplog.messages:
            await asyncio.sleep(0.001)
    assert caplog.messages == ["database unavailable", "database not probed", "database available again"]
    assert "secret" not in str([vars(record) for record in caplog.records])
    await outages.close()
