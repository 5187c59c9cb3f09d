"""Answers to requests about ratings and statistics."""

import re
from collections.abc import Callable, Container

from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.messages.ratings import (
    MAX_LISTED_ARMIES,
    ArmyResults,
    ArmyStatistics,
    FormerName,
    GetArmyStatistics,
    GetLeaderboard,
    GetPlayerStatistics,
    GetRatingHistory,
    Leaderboard,
    LeaderboardEntry,
    PlayerRating,
    PlayerStatistics,
    RatingChange,
    RatingHistory,
)
from diskwars_server.limits.addresses import UNKNOWN
from diskwars_server.limits.rate_limits import MS_PER_MINUTE, RateLimit, RateLimiter
from diskwars_server.players.guest_names import player_summary
from diskwars_server.players.handlers import Handler, Handlers
from diskwars_server.players.name_search import find_by_any_name
from diskwars_server.players.names import shown_name
from diskwars_server.players.users import User
from diskwars_server.refusals import Refusal
from diskwars_server.store.accounts import Accounts
from diskwars_server.store.match_index import MatchIndex, is_listed_for
from diskwars_server.store.ratings import Ratings, StoredRating, StoredResults

REQUESTS_PER_ADDRESS = RateLimit(60, MS_PER_MINUTE)
_PAGE = re.compile(r"([1-9][0-9]{0,9})\.(-?[0-9]{1,9})\.([a-z0-9-]{1,64})")
"""A page of a leaderboard: place, rating and player of the last entry of the one before."""

_ORDINAL = re.compile(r"[1-9][0-9]{0,17}")
"""A page of a rating's history: the ordinal of the last change of the one before."""


class RatingService:
    """Ratings as players ask for them."""

    def __init__(
        self,
        ratings: Ratings,
        accounts: Accounts,
        matches: MatchIndex,
        rulesets: Container[str],
        clock: Callable[[], int],
        now: Callable[[], int],
        limit: RateLimit = REQUESTS_PER_ADDRESS,
    ) -> None:
        """`clock` is monotonic, and `now` that of the calendar, both in milliseconds."""
        self._ratings, self._accounts, self._matches, self._rulesets = ratings, accounts, matches, rulesets
        self._now = now
        self._requests = RateLimiter[str](limit, clock)

    def handlers(self) -> Handlers[User]:
        return (
            Handler(GetLeaderboard, self.get_leaderboard, history="lenient", waits_turn=True),
            Handler(GetPlayerStatistics, self._get_player_statistics, history="lenient", waits_turn=True),
            Handler(GetRatingHistory, self._get_history, history="lenient", waits_turn=True),
            Handler(GetArmyStatistics, self._get_army_statistics, history="lenient", waits_turn=True),
        )

    def _count_request(self, user: User) -> None:
        if wait_ms := self._requests.take(user.player if user.address == UNKNOWN else user.address):
            raise Refusal("too_many_searches", retry_after_ms=wait_ms)

    def _require_ruleset(self, ruleset: str) -> None:
        if ruleset not in self._rulesets:
            raise Refusal("unknown_ruleset", place="$.ruleset")

    async def get_leaderboard(self, user: User, request: GetLeaderboard) -> Leaderboard:
        """Return one page of a leaderboard. Raises Refusal and StoreUnavailable."""
        self._count_request(user)
        self._require_ruleset(request.ruleset)
        place, after = _read_page(request.page)
        # One more than the page holds tells whether another follows.
        are_bots = request.bots == "only"
        rows = await self._ratings.leaderboard(request.ruleset, request.limit + 1, after, bots=are_bots)
        entries = tuple(
            LeaderboardEntry(
                place + number,
                PlayerId(row.rating.player),
                shown_name(row.name),
                row.rating.shown,
                _uncertainty(row.rating),
                row.rating.games,
                row.rating.wins,
                row.rating.losses,
                row.rating.draws,
                are_bots,
            )
            for number, row in enumerate(rows[: request.limit], 1)
        )
        if len(rows) <= request.limit:
            return Leaderboard(request.id, request.ruleset, entries)
        last = entries[-1]
        return Leaderboard(request.id, request.ruleset, entries, f"{last.place}.{last.rating}.{last.player}")

    async def _get_history(self, user: User, request: GetRatingHistory) -> RatingHistory:
        self._count_request(user)
        self._require_ruleset(request.ruleset)
        if request.page is not None and _ORDINAL.fullmatch(request.page) is None:
            raise Refusal("bad_page", place="$.page")
        player = request.player or user.player
        before = None if request.page is None else int(request.page)
        rows = await self._ratings.list_rating_changes(request.ruleset, player, request.limit + 1, before)
        rows, has_more = rows[: request.limit], len(rows) > request.limit
        # The id of a match by link is what admits its watchers.
        listings = await self._matches.find_listings([row.match for row in rows])
        listed = {listing.match for listing in listings if is_listed_for(listing, user.player)}
        changes = tuple(
            RatingChange(
                row.ended_ms, row.shown, round(1000 * row.sigma), MatchId(row.match) if row.match in listed else None
            )
            for row in rows
        )
        next_page = str(rows[-1].ordinal) if has_more else None
        return RatingHistory(request.id, player, request.ruleset, changes, next_page)

    async def _get_army_statistics(self, user: User, request: GetArmyStatistics) -> ArmyStatistics:
        self._count_request(user)
        self._require_ruleset(request.ruleset)
        results = await self._ratings.list_army_results(request.ruleset, MAX_LISTED_ARMIES)
        return ArmyStatistics(request.id, request.ruleset, tuple(map(_army_results, results)))

    async def _get_player_statistics(self, user: User, request: GetPlayerStatistics) -> PlayerStatistics:
        self._count_request(user)
        if request.player is not None and request.player_name is not None:
            raise Refusal("bad_search", "name a player by id or by name, not by both", "$.player_name")
        player = request.player or user.player
        if request.player_name is None:
            account = (await self._accounts.find_players([player])).get(player)
        else:
            account = await find_by_any_name(self._accounts, request.player_name, self._now())
            if account is None:
                raise Refusal("unknown_player", place="$.player_name")
            player = PlayerId(account.player)
        shown = player_summary(player, account)
        ratings = await self._ratings.list_ratings(player) if account else []
        results = await self._ratings.list_player_results(player, MAX_LISTED_ARMIES) if account else []
        names = await self._accounts.list_former_names(player) if account and not account.is_deleted else []
        return PlayerStatistics(
            request.id,
            player,
            shown.name,
            shown.kind,
            tuple(map(_player_rating, ratings)),
            tuple(map(_army_results, results)),
            tuple(FormerName(shown_name(former.name), former.until_ms) for former in names),
            shown.is_bot,
        )


def _read_page(page: str | None) -> tuple[int, tuple[int, str] | None]:
    """Return the place and the key of the entry that a page begins after. Raises Refusal."""
    if page is None:
        return 0, None
    named = _PAGE.fullmatch(page)
    if named is None:
        raise Refusal("bad_page", place="$.page")
    return int(named[1]), (int(named[2]), named[3])


def _uncertainty(rating: StoredRating) -> int:
    return round(1000 * rating.sigma)


def _player_rating(rating: StoredRating) -> PlayerRating:
    return PlayerRating(
        rating.ruleset, rating.shown, _uncertainty(rating), rating.games, rating.wins, rating.losses, rating.draws
    )


def _army_results(results: StoredResults) -> ArmyResults:
    return ArmyResults(
        results.ruleset,
        results.games,
        results.wins,
        results.losses,
        results.draws,
        results.points,
        results.records,
        results.army or None,
    )
