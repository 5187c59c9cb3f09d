"""Logins of programs without a browser (RFC 8628): a program shows a code, and its player confirms it on the page.

Neither code is stored, only their hashes; that of the short code is made with the key of the server.
A token is derived from the long code when the program fetches it, and is stored nowhere.
"""

import hashlib
import re
import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import Literal

from msgspec import Struct

from diskwars_protocol.messages.accounts import (
    API_SCOPES,
    USER_CODE_LENGTH,
    USER_CODE_LETTERS,
    AnswerDeviceLogin,
    ApiScope,
    DeviceLoginView,
    GetDeviceLogin,
)
from diskwars_server.limits.rate_limits import MS_PER_HOUR, MS_PER_MINUTE, RateLimit, RateLimiter
from diskwars_server.players.devices import check_device_name, derived_token, hash_token, make_derived_device
from diskwars_server.players.handlers import Handler, Handlers
from diskwars_server.players.tokens import TokenIssuer
from diskwars_server.players.users import User
from diskwars_server.refusals import RETRY_AFTER_MS, Refusal
from diskwars_server.store.accounts import Accounts
from diskwars_server.store.device_logins import DeviceLogins, StoredDeviceLogin

LIFETIME_MS = 10 * MS_PER_MINUTE
INTERVAL_MS = 5_000
MAX_WAITING_LOGINS = 10_000
"""Of all addresses. One more takes the place of the oldest that nobody has answered: strangers at many addresses keep
nobody out. The newest code goes last: to push it out within a minute they need about as many codes as this in it."""
CODES_PER_ADDRESS = RateLimit(20, MS_PER_HOUR)
TRIES_PER_PLAYER = RateLimit(10, 10 * MS_PER_MINUTE)
"""Codes that a player types. Of the 20^8 codes 10,000 are right at most: a guess is one in 2.5 million."""
TRIES_PER_ADDRESS = RateLimit(30, 10 * MS_PER_MINUTE)
_CODE_BYTES = 32
_DEVICE_CODE = re.compile("[A-Za-z0-9_-]{43}")


class StartedLogin(Struct, frozen=True):
    """The codes of a program that waits: one that it keeps, and one that it shows."""

    device_code: str
    user_code: str


class NoTokenYet(Exception):
    """A program gets no token, by a code of RFC 8628; with `retry_after_ms` it may ask again then."""

    def __init__(
        self,
        code: Literal["authorization_pending", "slow_down", "access_denied", "expired_token"],
        text: str,
        retry_after_ms: int | None = None,
    ) -> None:
        super().__init__(text)
        self.code, self.retry_after_ms = code, retry_after_ms


class FetchedToken(Struct, frozen=True):
    """The token that a player has let a program have."""

    token: str
    scopes: tuple[ApiScope, ...]


