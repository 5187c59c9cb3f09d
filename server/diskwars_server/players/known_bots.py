"""Which players have the accounts of bots, for lists of matches: looked up before a list is shown."""

from collections.abc import Iterable

from diskwars_protocol.match.bot_identity import bot_name
from diskwars_server.store.accounts import Accounts

MAX_KNOWN = 10_000
"""Bots that are kept; beyond that all of them are looked up again."""


class KnownBots:
    """The accounts of bots that this node has met. Only these are kept: an account may become that of a bot later."""

    def __init__(self, accounts: Accounts | None = None) -> None:
        """Without `accounts` no player is a bot."""
        self._accounts = accounts
        self._known: set[str] = set()

    def __contains__(self, player: object) -> bool:
        return player in self._known

    async def look_up(self, players: Iterable[str | None]) -> None:
        """Learn which of these players are bots. Raises StoreUnavailable."""
        if self._accounts is None:
            return
        wanted = {player for player in players if player is not None and bot_name(player) is None} - self._known
        if not wanted:
            return
        found = await self._accounts.find_bots(sorted(wanted))
        if len(self._known) + len(found) > MAX_KNOWN:
            self._known.clear()
        self._known |= found
