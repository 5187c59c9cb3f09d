"""Accounts and devices in memory."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from diskwars_server.store.accounts import (
    GUEST_NAME_MS,
    MAX_DEVICES_PER_PLAYER,
    MAX_FORMER_NAMES,
    MAX_REMOVED_GUEST_NAMES,
    Accounts,
    RecoverySecret,
    StoredAccount,
    StoredDevice,
    StoredName,
)
from diskwars_server.store.errors import NameTaken


class _BotAccounts:
    """The accounts of bots among all."""

    _require_open: Callable[[], None]
    _accounts: dict[str, StoredAccount]
    _devices: dict[tuple[str, str], StoredDevice]
    _has_rated: Callable[[str], bool]

    async def mark_as_bot(self, player: str) -> bool:
        self._require_open()
        account = self._accounts.get(player)
        if account is None or account.is_deleted or (not account.is_bot and self._has_rated(player)):
            return False
        self._accounts[player] = replace(account, is_bot=True)
        return True

    async def find_bots(self, players: Sequence[str]) -> frozenset[str]:
        self._require_open()
        return frozenset(player for player in players if player in self._accounts and self._accounts[player].is_bot)

    async def list_bots(self, limit: int) -> list[StoredAccount]:
        self._require_open()
        last_used: dict[str, int] = {}
        for device in self._devices.values():
            last_used[device.player] = max(device.last_used_ms, last_used.get(device.player, 0))
        bots = [account for account in self._accounts.values() if account.is_bot and not account.is_deleted]
        bots.sort(key=lambda account: (last_used.get(account.player, 0), account.player), reverse=True)
        return bots[:limit]


class _FollowedPlayers:
    """Whom players follow, and who shows their presence."""

    _require_open: Callable[[], None]
    _followed: dict[str, set[str]]
    _showing: set[str]

    async def follow(self, player: str, other: str, limit: int) -> bool:
        self._require_open()
        followed = self._followed.setdefault(player, set())
        if other not in followed and len(followed) >= limit:
            return False
        followed.add(other)
        return True

    async def unfollow(self, player: str, other: str) -> None:
        self._require_open()
        self._followed.get(player, set()).discard(other)

    async def list_followed(self, player: str) -> Sequence[str]:
        self._require_open()
        return sorted(self._followed.get(player, ()))

    async def show_presence(self, player: str, *, shown: bool) -> None:
        self._require_open()
        (self._showing.add if shown else self._showing.discard)(player)

    async def find_showing(self, players: Sequence[str]) -> frozenset[str]:
        self._require_open()
        return frozenset(self._showing.intersection(players))

    def _forget_followed(self, player: str) -> None:
        self._followed.pop(player, None)
        self._showing.discard(player)
        for followed in self._followed.values():
            followed.discard(player)


class MemoryAccounts(_BotAccounts, _FollowedPlayers, Accounts):
    """Accounts by player, and devices by player and id. No method awaits: each is done before another may begin."""

    def __init__(
        self,
        require_open: Callable[[], None],
        forget_player: Callable[[str], None],
        forget_logins: Callable[[str], None],
        has_rated: Callable[[str], bool],
    ) -> None:
        """`forget_player` removes what else is stored for a player whose account is deleted.

        `forget_logins` removes what a player has answered of logins by code. `has_rated` says who has had a seat in a
        rated match.
        """
        self._has_rated = has_rated
        self._require_open, self._forget_player, self._forget_logins = require_open, forget_player, forget_logins
        self._accounts: dict[str, StoredAccount] = {}
        self._devices: dict[tuple[str, str], StoredDevice] = {}
        self._recoveries: dict[str, list[RecoverySecret]] = {}
        self._former_names: dict[str, list[StoredName]] = {}
        self._guest_names: dict[str, tuple[str, str, int]] = {}
        self._followed: dict[str, set[str]] = {}
        self._showing: set[str] = set()

    async def register(
        self, account: StoredAccount, device: StoredDevice, codes: Sequence[RecoverySecret] = ()
    ) -> bool:
        self._require_open()
        if account.player in self._accounts:
            return False
        self._require_free_name(account.name_key, account.player, account.created_ms)
        self._accounts[account.player] = account
        self._devices[device.player, device.device] = device
        self._recoveries[account.player] = list(codes)
        self._guest_names.pop(account.player, None)
        return True

    def _require_free_name(self, name_key: str, player: str, now: int) -> None:
        others = (other for other in self._accounts.values() if other.name_key == name_key)
        reserved = self._find_reserving(name_key, now)
        if any(other.player != player for other in others) or any(other != player for _, other in reserved):
            raise NameTaken(f"the name {name_key} is taken")

    def find_known(self, player: str) -> StoredAccount | None:
        """Return the account of a player, also one that is deleted."""
        return self._accounts.get(player)

    async def find_player(self, player: str) -> StoredAccount | None:
        self._require_open()
        return self._accounts.get(player)

    async def find_players(self, players: Sequence[str]) -> dict[str, StoredAccount]:
        self._require_open()
        return {player: self._accounts[player] for player in players if player in self._accounts}

    async def find_name(self, name_key: str) -> StoredAccount | None:
        self._require_open()
        named = (account for account in self._accounts.values() if account.name_key == name_key)
        return next(named, None) if name_key else None

    def _find_reserving(self, name_key: str, now: int) -> list[tuple[int, str]]:
        """Return the players for whom a name is reserved, each after the time at which they gave it up."""
        known = ((player, name) for player, names in self._former_names.items() for name in names)
        return [
            (name.until_ms, player) for player, name in known if name.name_key == name_key and name.is_reserved(now)
        ]

    async def find_former_name(self, name_key: str, now: int) -> StoredAccount | None:
        self._require_open()
        reserving = self._find_reserving(name_key, now)
        return self._accounts[max(reserving)[1]] if reserving else None

    async def list_former_names(self, player: str) -> list[StoredName]:
        self._require_open()
        return list(self._former_names.get(player, ()))

    async def find_token(self, token_hash: bytes) -> tuple[StoredAccount, StoredDevice] | None:
        self._require_open()
        devices = (device for device in self._devices.values() if device.token_hash == token_hash)
        device = next(devices, None)
        return None if device is None else (self._accounts[device.player], device)

    async def add_device(self, device: StoredDevice, password_hash: str) -> bool:
        self._require_open()
        if not self._has_password(device.player, password_hash):
            return False
        own = await self.list_devices(device.player)
        for excess in own[MAX_DEVICES_PER_PLAYER - 1 :]:
            del self._devices[excess.player, excess.device]
        self._devices[device.player, device.device] = device
        return True

    def _has_password(self, player: str, password_hash: str) -> bool:
        account = self._accounts.get(player)
        return account is not None and not account.is_deleted and account.password_hash == password_hash

    async def touch_device(self, player: str, device: str, now: int) -> None:
        self._require_open()
        if known := self._devices.get((player, device)):
            self._devices[player, device] = replace(known, last_used_ms=now)

    async def list_devices(self, player: str) -> list[StoredDevice]:
        self._require_open()
        own = [device for device in self._devices.values() if device.player == player]
        return sorted(own, key=lambda device: (device.last_used_ms, device.device), reverse=True)

    async def remove_device(self, player: str, device: str) -> bool:
        self._require_open()
        self._forget_logins(player)
        return self._devices.pop((player, device), None) is not None

    async def change_password(
        self,
        player: str,
        old_hash: str,
        new_hash: str,
        keep_only: str | None = None,
        codes: Sequence[RecoverySecret] = (),
    ) -> bool:
        self._require_open()
        if not self._has_password(player, old_hash):
            return False
        self._accounts[player] = replace(self._accounts[player], password_hash=new_hash)
        self._forget_logins(player)
        if keep_only is not None:
            self._remove_devices(player, keep_only)
            self._recoveries[player] = list(codes)
        return True

    def _remove_devices(self, player: str, keep: str = "") -> None:
        self._devices = {key: device for key, device in self._devices.items() if key[0] != player or key[1] == keep}

    async def replace_recovery_codes(self, player: str, password_hash: str, codes: Sequence[RecoverySecret]) -> bool:
        self._require_open()
        if not self._has_password(player, password_hash):
            return False
        links = [known for known in self._recoveries.get(player, ()) if known.expires_ms is not None]
        self._recoveries[player] = [*codes, *links]
        return True

    async def add_recovery_link(self, player: str, link: RecoverySecret, now: int) -> bool:
        self._require_open()
        account = self._accounts.get(player)
        if account is None or account.is_deleted:
            return False
        usable = [known for known in self._recoveries.get(player, ()) if known.is_usable(now)]
        self._recoveries[player] = [*usable, link]
        return True

    async def has_recovery(self, player: str, secret_hash: bytes, now: int) -> bool:
        self._require_open()
        return any(
            known.secret_hash == secret_hash and known.is_usable(now) for known in self._recoveries.get(player, ())
        )

    async def recover(
        self,
        device: StoredDevice,
        secret_hash: bytes,
        password_hash: str,
        now: int,
        codes: Sequence[RecoverySecret] = (),
    ) -> bool:
        if not await self.has_recovery(device.player, secret_hash, now):
            return False
        self._recoveries[device.player] = list(codes)
        self._forget_logins(device.player)
        self._accounts[device.player] = replace(self._accounts[device.player], password_hash=password_hash)
        self._remove_devices(device.player)
        self._devices[device.player, device.device] = device
        return True

    async def rename(self, player: str, name: str, name_key: str, now: int, not_since: int) -> bool:
        self._require_open()
        account = self._accounts.get(player)
        if account is None or account.is_deleted or account.renamed_ms > not_since:
            return False
        self._require_free_name(name_key, player, now)
        self._keep_former_name(account, name_key, now)
        self._accounts[player] = replace(account, name=name, name_key=name_key, renamed_ms=now)
        return True

    def _keep_former_name(self, account: StoredAccount, name_key: str, now: int) -> None:
        if account.name_key != name_key:
            given_up = {account.name_key, name_key}
            kept = [name for name in self._former_names.get(account.player, ()) if name.name_key not in given_up]
            newest = [StoredName(account.name, account.name_key, now), *kept]
            self._former_names[account.player] = newest[:MAX_FORMER_NAMES]

    def forget_former_names(self, player: str) -> None:
        self._former_names.pop(player, None)

    async def name_guest(self, player: str, name: str, name_key: str, now: int) -> bool:
        self._require_open()
        if player in self._accounts:
            return False
        self._require_free_name(name_key, player, now)
        self._guest_names[player] = name, name_key, now
        old = [guest for guest, (_, _, named) in self._guest_names.items() if named < now - GUEST_NAME_MS]
        for guest in old[:MAX_REMOVED_GUEST_NAMES]:
            del self._guest_names[guest]
        return True

    def forget_guest_name(self, player: str) -> bool:
        self._require_open()
        return self._guest_names.pop(player, None) is not None

    async def find_guest_names(self, players: Sequence[str], now: int) -> dict[str, str]:
        self._require_open()
        former = (name for names in self._former_names.values() for name in names)
        taken = {account.name_key for account in self._accounts.values()}
        taken |= {name.name_key for name in former if name.is_reserved(now)}
        known = {player: self._guest_names[player] for player in players if player in self._guest_names}
        return {player: name for player, (name, name_key, _) in known.items() if name_key not in taken}

    async def delete(self, player: str, password_hash: str) -> bool:
        self._require_open()
        if not self._has_password(player, password_hash):
            return False
        self._accounts[player] = replace(self._accounts[player], name="", name_key="", password_hash="")
        self._remove_devices(player)
        self._recoveries.pop(player, None)
        self._forget_followed(player)
        self._former_names.pop(player, None)
        self._forget_logins(player)
        self._forget_player(player)
        return True