class DeviceLoginService:
    """Starts, answers and ends logins. Every method may raise Refusal and StoreUnavailable."""

    def __init__(
        self,
        logins: DeviceLogins,
        accounts: Accounts,
        tokens: TokenIssuer,
        clock: Callable[[], int],
        monotonic: Callable[[], int],
        confirm_password: Callable[[User, str], Awaitable[object]],
    ) -> None:
        """`confirm_password` raises Refusal where the password is not that of the player."""
        self._confirm_password = confirm_password
        self._logins, self._accounts, self._tokens, self._clock = logins, accounts, tokens, clock
        self._codes = RateLimiter[str](CODES_PER_ADDRESS, monotonic)
        self._tries = RateLimiter[str](TRIES_PER_PLAYER, monotonic)
        self._address_tries = RateLimiter[str](TRIES_PER_ADDRESS, monotonic)

    def handlers(self) -> Handlers[User]:
        return (Handler(GetDeviceLogin, self._get), Handler(AnswerDeviceLogin, self._answer))

    async def start(self, address: str, name: str, scopes: Sequence[ApiScope]) -> StartedLogin:
        """Let a program wait for its player."""
        name = check_device_name(name)
        if wait_ms := self._codes.take(address):
            raise Refusal("too_many_attempts", retry_after_ms=wait_ms)
        now = self._clock()
        device_code = secrets.token_urlsafe(_CODE_BYTES)
        letters = "".join(secrets.choice(USER_CODE_LETTERS) for _ in range(USER_CODE_LENGTH))
        login = StoredDeviceLogin(
            _hash(device_code),
            self._tokens.hash_user_code(letters),
            name,
            tuple(dict.fromkeys(scopes)),
            now + LIFETIME_MS,
            INTERVAL_MS,
        )
        if not await self._logins.add(login, MAX_WAITING_LOGINS, now):
            raise Refusal("busy", "too many programs wait to be logged in", retry_after_ms=INTERVAL_MS)
        return StartedLogin(device_code, f"{letters[:4]}-{letters[4:]}")

    async def fetch(self, device_code: str) -> FetchedToken:
        """Return the token of a login that was approved, for ten minutes the same. Raises NoTokenYet."""
        now, device_hash = self._clock(), _hash(device_code)
        polled = await self._logins.poll(device_hash, now) if _DEVICE_CODE.fullmatch(device_code) else None
        if polled is None or polled.login.expires_ms <= now:
            # An answer may be lost on its way, and then the program asks again.
            if _DEVICE_CODE.fullmatch(device_code) and (fetched := await self._find_fetched(device_code, now)):
                return fetched
            raise NoTokenYet("expired_token", "the code is unknown, used up or too old: ask for a new one")
        if polled.is_early:
            text = f"ask again after {polled.login.interval_ms // 1000} s at the earliest"
            raise NoTokenYet("slow_down", text, polled.login.interval_ms)
        if polled.login.status == "waiting":
            raise NoTokenYet("authorization_pending", "the player has not answered yet", polled.login.interval_ms)
        if polled.login.status == "denied":
            await self._logins.remove(device_hash)
            raise NoTokenYet("access_denied", "the player has refused")
        return await self._make_token(polled.login, device_code, now)

    async def _make_token(self, login: StoredDeviceLogin, device_code: str, now: int) -> FetchedToken:
        secret = self._tokens.derive_device_secret(device_code)
        token, device = make_derived_device(secret, login.player, login.name, login.scopes, now)
        if await self._logins.redeem(login.device_hash, device):
            return FetchedToken(token, login.scopes)
        # Another request was quicker, and both get the same token; or the account was changed meanwhile.
        if fetched := await self._find_fetched(device_code, now):
            return fetched
        raise NoTokenYet("expired_token", "the account was changed meanwhile")

    async def _find_fetched(self, device_code: str, now: int) -> FetchedToken | None:
        """Return the token that was fetched lately with this code, unless its device is logged out."""
        secret = self._tokens.derive_device_secret(device_code)
        for is_api in (True, False):
            token = derived_token(secret, is_api=is_api)
            found = await self._accounts.find_token(hash_token(token))
            if found is not None and now < found[1].created_ms + LIFETIME_MS:
                return FetchedToken(token, tuple(scope for scope in API_SCOPES if scope in found[1].scopes))
        return None

    async def _get(self, user: User, request: GetDeviceLogin) -> DeviceLoginView:
        login = await self._logins.find(self._admit(user, request.user_code), self._clock())
        if login is None:
            raise Refusal("unknown_user_code", place="$.user_code")
        return _view(request.id, login)

    async def _answer(self, user: User, request: AnswerDeviceLogin) -> DeviceLoginView:
        account = await self._accounts.find_player(user.player)
        if account is None or account.is_deleted:
            raise Refusal("not_registered")
        user_hash = self._admit(user, request.user_code)
        if request.approved:
            await self._check_full_login(user, user_hash, request.password)
        login = await self._logins.answer(user_hash, user.player, user.device.device, request.approved, self._clock())
        if login is None:
            # Sent again, after the answer was lost, it is the same answer.
            known = await self._logins.find(user_hash, self._clock())
            if known is None or known.player != user.player:
                raise Refusal("unknown_user_code", place="$.user_code")
            login = known
        return _view(request.id, login)

    async def _check_full_login(self, user: User, user_hash: bytes, password: str | None) -> None:
        """Require the password for a program that may do all: a link with a code of somebody else is soon followed."""
        login = await self._logins.find(user_hash, self._clock())
        if login is None or login.scopes or login.status != "waiting":
            return
        if password is None:
            text = "this program would be logged in like you: give the password of your account"
            raise Refusal("wrong_password", text, "$.password")
        await self._confirm_password(user, password)

    def _admit(self, user: User, typed: str) -> bytes:
        """Count a code that a player has typed, and return its hash."""
        if not user.has_account:
            raise Refusal("not_registered")
        if wait_ms := max(self._tries.wait_ms(user.player), self._address_tries.wait_ms(user.address)):
            raise Refusal("too_many_attempts", retry_after_ms=max(wait_ms, RETRY_AFTER_MS))
        self._tries.charge(user.player, 1)
        self._address_tries.charge(user.address, 1)
        return self._tokens.hash_user_code("".join(letter for letter in typed.upper() if letter.isalnum()))


def _hash(code: str) -> bytes:
    # 256 unforeseeable bits need no key.
    return hashlib.sha256(code.encode("utf-8", "surrogatepass")).digest()


def _view(id: str, login: StoredDeviceLogin) -> DeviceLoginView:
    return DeviceLoginView(id, login.status, login.expires_ms, login.name or None, login.scopes)
