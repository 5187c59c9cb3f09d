"""Logins of programs without a browser, in memory."""

from collections.abc import Callable

from msgspec.structs import replace

from diskwars_server.store.accounts import StoredDevice
from diskwars_server.store.device_logins import SLOWER_MS, DeviceLogins, PolledLogin, StoredDeviceLogin
from diskwars_server.store.memory.accounts import MemoryAccounts


class MemoryDeviceLogins(DeviceLogins):
    """Logins by the hash of the code of the program. No method awaits: each is done before another may begin."""

    def __init__(self, require_open: Callable[[], None], accounts: MemoryAccounts) -> None:
        self._require_open, self._accounts = require_open, accounts
        self._logins: dict[bytes, StoredDeviceLogin] = {}

    async def add(self, login: StoredDeviceLogin, limit: int, now_ms: int) -> bool:
        self._require_open()
        self._logins = {key: known for key, known in self._logins.items() if known.expires_ms > now_ms}
        is_taken = any(known.user_hash == login.user_hash for known in self._logins.values())
        if is_taken:
            return False
        if len(self._logins) >= limit:
            waiting = [known for known in self._logins.values() if known.status == "waiting"]
            if not waiting:
                return False
            del self._logins[min(waiting, key=lambda known: (known.expires_ms, known.device_hash)).device_hash]
        self._logins[login.device_hash] = login
        return True

    async def find(self, user_hash: bytes, now_ms: int) -> StoredDeviceLogin | None:
        self._require_open()
        found = (known for known in self._logins.values() if known.user_hash == user_hash)
        return next((known for known in found if known.expires_ms > now_ms), None)

    async def answer(
        self, user_hash: bytes, player: str, device: str, approved: bool, now_ms: int
    ) -> StoredDeviceLogin | None:
        known = await self.find(user_hash, now_ms)
        own = [own.device for own in await self._accounts.list_devices(player)]
        if known is None or known.status != "waiting" or device not in own:
            return None
        answered = replace(known, status="approved" if approved else "denied", player=player)
        self._logins[known.device_hash] = answered
        return answered

    async def poll(self, device_hash: bytes, now_ms: int) -> PolledLogin | None:
        self._require_open()
        known = self._logins.get(device_hash)
        if known is None:
            return None
        is_early = bool(known.polled_ms) and now_ms < known.polled_ms + known.interval_ms
        interval_ms = known.interval_ms + (SLOWER_MS if is_early else 0)
        self._logins[device_hash] = polled = replace(known, polled_ms=now_ms, interval_ms=interval_ms)
        return PolledLogin(polled, is_early)

    async def redeem(self, device_hash: bytes, device: StoredDevice) -> bool:
        self._require_open()
        login, account = self._logins.get(device_hash), self._accounts.find_known(device.player)
        if login is None or login.status != "approved" or login.player != device.player or account is None:
            return False
        del self._logins[device_hash]
        return await self._accounts.add_device(device, account.password_hash)

    def forget_player(self, player: str) -> None:
        """Remove what a player has answered."""
        self._logins = {key: known for key, known in self._logins.items() if known.player != player}

    async def remove(self, device_hash: bytes) -> bool:
        self._require_open()
        return self._logins.pop(device_hash, None) is not None
