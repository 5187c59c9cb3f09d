"""The one rule that decides which players see whether another one is connected."""

from collections.abc import Callable, Collection

from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.match.state import MatchStatus
from diskwars_server.store.accounts import Accounts
from diskwars_server.store.match_index import ListFilter, MatchIndex

MAX_SEARCHED_MATCHES = 100
"""The newest matches of one who asks, of those under way and of those that wait: opponents in others are not shown."""


class ShownPresence:
    """The presence of players, where the viewer is allowed to see it. Every lookup may raise `StoreUnavailable`."""

    def __init__(self, accounts: Accounts, matches: MatchIndex | None, is_online: Callable[[PlayerId], bool]) -> None:
        """`is_online` says who is connected to any node. Without `matches` nobody plays with anybody."""
        self._accounts, self._matches, self.is_online = accounts, matches, is_online

    async def find(self, viewer: PlayerId, players: Collection[PlayerId], *, has_account: bool) -> dict[PlayerId, bool]:
        """Return whether these players are connected, of those alone whose presence the viewer may see.

        These are the viewer, bots, those whom the viewer follows and who show it, and those in a match with them.
        Whether a player is left out never depends on whether they are there. Viewers without an account follow nobody.
        """
        shown = {viewer} & {*players}
        if others := {*players} - shown:
            shown |= await self._find_playing(viewer, others)
        if others := others - shown:
            shown |= await self._find_bots(others)
        if has_account and (others := others - shown):
            shown |= await self.find_showing(others & {*await self._accounts.list_followed(viewer)})
        return {player: self.is_online(player) for player in shown}

    async def find_showing(self, players: Collection[PlayerId]) -> frozenset[PlayerId]:
        """Return which of these players show their presence to followers and to members of their clubs.

        Accounts of bots show it to everybody, whatever they have chosen.
        """
        if not players:
            return frozenset()
        showing = await self._accounts.find_showing(sorted(players))
        return frozenset(player for player in players if player in showing) | await self._find_bots(players)

    async def _find_bots(self, players: Collection[PlayerId]) -> frozenset[PlayerId]:
        """Return the accounts of bots, whose presence is no secret: `ListBotAccounts` lists those that are there."""
        bots = await self._accounts.find_bots(sorted(players))
        return frozenset(player for player in players if player in bots)

    async def _find_playing(self, viewer: PlayerId, players: Collection[PlayerId]) -> set[PlayerId]:
        """Return which of these players have a seat in a match that has not ended and in which the viewer has one."""
        found: set[PlayerId] = set()
        statuses: tuple[MatchStatus, ...] = ("running", "open")
        for status in statuses:
            if self._matches is None:
                break
            matches = await self._matches.list_matches(status, MAX_SEARCHED_MATCHES, wanted=ListFilter(player=viewer))
            seated = {player for match in matches for player in match.seats}
            found |= {player for player in players if player in seated}
            if len(found) == len({*players}):
                break
        return found
