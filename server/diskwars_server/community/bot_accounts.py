"""Accounts of bots that players keep online: marked once, and listed while they are connected."""

from collections.abc import Callable

from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.messages.accounts import (
    MAX_LISTED_BOTS,
    AccountChanged,
    BotAccountList,
    ListBotAccounts,
    MarkAsBot,
    PlayerSummary,
)
from diskwars_server.players.guest_names import player_summary
from diskwars_server.players.handlers import Handler, Handlers
from diskwars_server.players.names import avatar_seed
from diskwars_server.players.users import LoggedInDevice, User
from diskwars_server.refusals import Refusal
from diskwars_server.store.accounts import Accounts
from diskwars_server.store.match_index import MatchIndex

MAX_SEARCHED_BOTS = 1_000
"""Accounts of bots of which those that are connected are listed: those that were used last."""


class BotAccounts:
    """Requests about accounts of bots."""

    def __init__(self, accounts: Accounts, matches: MatchIndex, is_online: Callable[[PlayerId], bool]) -> None:
        self._accounts, self._matches, self._is_online = accounts, matches, is_online

    def handlers(self) -> Handlers[User]:
        return (
            Handler(MarkAsBot, self._mark),
            Handler(ListBotAccounts, self._list, history="lenient", waits_turn=True),
        )

    async def _mark(self, user: User, request: MarkAsBot) -> AccountChanged:
        """Mark the own account; one that is marked stays so. Raises Refusal and StoreUnavailable."""
        account = await self._accounts.find_player(user.player) if user.has_account else None
        if account is None or account.is_deleted:
            raise Refusal("not_registered")
        # What people have won as people stays theirs, and a bot never was on their leaderboard.
        if not account.is_bot and not await self._accounts.mark_as_bot(user.player):
            has_rated = await self._matches.has_rated(user.player)
            raise Refusal("has_rated_matches" if has_rated else "not_registered")
        user.device = LoggedInDevice(user.player, account.name, user.device.device, is_bot=True)
        return AccountChanged(request.id, user.device.account)

    async def _list(self, user: User, request: ListBotAccounts) -> BotAccountList:
        """Return the bots that are connected: `ShownPresence` shows that of them to everybody."""
        accounts = await self._accounts.list_bots(MAX_SEARCHED_BOTS)
        bots: list[PlayerSummary] = []
        for account in accounts:
            player = PlayerId(account.player)
            if self._is_online(player) and len(bots) < MAX_LISTED_BOTS:
                shown = player_summary(player, account)
                seed = avatar_seed(player)
                bots.append(PlayerSummary(player, shown.name, shown.kind, seed, is_online=True, is_bot=shown.is_bot))
        bots.sort(key=lambda bot: (bot.name.casefold(), bot.player))
        return BotAccountList(request.id, tuple(bots))
