"""The loop that stores that devices are in use for as long as they are connected: a token expires that is not used."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from diskwars_server.accounts import Accounts
from diskwars_server.connected_players import ConnectedPlayers
from diskwars_server.refusals import describe_fault
from diskwars_server.store_errors import StoreUnavailable

log = logging.getLogger(__name__)

PASS_SECONDS = 6 * 3600.0
"""Tokens are valid for a day at least, so several passes may fail."""


class ConnectedDevices:
    """Stores the use of every device that is connected to this process."""

    def __init__(self, connected: ConnectedPlayers, accounts: Accounts, clock: Callable[[], int]) -> None:
        """`clock` gives milliseconds."""
        self._connected, self._accounts, self._clock = connected, accounts, clock

    async def run(self, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """Store until cancelled."""
        while True:
            await sleep(PASS_SECONDS)
            try:
                await self.touch()
            except StoreUnavailable:
                pass  # the outage is logged once, by the database
            except Exception as fault:
                # This loop outlives every fault: without it devices are logged out that are connected for weeks.
                log.error("use of devices not stored", extra=describe_fault(fault))

    async def touch(self) -> None:
        """Store the use of all of them now. Raises StoreUnavailable."""
        for player, device in self._connected.devices():
            await self._accounts.touch_device(player, device, self._clock())
