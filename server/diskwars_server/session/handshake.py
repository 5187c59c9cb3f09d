"""Answers to hello: who a token stands for, and the welcome."""

from diskwars_protocol.messages.handshake import PROTOCOL_VERSION, Hello, Welcome
from diskwars_server.matches.rules_on_offer import RulesOnOffer
from diskwars_server.matches.services import Clock
from diskwars_server.players.accounts import AccountService
from diskwars_server.players.devices import DEVICE_TOKEN_PREFIX
from diskwars_server.players.tokens import TokenIssuer
from diskwars_server.players.users import LoggedInDevice, User


class Handshake:
    """Identifies and welcomes the users of a server. `server_name` is what it calls itself in `Welcome`."""

    def __init__(
        self,
        accounts: AccountService,
        tokens: TokenIssuer,
        rules: RulesOnOffer,
        clock: Clock,
        server_name: str | None = None,
    ) -> None:
        self.accounts = accounts
        self._tokens, self._rules, self._clock, self._server_name = tokens, rules, clock, server_name

    async def identify(self, token: str, address: str) -> LoggedInDevice:
        """Return whose token this is, a new guest without one. Raises TokenError and StoreUnavailable."""
        if not token:
            return LoggedInDevice(self._tokens.make_guest())
        if token.startswith(DEVICE_TOKEN_PREFIX):
            return await self.accounts.find_device(token, address)
        player = self._tokens.verify(token)
        await self.accounts.require_guest(player)
        return LoggedInDevice(player)

    def make_welcome(self, user: User, hello: Hello) -> Welcome:
        return Welcome(
            version=PROTOCOL_VERSION,
            player=user.player,
            # A device keeps its token, which is stored; that of a guest says when it was made.
            token=hello.token if hello.token and user.has_account else self._tokens.issue(user.player),
            server_time_ms=self._clock(),
            rulesets=self._rules.summaries,
            limits=user.outbox.connection.limits,
            server=self._server_name,
            account=user.device.account,
        )
