"""Presence of the other people of a match: they are connected or not; bots have none."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from diskwars_client.errors import ClientError, CommandRefused
from diskwars_protocol.match.bot_identity import bot_name
from diskwars_protocol.match.ids import PlayerId, Seat
from diskwars_protocol.match.state import AnyMatch
from diskwars_protocol.messages.accounts import PlayerSummary

PRESENCE_SECONDS = 5.0
"""Seconds between two requests for who is connected, and the time limit of each request."""

FindPlayers = Callable[[Sequence[PlayerId]], Awaitable[Sequence[PlayerSummary]]]
"""Request that asks the server who some players are."""


class Presence:
    """The other people of a match as the server last described them."""

    def __init__(self, find_players: FindPlayers, ignored: Sequence[Seat]) -> None:
        """Ignore the seats of the player and of bots in the player's own process."""
        self._find_players, self._ignored = find_players, frozenset(ignored)
        self._known: dict[PlayerId, PlayerSummary] = {}

    def player_text(self, player: PlayerId) -> str:
        """Return the name of a person, and that they are away if they are; empty for somebody unknown."""
        summary = self._known.get(player)
        if summary is None:
            return ""
        is_away = not summary.is_online and not summary.hides_presence
        return f"{summary.name}, not connected" if is_away else summary.name

    async def look(self, match: AnyMatch) -> list[tuple[Seat, str]]:
        """Ask the server again, and return the seats of which there is news, as the end of a sentence.

        A person who is connected in the first answer is not news. A request that fails is skipped until the next one.
        """
        people = {
            state.player: seat
            for seat, state in enumerate(match.seats)
            if state.player and seat not in self._ignored and bot_name(state.player) is None
        }
        if not people:
            return []
        try:
            async with asyncio.timeout(PRESENCE_SECONDS):
                summaries = await self._find_players(tuple(people))
        except (CommandRefused, ClientError, TimeoutError):
            return []
        news = []
        for summary in summaries:
            before = self._known.get(summary.player)
            self._known[summary.player] = summary
            if summary.hides_presence or (before is not None and before.hides_presence):
                continue  # players see opponents in their matches, and nobody in those of others
            if before is not None and before.is_online != summary.is_online:
                news.append((people[summary.player], "is back" if summary.is_online else "has left"))
            elif before is None and not summary.is_online:
                news.append((people[summary.player], "is not connected"))
        return news
