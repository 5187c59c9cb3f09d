"""Accounts as players use them: register, log in and out, devices, password, name, and who somebody is.

Texts of names and passwords come from clients and are checked here. No text of an error quotes a password or a token.
"""

import hashlib
import secrets
from collections.abc import Callable, Sequence

from msgspec import Struct

from diskwars_protocol import account_messages as am
from diskwars_protocol.match import PlayerId
from diskwars_server.accounts import Accounts, StoredAccount, StoredDevice
from diskwars_server.address_quotas import UNKNOWN
from diskwars_server.connected_players import ConnectedPlayers
from diskwars_server.passwords import BadPassword, Passwords, TooManyHashes, normalize_password
from diskwars_server.player_names import DELETED_NAME, BadName, avatar_seed, check_name, default_name, name_key
from diskwars_server.rate_limits import MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, RateLimit, RateLimiter
from diskwars_server.refusals import RETRY_AFTER_MS, Refusal
from diskwars_server.store_errors import NameTaken
from diskwars_server.tokens import TokenRevoked, opaque_id

DEVICE_TOKEN_PREFIX = "device_"
"""What tells the tokens of devices from those of guests; programs that look for leaked secrets can find them by it."""
_TOKEN_BYTES, _DEVICE_ID_BYTES = 32, 10
BUSY_RETRY_AFTER_MS = 1000
RENAME_PERIOD_MS = MS_PER_DAY
TOUCH_PERIOD_MS = MS_PER_HOUR


class AttemptLimits(Struct, frozen=True):
    """How often passwords may be tried: for a name from one address, for a name from anywhere, and from an address.

    The first is the tightest, so that a stranger who tries the passwords of a player keeps that player out at the
    stranger's own address only.
    """

    name_and_address: RateLimit = RateLimit(5, 5 * MS_PER_MINUTE)
    name: RateLimit = RateLimit(100, MS_PER_HOUR)
    address: RateLimit = RateLimit(30, 10 * MS_PER_MINUTE)
    registrations: RateLimit = RateLimit(20, MS_PER_HOUR)


DEFAULT_ATTEMPT_LIMITS = AttemptLimits()


class LoggedInDevice(Struct, frozen=True):
    """Whose a token is. A guest has neither a name nor a device."""

    player: PlayerId
    name: str = ""
    device: str = ""

    @property
    def account(self) -> am.Account | None:
        return am.Account(self.name, self.device) if self.device else None


