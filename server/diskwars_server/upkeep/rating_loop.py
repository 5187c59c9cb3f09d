"""The loop that counts matches in the ratings when they have ended."""

import asyncio
import logging

from diskwars_server.store.ratings import Ratings
from diskwars_server.upkeep.repeat import Sleep, repeat

log = logging.getLogger(__name__)

POLL_SECONDS = 5.0
BATCH_MATCHES = 100


class RatingLoop:
    """Counts matches that have ended, on whichever node comes first."""

    def __init__(self, ratings: Ratings, sleep: Sleep = asyncio.sleep) -> None:
        self._ratings, self._sleep = ratings, sleep

    async def run(self) -> None:
        """Count until cancelled."""
        await repeat(self._count, POLL_SECONDS, log, "ended matches not counted", self._sleep)

    async def _count(self) -> None:
        while await self._ratings.count_ended(BATCH_MATCHES):
            await self._sleep(0)
