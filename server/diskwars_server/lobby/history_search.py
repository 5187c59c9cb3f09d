"""Searches of ended matches: their limits, and checks of what is searched for."""

from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.messages.lists import MatchList, SearchMatches
from diskwars_server.limits.addresses import UNKNOWN
from diskwars_server.limits.rate_limits import MS_PER_MINUTE, RateLimit, RateLimiter
from diskwars_server.matches.list_pages import find_search_place, search_page
from diskwars_server.matches.rules_on_offer import RulesOnOffer
from diskwars_server.matches.services import Services
from diskwars_server.players.handlers import Handler, Handlers
from diskwars_server.players.name_search import find_by_any_name
from diskwars_server.players.users import User
from diskwars_server.refusals import Refusal
from diskwars_server.store.accounts import Accounts
from diskwars_server.store.match_index import HistoryQuery, MatchIndex

SEARCHES_PER_ADDRESS = RateLimit(60, MS_PER_MINUTE)
"""Pages of searches; each looks at a bounded number of matches."""


class HistorySearch:
    """Searches of the matches that have ended."""

    def __init__(
        self,
        rules: RulesOnOffer,
        services: Services,
        index: MatchIndex,
        accounts: Accounts,
        limit: RateLimit = SEARCHES_PER_ADDRESS,
    ) -> None:
        self._rules, self._services, self._index, self._accounts = rules, services, index, accounts
        self._searches = RateLimiter[str](limit, services.monotonic)

    def handlers(self) -> Handlers[User]:
        return (Handler(SearchMatches, self._answer, history="lenient", waits_turn=True),)

    async def _answer(self, user: User, request: SearchMatches) -> MatchList:
        return await self.search(user.player, user.address, request)

    async def search(self, viewer: PlayerId, address: str, request: SearchMatches) -> MatchList:
        """Return one page of what a player may know. Raises Refusal and StoreUnavailable."""
        require_sense(request)
        if wait_ms := self._searches.take(viewer if address == UNKNOWN else address):
            raise Refusal("too_many_searches", retry_after_ms=wait_ms)
        query = query_of(request, viewer, await find_player(self._accounts, request, self._services.clock()))
        return await self._read_page(request, query)

    async def _read_page(self, request: SearchMatches, query: HistoryQuery) -> MatchList:
        if request.ruleset is not None:
            self._rules.require(request.ruleset)
        before = None if request.page is None else await find_search_place(self._index, request.page)
        page = await self._index.search(query, request.limit, before)
        shown = await self._services.summarize_all(page.listings, query.viewer or "")
        return MatchList(request.id, shown, None if page.next is None else search_page(page.next))


def query_of(request: SearchMatches, viewer: PlayerId | None, player: str | None) -> HistoryQuery:
    """Return a search of `viewer`, the operator if None, for matches of `player`."""
    return HistoryQuery(
        viewer=viewer,
        player=player,
        won=request.won,
        army=request.army,
        ruleset=request.ruleset,
        end_reason=request.end_reason,
        since_ms=request.since_ms or 0,
        until_ms=request.until_ms,
        min_records=request.min_records or 0,
        max_records=request.max_records,
    )


async def find_player(accounts: Accounts, request: SearchMatches, now: int) -> str | None:
    """Return the id of the player that a search names, None if it names none. Raises Refusal and StoreUnavailable."""
    if request.player_name is None:
        return request.player
    account = await find_by_any_name(accounts, request.player_name, now)
    if account is None:
        raise Refusal("unknown_player", place="$.player_name")
    return account.player


def require_sense(request: SearchMatches) -> None:
    """Refuse a search that contradicts itself."""
    if request.player is not None and request.player_name is not None:
        raise Refusal("bad_search", "name a player by id or by name, not by both", "$.player_name")
    if request.won is not None and request.player is None and request.player_name is None:
        raise Refusal("bad_search", "`won` needs a player", "$.won")
    if request.until_ms is not None and (request.since_ms or 0) > request.until_ms:
        raise Refusal("bad_search", "the end of the time is before its beginning", "$.until_ms")
    if request.max_records is not None and (request.min_records or 0) > request.max_records:
        raise Refusal("bad_search", "the most records are fewer than the fewest", "$.max_records")