class AccountService:
    """Accounts of one server. Every method may raise Refusal and StoreUnavailable."""

    def __init__(
        self,
        accounts: Accounts,
        clock: Callable[[], int],
        passwords: Passwords | None = None,
        limits: AttemptLimits = DEFAULT_ATTEMPT_LIMITS,
    ) -> None:
        self._accounts, self._clock = accounts, clock
        self._passwords = passwords or Passwords()
        self.connected = ConnectedPlayers()
        self._by_name_and_address = RateLimiter[tuple[str, str]](limits.name_and_address, clock)
        self._by_name = RateLimiter[str](limits.name, clock)
        self._by_address = RateLimiter[str](limits.address, clock)
        self._registrations = RateLimiter[str](limits.registrations, clock)

    def close(self) -> None:
        self._passwords.close()

    # ---------------------------------------------------------------- tokens

    async def find_device(self, token: str) -> LoggedInDevice:
        """Return whose a device's token is. Raises TokenError."""
        found = await self._accounts.find_token(_hash_token(token))
        if found is None:
            raise TokenRevoked("this device was logged out, or the token is of another server: log in again")
        account, device = found
        now = self._clock()
        # Only once an hour, so that a client that keeps reconnecting writes nothing.
        if now - device.last_used_ms >= TOUCH_PERIOD_MS:
            await self._accounts.touch_device(device.player, device.device, now)
        return LoggedInDevice(PlayerId(account.player), account.name, device.device)

    async def require_guest(self, player: PlayerId) -> None:
        """Raise TokenError for a player with an account: a guest's token, which nobody can revoke, proves them not."""
        account = await self._accounts.find_player(player)
        if account is not None:
            state = "was deleted" if account.is_deleted else "has an account now: log in with name and password"
            raise TokenRevoked(f"this player {state}")

    # ---------------------------------------------------------------- register, log in and out

    async def register(self, player: PlayerId, address: str, request: am.Register) -> am.SignedIn:
        """Make an account for a guest."""
        name, key = _check_name(request.name)
        device_name = _check_device_name(request.device_name)
        _check_password(request.password, "$.password")
        known = await self._accounts.find_player(player)
        if known is not None:
            raise Refusal("already_registered")
        if await self._accounts.find_name(key) is not None:  # before the password costs anything
            raise Refusal("name_taken", place="$.name")
        self._admit_registration(address)
        password_hash = await self._hash(request.password)
        now = self._clock()
        account = StoredAccount(player, name, key, password_hash, now)
        token, device = _make_device(player, device_name, now)
        try:
            if not await self._accounts.register(account, device):
                raise Refusal("already_registered")
        except NameTaken:
            raise Refusal("name_taken", place="$.name") from None
        return am.SignedIn(request.id, player, token, am.Account(name, device.device))

    def _admit_registration(self, address: str) -> None:
        if address != UNKNOWN and (wait_ms := self._registrations.take(address)):
            raise Refusal("too_many_accounts", retry_after_ms=wait_ms)

    async def log_in(self, address: str, request: am.LogIn) -> am.SignedIn:
        """Give a new device a token. An unknown name is refused in the same words and time as a wrong password."""
        device_name = _check_device_name(request.device_name)
        key = name_key(request.name[: 2 * am.MAX_NAME_LENGTH])
        self._admit_attempt(key, address)
        account = await self._accounts.find_name(key)
        password_hash = None if account is None else account.password_hash
        if not await self._verify(password_hash, request.password) or account is None:
            raise Refusal("wrong_password")
        self._forget_attempt(key, address)
        current_hash = await self._rehash(account, request.password)
        now = self._clock()
        token, device = _make_device(account.player, device_name, now)
        if not await self._accounts.add_device(device, current_hash):
            raise _changed_meanwhile()
        return am.SignedIn(request.id, PlayerId(account.player), token, am.Account(account.name, device.device))

    async def _rehash(self, account: StoredAccount, password: str) -> str:
        """Store a hash with the parameters of today, if the stored one is older, and return the one that counts."""
        if not self._passwords.is_outdated(account.password_hash):
            return account.password_hash
        new_hash = await self._hash(password)
        if await self._accounts.change_password(account.player, account.password_hash, new_hash):
            return new_hash
        return account.password_hash

    async def log_out(self, user: LoggedInDevice) -> None:
        """Revoke the token of a connection. The caller closes the connections of the device."""
        _require_account(user)
        await self._accounts.remove_device(user.player, user.device)

    # ---------------------------------------------------------------- devices

    async def list_devices(self, user: LoggedInDevice, id: str) -> am.DeviceList:
        _require_account(user)
        stored = await self._accounts.list_devices(user.player)
        return am.DeviceList(id, tuple(_shown_device(device, user.device) for device in stored))

    async def revoke_device(self, user: LoggedInDevice, device: str) -> None:
        """Log an own device out. The caller closes its connections."""
        _require_account(user)
        if not await self._accounts.remove_device(user.player, device):
            raise Refusal("unknown_device", place="$.device")

    # ---------------------------------------------------------------- changes

    async def change_password(self, user: LoggedInDevice, address: str, request: am.ChangePassword) -> am.Account:
        """Change the password, and log the other devices out if that is wanted."""
        _check_password(request.new_password, "$.new_password")
        account = await self._confirm_password(user, address, request.password)
        new_hash = await self._hash(request.new_password)
        keep_only = user.device if request.revoke_others else None
        if not await self._accounts.change_password(user.player, account.password_hash, new_hash, keep_only):
            raise _changed_meanwhile()
        if request.revoke_others:
            self.connected.close_others(user.player, user.device)
        return am.Account(account.name, user.device)

    async def rename(self, user: LoggedInDevice, request: am.Rename) -> am.Account:
        """Change the name. A name that is the own one already changes nothing, so a request can be sent again."""
        _require_account(user)
        name, key = _check_name(request.name)
        account = await self._accounts.find_player(user.player)
        if account is None or account.is_deleted:
            raise Refusal("not_registered")
        if account.name == name:
            return am.Account(name, user.device)
        now = self._clock()
        if wait_ms := max(0, account.renamed_ms + RENAME_PERIOD_MS - now):
            raise Refusal("renamed_lately", place="$.name", retry_after_ms=wait_ms)
        try:
            is_renamed = await self._accounts.rename(user.player, name, key, now, not_since=now - RENAME_PERIOD_MS)
        except NameTaken:
            raise Refusal("name_taken", place="$.name") from None
        if not is_renamed:  # another device was quicker
            raise Refusal("renamed_lately", place="$.name", retry_after_ms=RENAME_PERIOD_MS)
        return am.Account(name, user.device)

    async def delete(self, user: LoggedInDevice, address: str, request: am.DeleteAccount) -> None:
        """Delete an account for good. The caller closes its connections."""
        account = await self._confirm_password(user, address, request.password)
        if not await self._accounts.delete(user.player, account.password_hash):
            raise _changed_meanwhile()

    async def _confirm_password(self, user: LoggedInDevice, address: str, password: str) -> StoredAccount:
        _require_account(user)
        account = await self._accounts.find_player(user.player)
        if account is None or account.is_deleted:
            raise Refusal("not_registered")
        self._admit_attempt(account.name_key, address)
        if not await self._verify(account.password_hash, password):
            raise Refusal("wrong_password", "this is not the password of your account", "$.password")
        self._forget_attempt(account.name_key, address)
        return account

    # ---------------------------------------------------------------- players

    async def get_players(self, id: str, players: Sequence[PlayerId]) -> am.PlayerList:
        """Return what everybody may know of some players. An id that nobody has is shown as a guest's."""
        known = await self._accounts.find_players(tuple(dict.fromkeys(players)))
        return am.PlayerList(id, tuple(self._summary(player, known.get(player)) for player in players))

    def _summary(self, player: PlayerId, account: StoredAccount | None) -> am.PlayerSummary:
        kind: am.PlayerKind
        if account is None:
            name, kind = default_name(player), "guest"
        elif account.is_deleted:
            name, kind = DELETED_NAME, "deleted"
        else:
            name, kind = account.name, "registered"
        return am.PlayerSummary(player, name, kind, avatar_seed(player), self.connected.is_online(player))

    # ---------------------------------------------------------------- attempts and hashes

    def _admit_attempt(self, key: str, address: str) -> None:
        """Count an attempt at a password before it is verified: many at once are no way round the limit."""
        wait_ms = max(
            self._by_name_and_address.wait_ms((key, address)),
            self._by_name.wait_ms(key),
            0 if address == UNKNOWN else self._by_address.wait_ms(address),
        )
        if wait_ms:
            raise Refusal("too_many_attempts", retry_after_ms=wait_ms)
        self._charge_attempt(key, address, 1)

    def _forget_attempt(self, key: str, address: str) -> None:
        """Give back what the attempt of somebody who knew the password took."""
        self._charge_attempt(key, address, -1)

    def _charge_attempt(self, key: str, address: str, cost: int) -> None:
        self._by_name_and_address.charge((key, address), cost)
        self._by_name.charge(key, cost)
        if address != UNKNOWN:
            self._by_address.charge(address, cost)

    async def _hash(self, password: str) -> str:
        try:
            return await self._passwords.hash(password)
        except TooManyHashes:
            raise _busy() from None

    async def _verify(self, password_hash: str | None, password: str) -> bool:
        try:
            return await self._passwords.verify(password_hash, password)
        except TooManyHashes:
            raise _busy() from None


