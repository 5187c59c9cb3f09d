"""Ratings: the leaderboard, and the statistics of players and armies."""

from collections.abc import AsyncIterator

from diskwars_client.requester import Requester, new_command_id
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.messages.ratings import (
    MAX_LEADERBOARD_ENTRIES,
    MAX_RATING_CHANGES,
    ArmyResults,
    ArmyStatistics,
    GetArmyStatistics,
    GetLeaderboard,
    GetPlayerStatistics,
    GetRatingHistory,
    Leaderboard,
    LeaderboardEntry,
    PlayerStatistics,
    RatingChange,
    RatingHistory,
)


class RatingTopic:
    """Requests about ratings and statistics, as `client.ratings`."""

    def __init__(self, requester: Requester) -> None:
        self._requester = requester

    async def leaderboard(
        self, ruleset: str, *, page_size: int = MAX_LEADERBOARD_ENTRIES, bots: bool = False
    ) -> AsyncIterator[LeaderboardEntry]:
        """Yield the players of a ruleset, the highest rating first; each request gets a page. Raises CommandRefused.

        Bots have a leaderboard of their own, with `bots`.
        """
        next_page: str | None = None
        is_last = False
        while not is_last:
            request = GetLeaderboard(new_command_id(), ruleset, next_page, page_size, "only" if bots else None)
            page = await self._requester.request(request, Leaderboard)
            for entry in page.entries:
                yield entry
            next_page, is_last = page.next_page, page.next_page is None

    async def player(self, player: PlayerId | None = None, *, name: str | None = None) -> PlayerStatistics:
        """Return the ratings and results of a player, by id or by name; without either, one's own.

        Raises CommandRefused.
        """
        return await self._requester.request(GetPlayerStatistics(new_command_id(), player, name), PlayerStatistics)

    async def history(
        self, ruleset: str, player: PlayerId | None = None, *, page_size: int = MAX_RATING_CHANGES
    ) -> AsyncIterator[RatingChange]:
        """Yield what each rated match made of a player's rating, the newest first; without a player of one's own.

        Each request gets a page. Raises CommandRefused.
        """
        next_page: str | None = None
        is_last = False
        while not is_last:
            request = GetRatingHistory(new_command_id(), ruleset, player, next_page, page_size)
            page = await self._requester.request(request, RatingHistory)
            for change in page.changes:
                yield change
            next_page, is_last = page.next_page, page.next_page is None

    async def armies(self, ruleset: str) -> tuple[ArmyResults, ...]:
        """Return how the armies of a ruleset have fared, those with the most games first. Raises CommandRefused."""
        return (await self._requester.request(GetArmyStatistics(new_command_id(), ruleset), ArmyStatistics)).armies
