"""What a client can do about ratings: the leaderboard, and the statistics of players and armies."""

from collections.abc import AsyncIterator

from diskwars_client.account_methods import AccountMethods, new_command_id
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.messages.ratings import (
    MAX_LEADERBOARD_ENTRIES,
    ArmyResults,
    ArmyStatistics,
    GetArmyStatistics,
    GetLeaderboard,
    GetPlayerStatistics,
    Leaderboard,
    LeaderboardEntry,
    PlayerStatistics,
)


class RatingMethods(AccountMethods):
    """The part of a `Client` that is about ratings and statistics."""

    async def iter_leaderboard(
        self, ruleset: str, *, page_size: int = MAX_LEADERBOARD_ENTRIES
    ) -> AsyncIterator[LeaderboardEntry]:
        """Yield the players of a ruleset, the highest rating first; each request gets a page. Raises CommandRefused."""
        next_page: str | None = None
        is_last = False
        while not is_last:
            request = GetLeaderboard(new_command_id(), ruleset, next_page, page_size)
            found = await self._request(request, Leaderboard)
            for entry in found.entries:
                yield entry
            next_page, is_last = found.next_page, found.next_page is None

    async def player_statistics(self, player: PlayerId | None = None, *, name: str | None = None) -> PlayerStatistics:
        """Return the ratings and results of a player, by id or by name; without either, one's own.

        Raises CommandRefused.
        """
        return await self._request(GetPlayerStatistics(new_command_id(), player, name), PlayerStatistics)

    async def army_statistics(self, ruleset: str) -> tuple[ArmyResults, ...]:
        """Return how the armies of a ruleset have fared, those with the most games first. Raises CommandRefused."""
        return (await self._request(GetArmyStatistics(new_command_id(), ruleset), ArmyStatistics)).armies
