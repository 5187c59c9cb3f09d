"""Which players have the accounts of bots, for lists of matches: looked up before a list is shown."""

from collections.abc import Iterable

from diskwars_protocol.match.bot_identity import bot_name
from diskwars_server.store.accounts import Accounts

MAX_KNOWN = 10_000
"""Bots that are kept; beyond that those that were asked for longest ago are forgotten."""


class KnownBots:
    """The accounts of bots that this node has met. Only these are kept: an account may become that of a bot later."""

    def __init__(self, accounts: Accounts | None = None) -> None:
        """Without `accounts` no player is a bot."""
        self._accounts = accounts
        self._known: dict[str, None] = {}

    def __contains__(self, player: object) -> bool:
        return player in self._known

    async def look_up(self, players: Iterable[str | None]) -> None:
        """Learn which of these players are bots. Raises StoreUnavailable."""
        if self._accounts is None:
            return
        asked = dict.fromkeys(player for player in players if player is not None and bot_name(player) is None)
        wanted = [player for player in asked if player not in self._known]
        self._keep(player for player in asked if player in self._known)
        if wanted:
            bots = await self._accounts.find_bots(wanted)
            self._keep(player for player in wanted if player in bots)

    def _keep(self, bots: Iterable[str]) -> None:
        """Keep these as the newest: the caller shows them next, and so they are not those that are forgotten."""
        for bot in bots:
            self._known.pop(bot, None)
            self._known[bot] = None
        while len(self._known) > MAX_KNOWN:
            del self._known[next(iter(self._known))]
