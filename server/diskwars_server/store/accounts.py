"""The port that keeps accounts of players, and the devices on which they are logged in.

Of guests only the names are stored that they call themselves. A player whose account was deleted keeps a row without a
name, so that nobody is that player again.
"""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

GUEST_NAME_MS = 400 * 86_400_000
"""For how long the name of a guest is kept at least."""
MAX_REMOVED_GUEST_NAMES = 10
"""Names of guests that are too old, of which each new one removes as many: more are removed than come."""
RESERVED_NAME_MS = 90 * 86_400_000
"""For how long a name that a player has given up is found as theirs, and nobody else may take it."""
MAX_FORMER_NAMES = 10
"""Of one player, the last ones: older names are forgotten, and free."""
MAX_DEVICES_PER_PLAYER = 32
"""Devices of one account. One more logs the device out that was used the longest ago."""


class StoredAccount(Struct, frozen=True):
    """An account. `name_key` is what look-alike names have in common. Name, key and hash are empty once deleted.

    `is_bot` is set once and stays.
    """

    player: str
    name: str
    name_key: str
    password_hash: str
    created_ms: int
    renamed_ms: int = 0
    is_bot: bool = False

    @property
    def is_deleted(self) -> bool:
        return not self.name_key


class StoredName(Struct, frozen=True):
    """A name that a player had, and when they gave it up."""

    name: str
    name_key: str
    until_ms: int

    def is_reserved(self, now: int) -> bool:
        return now < self.until_ms + RESERVED_NAME_MS


class StoredDevice(Struct, frozen=True):
    """A device that is logged in. `token_hash` is the SHA-256 of its token, which is stored nowhere.

    With `scopes` it is a token for the HTTP interface, with which nobody can log in.
    """

    player: str
    device: str
    token_hash: bytes
    created_ms: int
    last_used_ms: int
    name: str = ""
    scopes: tuple[str, ...] = ()


class RecoverySecret(Struct, frozen=True):
    """What lets a player set a new password, once: a recovery code, or a link of an operator, which has an end."""

    secret_hash: bytes
    expires_ms: int | None = None

    def is_usable(self, now: int) -> bool:
        return self.expires_ms is None or now < self.expires_ms


class Accounts(Protocol):
    """Accounts and their devices. Every method may raise `StoreUnavailable`.

    Changes that need a password name the hash that it was checked against: if another change came first, they do
    nothing and return False.
    """

    async def register(
        self, account: StoredAccount, device: StoredDevice, codes: Sequence[RecoverySecret] = ()
    ) -> bool:
        """Store an account with its first device and recovery codes.

        False if the player has an account, or had. Raises NameTaken, also for a name that is reserved for another.
        """

    async def find_player(self, player: str) -> StoredAccount | None:
        """Return the account of a player, also a deleted one."""

    async def find_players(self, players: Sequence[str]) -> dict[str, StoredAccount]:
        """Return the accounts of those players that have one, also deleted ones."""

    async def find_name(self, name_key: str) -> StoredAccount | None:
        """Return the account whose name has this key."""

    async def find_former_name(self, name_key: str, now: int) -> StoredAccount | None:
        """Return the account for which a former name is reserved; if there are several, that which had it last."""

    async def list_former_names(self, player: str) -> list[StoredName]:
        """Return the names that a player had before, the last one first."""

    async def find_token(self, token_hash: bytes) -> tuple[StoredAccount, StoredDevice] | None:
        """Return the account and the device that a token stands for."""

    async def add_device(self, device: StoredDevice, password_hash: str) -> bool:
        """Log a device in. False if the account is gone or has another password by now."""

    async def touch_device(self, player: str, device: str, now: int) -> None:
        """Store that a device was used."""

    async def list_devices(self, player: str) -> list[StoredDevice]:
        """Return the devices of a player, the last used first."""

    async def remove_device(self, player: str, device: str) -> bool:
        """Log a device out. False if the player has no such device."""

    async def change_password(
        self,
        player: str,
        old_hash: str,
        new_hash: str,
        keep_only: str | None = None,
        codes: Sequence[RecoverySecret] = (),
    ) -> bool:
        """Change the password; with `keep_only` log the other devices out, and replace every recovery by `codes`.

        Somebody else who was logged in may have made recovery codes, or asked for a link.
        """

    async def replace_recovery_codes(self, player: str, password_hash: str, codes: Sequence[RecoverySecret]) -> bool:
        """Store recovery codes in the place of those of before. Links that have an end stay."""

    async def add_recovery_link(self, player: str, link: RecoverySecret, now: int) -> bool:
        """Store a link that has an end, and forget those that have ended. False without an account."""

    async def has_recovery(self, player: str, secret_hash: bytes, now: int) -> bool:
        """Return whether an account has this code or link now."""

    async def recover(
        self,
        device: StoredDevice,
        secret_hash: bytes,
        password_hash: str,
        now: int,
        codes: Sequence[RecoverySecret] = (),
    ) -> bool:
        """Use a code or link up: set the password, log all devices out, and log this one in, all or nothing.

        `codes` take the place of all others, which somebody who knew the old password may have. False if the account
        has no such code or link any more.
        """

    async def rename(self, player: str, name: str, name_key: str, now: int, not_since: int) -> bool:
        """Change the name, and keep the one before as a former name, unless it only looked different.

        False if the account is gone, or was renamed after `not_since`. Raises NameTaken, also for a name that is
        reserved for another.
        """

    async def name_guest(self, player: str, name: str, name_key: str, now: int) -> bool:
        """Store the name of a guest. False for a player with an account.

        Raises NameTaken if an account has the name, or it is reserved for one.

        Guests may have the same name: nothing proves who they are.
        """

    async def find_guest_names(self, players: Sequence[str], now: int) -> dict[str, str]:
        """Return the names of those guests that have one, without those that an account has by now.

        Nor those that are reserved for one: others would take a guest for the player who was called so.
        """

    async def follow(self, player: str, other: str, limit: int) -> bool:
        """Store that a player follows another; False if they follow as many others as they may."""

    async def unfollow(self, player: str, other: str) -> None:
        """Forget that a player follows another."""

    async def list_followed(self, player: str) -> Sequence[str]:
        """Return whom a player follows. Players whose accounts were deleted are followed by nobody."""

    async def show_presence(self, player: str, *, shown: bool) -> None:
        """Store whether those who follow a player see when they are there; nobody does at first."""

    async def find_showing(self, players: Sequence[str]) -> frozenset[str]:
        """Return those of the players who show their presence."""

    async def mark_as_bot(self, player: str) -> bool:
        """Mark an account as that of a bot, for good. False if it is gone, or has had a seat in a rated match."""

    async def find_bots(self, players: Sequence[str]) -> frozenset[str]:
        """Return those of the players whose accounts are those of bots."""

    async def list_bots(self, limit: int) -> list[StoredAccount]:
        """Return accounts of bots, those that were used last first."""

    async def delete(self, player: str, password_hash: str) -> bool:
        """Forget names, password, devices and recovery codes of a player for good."""
