"""The loop that ends seasons in time.

Nodes claim clubs for a while, as they do deadlines. A season is ended under the next number of its club, so two nodes
that work on one do no harm.
"""

import asyncio
import logging

from diskwars_protocol.match.ids import HOUSE
from diskwars_server.clubs.ladders import Ladders
from diskwars_server.clubs.rules import end_season
from diskwars_server.clubs.streams import ClubStreams, due_ms
from diskwars_server.matches.services import Clock
from diskwars_server.refusals import describe_fault
from diskwars_server.store.clubs import Clubs
from diskwars_server.store.errors import DuplicateCommand, StoreUnavailable, WrongVersion
from diskwars_server.upkeep.repeat import Sleep, repeat

log = logging.getLogger(__name__)

POLL_SECONDS = 10.0
CLAIM_LIMIT = 16
LEASE_MS = 60_000
FAULT_MS = 60_000
"""Before a club is looked at again whose season could not be ended."""


class SeasonLoop:
    """Ends the seasons whose time is over, with their final standings."""

    def __init__(self, streams: ClubStreams, store: Clubs, ladders: Ladders, clock: Clock) -> None:
        self._streams, self._store, self._ladders, self._clock = streams, store, ladders, clock

    async def run(self, sleep: Sleep = asyncio.sleep) -> None:
        """Work until cancelled."""
        await repeat(self.step, POLL_SECONDS, log, "seasons of clubs are not ended", sleep)

    async def step(self) -> None:
        """End every season that is due now. Raises StoreUnavailable."""
        now = self._clock()
        for club in await self._store.claim_due(now, CLAIM_LIMIT, LEASE_MS):
            try:
                next_ms = await self._work_on(club)
            except StoreUnavailable:
                raise
            except Exception as fault:
                # One that cannot be worked on keeps no other back.
                log.error("season not ended", extra={"club": club, **describe_fault(fault)})
                next_ms = self._clock() + FAULT_MS
            await self._store.settle(club, now + LEASE_MS, next_ms)

    async def _work_on(self, club: str) -> int | None:
        """End the season of a club if it is due; return when to look again."""
        state = await self._streams.load(club)
        at_ms, season = due_ms(state), state.season
        if at_ms is None or season is None or at_ms > self._clock():
            return at_ms
        try:
            ended = end_season(state, await self._ladders.count(state))
            state = await self._streams.append(state, ended, HOUSE, f"season {season.number}")
        except (WrongVersion, DuplicateCommand):
            return self._clock()  # somebody else has changed the club: look again
        return due_ms(state)
