"""Recovery of accounts whose password is lost: by a code that its player has kept, or by a link of an operator.

A code is random enough that its plain hash tells nothing. Attempts are limited as log-ins are, at the same name.
"""

import secrets
from collections.abc import Callable

from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.messages.accounts import (
    MAX_NAME_LENGTH,
    Account,
    MakeRecoveryCodes,
    RecoverAccount,
    RecoveryCodes,
    SignedIn,
)
from diskwars_server.limits.rate_limits import MS_PER_HOUR
from diskwars_server.players.attempts import AttemptLimiter
from diskwars_server.players.connected import ConnectedPlayers
from diskwars_server.players.devices import check_device_name, check_password, hash_token, make_device
from diskwars_server.players.handlers import Handler, Handlers
from diskwars_server.players.name_search import find_by_name
from diskwars_server.players.names import name_key
from diskwars_server.players.users import User
from diskwars_server.refusals import RETRY_AFTER_MS, Refusal
from diskwars_server.store.accounts import Accounts, RecoverySecret

CODES = 10
LINK_LIFETIME_MS = MS_PER_HOUR
_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
"""32 letters and digits that cannot be mistaken for one another: five bits each."""
_CODE_LENGTH, _GROUP_LENGTH = 16, 4
_MAX_TYPED_LENGTH = 64


class AccountRecovery:
    """Requests about recovery. Every method may raise Refusal and StoreUnavailable."""

    def __init__(
        self,
        accounts: Accounts,
        attempts: AttemptLimiter,
        connected: ConnectedPlayers,
        clock: Callable[[], int],
    ) -> None:
        """`attempts` are those of log-ins, so that a code is no second way to guess."""
        self._accounts, self._attempts, self._connected, self._clock = accounts, attempts, connected, clock

    def handlers(self) -> Handlers[User]:
        return (
            Handler(MakeRecoveryCodes, self._make_codes, counts_query=False),
            Handler(RecoverAccount, self._recover, counts_query=False),
        )

    async def _make_codes(self, user: User, request: MakeRecoveryCodes) -> RecoveryCodes:
        """Replace the codes of the own account."""
        if not user.has_account:
            raise Refusal("not_registered")
        account = await self._accounts.find_player(user.player)
        if account is None or account.is_deleted:
            raise Refusal("not_registered")
        with self._attempts.admit(account.name_key, user.address, user.device.device) as attempt:
            if not await self._attempts.verify(user.address, account.password_hash, request.password):
                raise Refusal("wrong_password", "this is not the password of your account", "$.password")
            attempt.is_right = True
        codes, stored = make_codes()
        if not await self._accounts.replace_recovery_codes(user.player, account.password_hash, stored):
            text = "the account was changed just now; try again"
            raise Refusal("retry", text, retry_after_ms=RETRY_AFTER_MS)
        return RecoveryCodes(request.id, codes)

    async def _recover(self, user: User, request: RecoverAccount) -> None:
        """Set a new password. An unknown name is refused in the same words as a wrong code."""
        device_name = check_device_name(request.device_name)
        check_password(request.new_password, "$.new_password")
        typed = request.name[: 2 * MAX_NAME_LENGTH]
        secret_hash = hash_code(request.code)
        with self._attempts.admit(name_key(typed), user.address) as attempt:
            account = await find_by_name(self._accounts, typed)
            now = self._clock()
            if account is None or not await self._accounts.has_recovery(account.player, secret_hash, now):
                raise Refusal("wrong_recovery_code", place="$.code")
            attempt.is_right = True
        password_hash = await self._attempts.hash(user.address, request.new_password)
        token, device = make_device(account.player, device_name, now)
        codes, stored = make_codes()
        if not await self._accounts.recover(device, secret_hash, password_hash, now, stored):
            raise Refusal("wrong_recovery_code", place="$.code")  # another attempt with the same code was quicker
        player = PlayerId(account.player)
        user.outbox.send(
            SignedIn(request.id, player, token, Account(account.name, device.device, account.is_bot), codes)
        )
        self._connected.close_others(player)  # after the answer, as this connection may be among them


def make_codes() -> tuple[tuple[str, ...], tuple[RecoverySecret, ...]]:
    """Return new recovery codes, and what is stored of them."""
    codes = tuple(make_code() for _ in range(CODES))
    return codes, tuple(RecoverySecret(hash_code(code)) for code in codes)


def make_link(now: int) -> tuple[str, RecoverySecret]:
    """Return a code that ends after an hour, and what is stored of it."""
    code = make_code()
    return code, RecoverySecret(hash_code(code), now + LINK_LIFETIME_MS)


def make_code() -> str:
    """Return a code of 80 random bits, in groups."""
    letters = "".join(secrets.choice(_ALPHABET) for _ in range(_CODE_LENGTH))
    return "-".join(letters[first : first + _GROUP_LENGTH] for first in range(0, _CODE_LENGTH, _GROUP_LENGTH))


def hash_code(typed: str) -> bytes:
    """Return what is stored of a code, however it was typed: hyphens, spaces and capitals count for nothing."""
    return hash_token("".join(letter for letter in typed[:_MAX_TYPED_LENGTH].lower() if letter.isalnum()))
