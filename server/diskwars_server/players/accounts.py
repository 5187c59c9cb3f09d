"""Accounts as players use them: register, log in and out, devices, password, name, and who somebody is.

Texts of names and passwords come from clients and are checked here. No text of an error quotes a password or a token.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime

from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.messages.accounts import (
    MAX_NAME_LENGTH,
    Account,
    AccountChanged,
    ChangePassword,
    DeleteAccount,
    Device,
    DeviceList,
    GetPlayers,
    ListDevices,
    LogIn,
    LogOut,
    PlayerList,
    PlayerSummary,
    Register,
    Rename,
    RevokeDevice,
    SignedIn,
)
from diskwars_server.limits.addresses import UNKNOWN
from diskwars_server.limits.rate_limits import MS_PER_DAY, MS_PER_HOUR, RateLimit, RateLimiter
from diskwars_server.players.api_tokens import ApiTokens
from diskwars_server.players.attempts import DEFAULT_ATTEMPT_LIMITS, AttemptLimiter, AttemptLimits
from diskwars_server.players.connected import REVOKED_TEXT, ConnectedPlayers
from diskwars_server.players.devices import check_device_name, check_password, hash_token, make_device
from diskwars_server.players.followed import FollowedLists
from diskwars_server.players.guest_names import GuestNames, ShownPlayer, find_shown
from diskwars_server.players.handlers import Handler, Handlers
from diskwars_server.players.lookups import SharedLookup
from diskwars_server.players.name_search import find_by_name
from diskwars_server.players.names import avatar_seed, check_name_or_refuse, name_key
from diskwars_server.players.passwords import Passwords
from diskwars_server.players.recovery import AccountRecovery, make_codes
from diskwars_server.players.shown_presence import ShownPresence
from diskwars_server.players.tokens import PlayerBanned, TokenExpired, TokenRevoked
from diskwars_server.players.users import LoggedInDevice, User
from diskwars_server.refusals import RETRY_AFTER_MS, Refusal
from diskwars_server.store.accounts import Accounts, StoredAccount, StoredDevice
from diskwars_server.store.errors import NameTaken
from diskwars_server.store.match_index import MatchIndex
from diskwars_server.store.operator_acts import OperatorAct, OperatorActs

RENAME_PERIOD_MS = MS_PER_DAY
TOUCH_PERIOD_MS = MS_PER_HOUR


REGISTRATIONS_PER_ADDRESS = RateLimit(20, MS_PER_HOUR)


class AccountService:
    """Accounts of one server. Every method may raise Refusal and StoreUnavailable."""

    def __init__(
        self,
        accounts: Accounts,
        clock: Callable[[], int],
        monotonic: Callable[[], int],
        passwords: Passwords | None = None,
        limits: AttemptLimits = DEFAULT_ATTEMPT_LIMITS,
        acts: OperatorActs | None = None,
        connected: ConnectedPlayers | None = None,
        is_online: Callable[[PlayerId], bool] | None = None,
        device_lifetime_ms: int = 0,
        matches: MatchIndex | None = None,
    ) -> None:
        """`clock` and `monotonic` give milliseconds; spans of limits are measured with the latter.

        `acts` say who is banned; if they are None, no player is banned.

        `is_online` says who is connected to any node; if it is None, who is connected to this one. `matches` say who
        plays with whom, and so sees them there; if they are None, nobody does.
        `device_lifetime_ms` is for how long a device stays logged in without being used; 0 means for ever.
        """
        self._device_lifetime_ms = device_lifetime_ms
        self._accounts, self._clock, self._acts = accounts, clock, acts
        self._arriving, self._bans = SharedLookup(self._find_accounts), SharedLookup(self._find_bans)
        self._attempts = AttemptLimiter(passwords or Passwords(), limits, monotonic)
        self.connected = connected or ConnectedPlayers()
        self.is_online = is_online or self.connected.is_online
        self._presence = ShownPresence(accounts, matches, self.is_online)
        self._recovery = AccountRecovery(accounts, self._attempts, self.connected, clock)
        self._api_tokens = ApiTokens(accounts, clock)
        self._guest_names = GuestNames(accounts, clock, monotonic)
        self._followed = FollowedLists(accounts, self._presence, clock)
        self._registrations = RateLimiter[str](REGISTRATIONS_PER_ADDRESS, monotonic)

    def handlers(self) -> Handlers[User]:
        return (
            Handler(Register, self._answer_register),  # names that are taken are looked up
            Handler(LogIn, self.log_in, counts_query=False),
            Handler(LogOut, self._log_out, counts_query=False),
            Handler(ListDevices, self._list_devices),
            Handler(RevokeDevice, self._revoke_device),
            Handler(ChangePassword, self._change_password, counts_query=False),
            Handler(Rename, self._rename),
            Handler(DeleteAccount, self._delete, counts_query=False),
            Handler(GetPlayers, self._get_players, history="lenient", waits_turn=True),
            *self._guest_names.handlers(),
            *self._recovery.handlers(),
            *self._api_tokens.handlers(),
            *self._followed.handlers(),
        )

    def close(self) -> None:
        self._attempts.passwords.close()

    # ---------------------------------------------------------------- connections

    def connect(self, user: User) -> None:
        """Know a connection, or the device of one that is known, and charge what it writes to its player."""
        self.connected.add(user.player, user.device.device, user.outbox)
        if user.has_account:
            user.usage.writer = user.player
        user.quotas.bytes.record_payers(user.player, user.usage.writer, user.address)

    def leave(self, user: User) -> None:
        """Forget a connection that has ended."""
        self.connected.remove(user.player, user.outbox)

    # ---------------------------------------------------------------- tokens

    async def find_device(self, token: str, address: str = UNKNOWN) -> LoggedInDevice:
        """Return whose a device's token is, and know the address as theirs. Raises TokenError."""
        device, scopes = await self._find_token(token, address)
        if scopes:
            raise TokenRevoked("this token is for the HTTP interface: log in with name and password")
        return device

    async def find_api_device(self, token: str, address: str) -> tuple[LoggedInDevice, tuple[str, ...]]:
        """Return whose a token for the HTTP interface is, and its scopes. Raises TokenError."""
        device, scopes = await self._find_token(token, address)
        if not scopes:
            raise TokenRevoked("this is no token for the HTTP interface")
        return device, scopes

    async def _find_token(self, token: str, address: str) -> tuple[LoggedInDevice, tuple[str, ...]]:
        stored = await self._accounts.find_token(hash_token(token))
        if stored is None:
            raise TokenRevoked("this device was logged out, or the token is of another server: log in again")
        account, device = stored
        now = self._clock()
        if self._device_lifetime_ms and now - device.last_used_ms >= self._device_lifetime_ms:
            # It stays in the list of devices, so that the next hello is refused for the same reason.
            days = self._device_lifetime_ms // MS_PER_DAY
            raise TokenExpired(f"this device was not used for {days} days: log in with name and password")
        await self.require_welcome(PlayerId(account.player))
        # Strangers who guess the password meanwhile do not keep the next device at this address out.
        self._attempts.record_known(account.name_key, address)
        # Only once an hour, so that a client that keeps reconnecting writes nothing.
        if now - device.last_used_ms >= TOUCH_PERIOD_MS:
            await self._accounts.touch_device(device.player, device.device, now)
        user = LoggedInDevice(PlayerId(account.player), account.name, device.device, account.is_bot)
        return user, device.scopes

    async def require_guest(self, player: PlayerId) -> None:
        """Raise TokenError for a player with an account: a guest's token cannot be revoked, and does not prove them."""
        account = await self._arriving.find(player)
        if account is not None:
            state = "was deleted" if account.is_deleted else "has an account now: log in with name and password"
            raise TokenRevoked(f"this player {state}")
        await self.require_welcome(player)

    async def require_logged_in(self, user: LoggedInDevice) -> None:
        """Raise TokenError if the device was logged out, or the player banned, since this user was welcomed."""
        if not user.device:
            return await self.require_guest(user.player)
        if all(stored.device != user.device for stored in await self._accounts.list_devices(user.player)):
            raise TokenRevoked(REVOKED_TEXT)
        await self.require_welcome(user.player)

    async def _find_accounts(self, players: Sequence[str]) -> dict[str, StoredAccount]:
        return await self._accounts.find_players(players)

    async def _find_bans(self, players: Sequence[str]) -> dict[str, OperatorAct]:
        return {} if self._acts is None else await self._acts.find_bans(players, self._clock())

    async def require_welcome(self, player: PlayerId) -> None:
        """Raise PlayerBanned for a player whom an operator keeps out."""
        ban = await self._bans.find(player)
        if ban is not None:
            raise PlayerBanned(ban_text(ban))

    # ---------------------------------------------------------------- register, log in and out

    async def _answer_register(self, user: User, request: Register) -> None:
        signed_in = await self._register(user.player, user.address, request)
        user.device = LoggedInDevice(user.player, signed_in.account.name, signed_in.account.device)
        user.outbox.send(signed_in)
        if not user.outbox.is_closed:
            self.connect(user)
        # Other connections of this player proved it by the former token, which ended here.
        self.connected.close_others(user.player, user.device.device)

    async def _register(self, player: PlayerId, address: str, request: Register) -> SignedIn:
        """Make an account for a guest."""
        name, key = check_name_or_refuse(request.name)
        device_name = check_device_name(request.device_name)
        check_password(request.password, "$.password")
        known = await self._accounts.find_player(player)
        if known is not None:
            raise Refusal("already_registered")
        if await self._is_name_taken(key):  # before the password costs anything
            raise Refusal("name_taken", place="$.name")
        with self._count_registration(address):
            password_hash = await self._attempts.hash(address, request.password)
            now = self._clock()
            account = StoredAccount(player, name, key, password_hash, now)
            token, device = make_device(player, device_name, now)
            codes, stored_codes = make_codes()
            try:
                if not await self._accounts.register(account, device, stored_codes):
                    raise Refusal("already_registered")
            except NameTaken:
                raise Refusal("name_taken", place="$.name") from None
        self._attempts.record_known(key, address)
        return SignedIn(request.id, player, token, Account(name, device.device), codes)

    async def _is_name_taken(self, key: str) -> bool:
        """Return whether an account has this name, or had it so lately that it is reserved."""
        if await self._accounts.find_name(key) is not None:
            return True
        return await self._accounts.find_former_name(key, self._clock()) is not None

    @contextlib.contextmanager
    def _count_registration(self, address: str) -> Iterator[None]:
        """Count a registration of an address before it is made; one that is refused is given back. Raises Refusal."""
        if address != UNKNOWN and (wait_ms := self._registrations.take(address)):
            raise Refusal("too_many_accounts", retry_after_ms=wait_ms)
        try:
            yield
        except Refusal:  # too many wait, or another was quicker
            self._registrations.charge(address, -1)
            raise

    async def log_in(self, user: User, request: LogIn) -> SignedIn:
        """Give a new device a token. An unknown name is refused in the same words and time as a wrong password."""
        address = user.address
        device_name = check_device_name(request.device_name)
        typed = request.name[: 2 * MAX_NAME_LENGTH]
        with self._attempts.admit(name_key(typed), address) as attempt:
            account = await find_by_name(self._accounts, typed)
            password_hash = None if account is None else account.password_hash
            if not await self._attempts.verify(address, password_hash, request.password) or account is None:
                raise Refusal("wrong_password")
            attempt.is_right = True
        current_hash = await self._rehash(address, account, request.password)
        now = self._clock()
        token, device = make_device(account.player, device_name, now)
        if not await self._accounts.add_device(device, current_hash):
            raise _changed_meanwhile()
        shown = Account(account.name, device.device, account.is_bot)
        return SignedIn(request.id, PlayerId(account.player), token, shown)

    async def _rehash(self, address: str, account: StoredAccount, password: str) -> str:
        """Store a hash with the parameters of today, if the stored one is older, and return the one that counts."""
        if not self._attempts.passwords.is_outdated(account.password_hash):
            return account.password_hash
        new_hash = await self._attempts.hash(address, password)
        if await self._accounts.change_password(account.player, account.password_hash, new_hash):
            return new_hash
        return account.password_hash

    async def _log_out(self, user: User, request: LogOut) -> None:
        """Revoke the token of a connection, and close the connections of the device."""
        device = user.device
        _require_account(device)
        await self._accounts.remove_device(device.player, device.device)
        user.outbox.send(AccountChanged(request.id))
        self.connected.close_device(device.player, device.device)

    # ---------------------------------------------------------------- devices

    async def _list_devices(self, user: User, request: ListDevices | RevokeDevice) -> DeviceList:
        _require_account(user.device)
        stored = await self._accounts.list_devices(user.player)
        return DeviceList(request.id, tuple(_shown_device(device, user.device.device) for device in stored))

    async def _revoke_device(self, user: User, request: RevokeDevice) -> None:
        """Log an own device out, and close its connections."""
        _require_account(user.device)
        if not await self._accounts.remove_device(user.player, request.device):
            raise Refusal("unknown_device", place="$.device")
        try:
            user.outbox.send(await self._list_devices(user, request))
        finally:  # after the answer, as the device may be this one
            self.connected.close_device(user.player, request.device)

    # ---------------------------------------------------------------- changes

    async def _change_password(self, user: User, request: ChangePassword) -> AccountChanged:
        """Change the password, and log the other devices out if that is wanted: then recovery codes are new too."""
        device = user.device
        check_password(request.new_password, "$.new_password")
        account = await self.confirm_password(user, request.password)
        new_hash = await self._attempts.hash(user.address, request.new_password)
        keep_only = device.device if request.revoke_others else None
        codes, stored = make_codes() if request.revoke_others else ((), ())
        old_hash = account.password_hash
        if not await self._accounts.change_password(device.player, old_hash, new_hash, keep_only, stored):
            raise _changed_meanwhile()
        if request.revoke_others:
            self.connected.close_others(device.player, device.device)
        return AccountChanged(request.id, Account(account.name, device.device, account.is_bot), codes or None)

    async def _rename(self, user: User, request: Rename) -> AccountChanged:
        """Change the name. A name that is the own one already changes nothing, so a request can be sent again."""
        _require_account(user.device)
        name, key = check_name_or_refuse(request.name)
        account = await self._accounts.find_player(user.player)
        if account is None or account.is_deleted:
            raise Refusal("not_registered")
        changed = AccountChanged(request.id, Account(name, user.device.device, account.is_bot))
        if account.name == name:
            return changed
        now = self._clock()
        if wait_ms := max(0, account.renamed_ms + RENAME_PERIOD_MS - now):
            raise Refusal("renamed_lately", place="$.name", retry_after_ms=wait_ms)
        try:
            is_renamed = await self._accounts.rename(user.player, name, key, now, not_since=now - RENAME_PERIOD_MS)
        except NameTaken:
            raise Refusal("name_taken", place="$.name") from None
        if not is_renamed:  # another device was quicker
            raise Refusal("renamed_lately", place="$.name", retry_after_ms=RENAME_PERIOD_MS)
        return changed

    async def _delete(self, user: User, request: DeleteAccount) -> None:
        """Delete an account for good, and close its connections."""
        account = await self.confirm_password(user, request.password)
        if not await self._accounts.delete(user.player, account.password_hash):
            raise _changed_meanwhile()
        user.outbox.send(AccountChanged(request.id))
        self.connected.close_others(user.player)

    async def confirm_password(self, user: User, password: str) -> StoredAccount:
        """Return the account of a player who proves it by its password. Raises Refusal and StoreUnavailable."""
        device, address = user.device, user.address
        _require_account(device)
        account = await self._accounts.find_player(device.player)
        if account is None or account.is_deleted:
            raise Refusal("not_registered")
        with self._attempts.admit(account.name_key, address, device.device) as attempt:
            if not await self._attempts.verify(address, account.password_hash, password):
                raise Refusal("wrong_password", "this is not the password of your account", "$.password")
            attempt.is_right = True
        return account

    # ---------------------------------------------------------------- players

    async def _get_players(self, user: User, request: GetPlayers) -> PlayerList:
        """Return who some players are, and whether those are connected of whom the user may know it.

        An unknown id is shown as a guest's.
        """
        shown = await find_shown(self._accounts, request.players, self._clock())
        online = await self._presence.find(user.player, request.players, has_account=user.has_account)
        summaries = (_summary(player, shown[player], online.get(player)) for player in request.players)
        return PlayerList(request.id, tuple(summaries))


def _summary(player: PlayerId, shown: ShownPlayer, is_online: bool | None) -> PlayerSummary:
    seed = avatar_seed(player)
    return PlayerSummary(player, shown.name, shown.kind, seed, is_online is True, is_online is None, shown.is_bot)


def ban_text(ban: OperatorAct) -> str:
    """Return the sentence that a banned player receives."""
    if ban.until_ms is None:
        return f"you are banned from this server: {ban.reason}"
    until = datetime.fromtimestamp(ban.until_ms / 1000, UTC)
    return f"you are banned from this server until {until:%Y-%m-%d %H:%M} UTC: {ban.reason}"


def _changed_meanwhile() -> Refusal:
    """Another device has changed the account since its password was verified: it has to be verified again."""
    return Refusal("retry", "the account was changed just now; try again", retry_after_ms=RETRY_AFTER_MS)


def _require_account(device: LoggedInDevice) -> None:
    if not device.device:
        raise Refusal("not_registered")


def _shown_device(device: StoredDevice, current: str) -> Device:
    return Device(
        device.device,
        device.created_ms,
        device.last_used_ms,
        device.name or None,
        device.device == current,
        device.scopes,
    )