def _busy() -> Refusal:
    text = "too many passwords are being checked; try again in a moment"
    return Refusal("busy", text, retry_after_ms=BUSY_RETRY_AFTER_MS)


def _changed_meanwhile() -> Refusal:
    """Another device has changed the account since its password was verified: it has to be verified again."""
    return Refusal("retry", "the account was changed just now; try again", retry_after_ms=RETRY_AFTER_MS)


def _check_password(password: str, place: str) -> None:
    try:
        normalize_password(password)
    except BadPassword as fault:
        raise Refusal("bad_password", str(fault), place) from None


def _require_account(user: LoggedInDevice) -> None:
    if not user.device:
        raise Refusal("not_registered")


def _check_name(typed: str) -> tuple[str, str]:
    """Return a name as it is shown, and its key. Raises Refusal."""
    try:
        name = check_name(typed)
    except BadName as fault:
        raise Refusal("bad_name", str(fault), "$.name") from None
    return name, name_key(name)


def _check_device_name(typed: str | None) -> str:
    """Return what a player calls a device. Raises Refusal."""
    name = typed or ""
    if len(name) > am.MAX_DEVICE_NAME_LENGTH or not name.isprintable():
        problem = f"a device name has at most {am.MAX_DEVICE_NAME_LENGTH} characters that can be printed"
        raise Refusal("bad_name", problem, "$.device_name")
    return name


def _make_device(player: str, name: str, now: int) -> tuple[str, StoredDevice]:
    """Return a new token and the device that it stands for."""
    token = DEVICE_TOKEN_PREFIX + secrets.token_urlsafe(_TOKEN_BYTES)
    device = opaque_id(secrets.token_bytes(_DEVICE_ID_BYTES))
    return token, StoredDevice(player, device, _hash_token(token), now, now, name)


def _hash_token(token: str) -> bytes:
    """Return what is stored of a token: 256 random bits need no salt and no slow hash."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def _shown_device(device: StoredDevice, current: str) -> am.Device:
    return am.Device(
        device.device, device.created_ms, device.last_used_ms, device.name or None, device.device == current
    )
