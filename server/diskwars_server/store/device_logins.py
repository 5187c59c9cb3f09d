"""The port that stores logins of programs without a browser, while a player has not answered them."""

from typing import Protocol

from msgspec import Struct

from diskwars_protocol.messages.accounts import ApiScope, DeviceLoginStatus
from diskwars_server.store.accounts import StoredDevice

SLOWER_MS = 5_000
"""By how much longer a program has to wait between two polls after one that came too early (RFC 8628, 3.5)."""


class StoredDeviceLogin(Struct, frozen=True):
    """A program that waits. Of both codes only hashes are stored, and the token is made when it is fetched."""

    device_hash: bytes
    user_hash: bytes
    name: str
    scopes: tuple[ApiScope, ...]
    expires_ms: int
    interval_ms: int
    polled_ms: int = 0
    status: DeviceLoginStatus = "waiting"
    player: str = ""


class PolledLogin(Struct, frozen=True):
    """A login as a poll has found it; one that `is_early` came before its interval was over."""

    login: StoredDeviceLogin
    is_early: bool


class DeviceLogins(Protocol):
    """Logins that wait or were answered. Every method may raise `StoreUnavailable`.

    Every change of a password, recovery, logout of a device and deletion of an account removes what its player has
    answered, in the same transaction: those who had the account before keep no way in.
    """

    async def add(self, login: StoredDeviceLogin, limit: int, now_ms: int) -> bool:
        """Store a login, and remove those that have expired; False where a code is taken.

        Beyond `limit` it takes the place of the oldest that waits; False too where nobody waits for an answer.
        """

    async def find(self, user_hash: bytes, now_ms: int) -> StoredDeviceLogin | None:
        """Return the login with this user code, unless it has expired."""

    async def answer(
        self, user_hash: bytes, player: str, device: str, approved: bool, now_ms: int
    ) -> StoredDeviceLogin | None:
        """Answer a login that waits, and return it; None where there is none, or where the device is logged out."""

    async def poll(self, device_hash: bytes, now_ms: int) -> PolledLogin | None:
        """Return a login, also an expired one, and note when it was asked for; an early poll lengthens its interval."""

    async def redeem(self, device_hash: bytes, device: StoredDevice) -> bool:
        """Log a device in and remove the approved login of its player, all or nothing; False where there is none."""

    async def remove(self, device_hash: bytes) -> bool:
        """Remove a login; False where another request did so before: its answer is given once."""
