"""Requests for lists of matches: one page, or one that is followed."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from msgspec.structs import replace

from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.messages.lists import FollowMatches, ListMatches, MatchList, Unfollowed, UnfollowMatches
from diskwars_server.lobby.club_matches import ClubMatches
from diskwars_server.lobby.feed import LobbyFeed
from diskwars_server.matches.list_pages import match_before
from diskwars_server.matches.services import Services
from diskwars_server.matches.summaries import filter_of
from diskwars_server.players.handlers import Handler, Handlers
from diskwars_server.players.users import User
from diskwars_server.store.match_index import MatchIndex

LinkMatches: TypeAlias = Callable[[MatchList], Awaitable[MatchList]]


async def link_nothing(page: MatchList) -> MatchList:
    return page


class MatchLists:
    """Lists of matches, and the connections that follow one."""

    def __init__(
        self,
        services: Services,
        index: MatchIndex,
        feed: LobbyFeed,
        club_matches: ClubMatches,
        link_own: LinkMatches = link_nothing,
    ) -> None:
        """`link_own` adds to a player's own list which matches belong together."""
        self._services, self._index, self._link_own = services, index, link_own
        self._club_matches = club_matches
        self.feed = feed

    def handlers(self) -> Handlers[User]:
        return (
            Handler(ListMatches, self._list, history="lenient", waits_turn=True),
            Handler(FollowMatches, self._follow, history="lenient", waits_turn=True),
            Handler(UnfollowMatches, self._unfollow, counts_query=False),
        )

    async def _list(self, user: User, request: ListMatches) -> MatchList:
        page = await self._read_page(request, user.player)
        return await self._link_own(page) if request.mine else page

    async def _follow(self, user: User, request: FollowMatches) -> None:
        self.feed.follow(user.outbox, user.player, request)  # before the list is read, so that no change is missed
        try:
            page = await self._read_page(request, user.player)
            user.outbox.send(page)
        except BaseException:
            self.feed.unfollow(user.outbox)
            raise
        self.feed.start(user.outbox, (shown.match for shown in page.matches))

    async def _unfollow(self, user: User, request: UnfollowMatches) -> Unfollowed:
        self.feed.unfollow(user.outbox)
        return Unfollowed(request.id)

    async def _read_page(self, request: ListMatches | FollowMatches, viewer: PlayerId) -> MatchList:
        """Return one page of the matches that a player may see in the list. Raises Refusal and StoreUnavailable."""
        page = request.page if isinstance(request, ListMatches) else None
        before = None if page is None else match_before(page)
        wanted = filter_of(request, viewer)
        seen_by: str | None = viewer
        if isinstance(request, ListMatches) and (request.club is not None or request.clubs):
            wanted = replace(wanted, clubs=await self._club_matches.find_own(viewer, request.club))
            seen_by = None  # members of a club see all of its matches
        # One more than the page holds tells whether another follows.
        listings = await self._index.list_matches(request.status, request.limit + 1, before, seen_by, wanted)
        shown, is_last = listings[: request.limit], len(listings) <= request.limit
        next_page = None if is_last else f"{shown[-1].created_ms}.{shown[-1].match}"
        return MatchList(request.id, await self._services.summarize_all(shown, viewer), next_page)
