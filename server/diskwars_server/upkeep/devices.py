"""The loop that stores that devices are in use for as long as they are connected: a token expires that is not used."""

import asyncio
import logging
from collections.abc import Callable

from diskwars_server.players.connected import ConnectedPlayers
from diskwars_server.store.accounts import Accounts
from diskwars_server.upkeep.repeat import Sleep, repeat

log = logging.getLogger(__name__)

PASS_SECONDS = 6 * 3600.0
"""Tokens are valid for a day at least, so several passes may fail."""


class ConnectedDevices:
    """Stores the use of every device that is connected to this process."""

    def __init__(self, connected: ConnectedPlayers, accounts: Accounts, clock: Callable[[], int]) -> None:
        """`clock` gives milliseconds."""
        self._connected, self._accounts, self._clock = connected, accounts, clock

    async def run(self, sleep: Sleep = asyncio.sleep) -> None:
        """Store until cancelled."""
        await repeat(self.touch, PASS_SECONDS, log, "use of devices not stored", sleep)

    async def touch(self) -> None:
        """Store the use of all of them now. Raises StoreUnavailable."""
        for player, device in self._connected.devices():
            await self._accounts.touch_device(player, device, self._clock())
