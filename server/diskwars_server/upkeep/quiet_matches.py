"""The loop that packs the state of matches in which nothing happens, so that thousands of them take little memory."""

import asyncio
import logging
from collections.abc import Iterable

from diskwars_server.matches.game import Game
from diskwars_server.upkeep.repeat import Sleep, repeat

log = logging.getLogger(__name__)

REST_SECONDS = 60.0
"""A match is packed that was not used between two rounds of the loop: after one to two times this."""
PACKED_AT_ONCE = 4
"""Matches packed in one step of the event loop: 0.6 ms each, those of four players 1.4."""


class QuietMatches:
    """Lets matches rest that nobody uses; see `Game.rest`."""

    def __init__(self, games: Iterable[Game], sleep: Sleep = asyncio.sleep) -> None:
        """`games` are those in memory, whenever they are iterated over."""
        self._games, self._sleep = games, sleep

    async def run(self) -> None:
        """Pack until cancelled."""
        await repeat(self.pack_unused, REST_SECONDS, log, "quiet matches not packed", self._sleep)

    async def pack_unused(self) -> None:
        """Let every match rest that was not used since the last time."""
        packed = 0
        for game in tuple(self._games):
            packed += game.rest()
            if packed >= PACKED_AT_ONCE:
                packed = 0
                await asyncio.sleep(0)
