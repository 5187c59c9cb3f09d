"""Requests for lists of matches: one page, or one that is followed."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from diskwars_protocol.messages.lists import FollowMatches, ListMatches, MatchList, Unfollowed, UnfollowMatches
from diskwars_server.lobby.feed import LobbyFeed
from diskwars_server.matches.lobby import Lobby
from diskwars_server.players.handlers import Handler, Handlers
from diskwars_server.players.users import User

LinkMatches: TypeAlias = Callable[[MatchList], Awaitable[MatchList]]


async def link_nothing(page: MatchList) -> MatchList:
    return page


class MatchLists:
    """Lists of matches, and the connections that follow one."""

    def __init__(self, lobby: Lobby, feed: LobbyFeed, link_own: LinkMatches = link_nothing) -> None:
        """`link_own` adds to a player's own list which matches belong together."""
        self._lobby, self._link_own = lobby, link_own
        self.feed = feed

    def handlers(self) -> Handlers[User]:
        return (
            Handler(ListMatches, self._list, history="lenient", waits_turn=True),
            Handler(FollowMatches, self._follow, history="lenient", waits_turn=True),
            Handler(UnfollowMatches, self._unfollow, counts_query=False),
        )

    async def _list(self, user: User, request: ListMatches) -> MatchList:
        page = await self._lobby.list_matches(request, user.player)
        return await self._link_own(page) if request.mine else page

    async def _follow(self, user: User, request: FollowMatches) -> None:
        self.feed.follow(user.outbox, user.player, request)  # before the list is read, so that no change is missed
        try:
            page = await self._lobby.list_matches(request, user.player)
            user.outbox.send(page)
        except BaseException:
            self.feed.unfollow(user.outbox)
            raise
        self.feed.start(user.outbox, (shown.match for shown in page.matches))

    async def _unfollow(self, user: User, request: UnfollowMatches) -> Unfollowed:
        self.feed.unfollow(user.outbox)
        return Unfollowed(request.id)
