"""Names that guests call themselves, and what everybody sees of players with and without an account."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from diskwars_protocol.match.bot_identity import bot_name
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.messages.accounts import AccountChanged, NameGuest, PlayerKind
from diskwars_server.limits.addresses import UNKNOWN
from diskwars_server.limits.rate_limits import MS_PER_HOUR, RateLimit, RateLimiter
from diskwars_server.players.handlers import Handler, Handlers
from diskwars_server.players.names import DELETED_NAME, check_name_or_refuse, default_name, shown_name
from diskwars_server.players.users import User
from diskwars_server.refusals import Refusal
from diskwars_server.store.accounts import Accounts, StoredAccount
from diskwars_server.store.errors import NameTaken

NAMES_PER_ADDRESS = RateLimit(25, MS_PER_HOUR)


class GuestNames:
    """Requests of guests for a name."""

    def __init__(self, accounts: Accounts, clock: Callable[[], int], monotonic: Callable[[], int]) -> None:
        self._accounts, self._clock = accounts, clock
        self._named = RateLimiter[str](NAMES_PER_ADDRESS, monotonic)

    def handlers(self) -> Handlers[User]:
        return (Handler(NameGuest, self._name),)

    async def _name(self, user: User, request: NameGuest) -> AccountChanged:
        """Store the name of a guest. Raises Refusal and StoreUnavailable."""
        if user.has_account:
            raise Refusal("already_registered")
        name, key = check_name_or_refuse(request.name)
        if wait_ms := self._named.take(user.player if user.address == UNKNOWN else user.address):
            text = "too many guests of your address have changed their names"
            raise Refusal("renamed_lately", text, "$.name", retry_after_ms=wait_ms)
        try:
            if not await self._accounts.name_guest(user.player, name, key, self._clock()):
                raise Refusal("already_registered")
        except NameTaken:
            raise Refusal("name_taken", place="$.name") from None
        return AccountChanged(request.id)


class ShownPlayer(NamedTuple):
    """What everybody sees of a player: the name, what kind of player it is, and whether the account is a bot's."""

    name: str
    kind: PlayerKind
    is_bot: bool = False


async def find_shown(accounts: Accounts, players: Sequence[str], now: int) -> dict[str, ShownPlayer]:
    """Return of each player what others see. Raises StoreUnavailable."""
    wanted = tuple(dict.fromkeys(players))
    known = await accounts.find_players(wanted) if wanted else {}
    guests = [player for player in wanted if player not in known and bot_name(player) is None]
    named = await accounts.find_guest_names(guests, now) if guests else {}
    return {player: player_summary(PlayerId(player), known.get(player), named.get(player)) for player in wanted}


def player_summary(player: PlayerId, account: StoredAccount | None, guest_name: str | None = None) -> ShownPlayer:
    """Return what others see of a player. Without an account it is a guest."""
    if account is None:
        return ShownPlayer(guest_name or default_name(player), "guest")
    if account.is_deleted:
        return ShownPlayer(DELETED_NAME, "deleted")
    return ShownPlayer(shown_name(account.name), "registered", account.is_bot)
