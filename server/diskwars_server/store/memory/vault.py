"""Secrets and keys in memory."""

from collections.abc import Callable
from secrets import token_bytes

from diskwars_server.store.admissions import LOCK_PREFIX, MatchLock
from diskwars_server.store.vault import Vault


class MemoryVault(Vault):
    """Secrets by match and name, and a key that lives as long as the process."""

    def __init__(self, require_open: Callable[[], None]) -> None:
        self._require_open = require_open
        self._secrets: dict[str, dict[str, bytes]] = {}
        self._keys = {"signing": token_bytes(32), "push": token_bytes(32)}

    def put(self, match: str, name: str, value: bytes) -> None:
        self._secrets.setdefault(match, {})[name] = value

    async def secrets(self, match: str) -> dict[str, bytes]:
        self._require_open()
        return dict(self._secrets.get(match, {}))

    async def forget_secrets(self, match: str) -> None:
        self._require_open()
        locks = {name: value for name, value in self._secrets.pop(match, {}).items() if name.startswith(LOCK_PREFIX)}
        if locks:
            self._secrets[match] = locks

    def remove(self, match: str) -> None:
        """Forget everything about a match."""
        self._secrets.pop(match, None)

    def is_locked(self, match: str) -> bool:
        return bool(MatchLock.from_secrets(self._secrets.get(match, {})))

    async def signing_key(self) -> bytes:
        self._require_open()
        return self._keys["signing"]

    async def push_key(self) -> bytes:
        self._require_open()
        return self._keys["push"]
