"""Tokens for the HTTP interface, made by their players. They are devices, and end as those do."""

from collections.abc import Callable

from diskwars_protocol.messages.accounts import ApiTokenMade, MakeApiToken
from diskwars_server.players.devices import check_device_name, make_api_device
from diskwars_server.players.handlers import Handler, Handlers
from diskwars_server.players.users import User
from diskwars_server.refusals import RETRY_AFTER_MS, Refusal
from diskwars_server.store.accounts import Accounts


class ApiTokens:
    """Requests about tokens. Every method may raise Refusal and StoreUnavailable."""

    def __init__(self, accounts: Accounts, clock: Callable[[], int]) -> None:
        self._accounts, self._clock = accounts, clock

    def handlers(self) -> Handlers[User]:
        return (Handler(MakeApiToken, self._make),)

    async def _make(self, user: User, request: MakeApiToken) -> ApiTokenMade:
        """Make a token of the own account."""
        if not user.has_account:
            raise Refusal("not_registered")
        account = await self._accounts.find_player(user.player)
        if account is None or account.is_deleted:
            raise Refusal("not_registered")
        name = check_device_name(request.device_name)
        scopes = tuple(dict.fromkeys(request.scopes))
        token, device = make_api_device(user.player, name, scopes, self._clock())
        if not await self._accounts.add_device(device, account.password_hash):
            text = "the account was changed just now; try again"
            raise Refusal("retry", text, retry_after_ms=RETRY_AFTER_MS)
        return ApiTokenMade(request.id, token, device.device)
