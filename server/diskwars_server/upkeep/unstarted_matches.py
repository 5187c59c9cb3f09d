"""The loop that closes matches which do not begin, and removes closed ones from the database."""

import asyncio
import logging

from diskwars_protocol.match.ids import MatchId
from diskwars_server.matches.lobby import Lobby
from diskwars_server.matches.services import Clock
from diskwars_server.refusals import Refusal, describe_fault
from diskwars_server.store.database import Database
from diskwars_server.store.errors import StoreError
from diskwars_server.upkeep.repeat import Sleep, repeat

log = logging.getLogger(__name__)

POLL_SECONDS = 300.0
REMOVAL_DELAY_MS = 300_000
"""From the end of a match to its removal: by then every node that had it in memory knows that it has ended."""
BATCH_MATCHES = 100


class UnstartedMatches:
    """Closes and removes the matches that have not begun within `lifetime_ms` of their opening.

    In two steps: a match is closed, which is a record like any other, and its rows are removed `REMOVAL_DELAY_MS`
    later. Nothing is appended to a match that has ended, so no node can still be writing to what is removed. A match
    that its opener has closed, or that all have left, stays until it is as old: those who sat in it can read why.
    """

    def __init__(self, lobby: Lobby, database: Database, clock: Clock, lifetime_ms: int) -> None:
        self._lobby, self._database, self._clock, self._lifetime_ms = lobby, database, clock, lifetime_ms

    async def run(self, sleep: Sleep = asyncio.sleep) -> None:
        """Close and remove until cancelled."""
        await repeat(self.expire, POLL_SECONDS, log, "matches that have not begun are not removed", sleep)

    async def expire(self) -> None:
        """Close what is too old now, and remove what was closed long enough ago. Raises StoreUnavailable."""
        now = self._clock()
        before, after = now - self._lifetime_ms, ""
        while found := await self._database.matches.find_unstarted(before, after, BATCH_MATCHES):
            for match in found:
                await self._close(MatchId(match))
            after = found[-1]
        while removed := await self._database.events.remove_unstarted(before, now - REMOVAL_DELAY_MS, BATCH_MATCHES):
            log.info("matches removed that never began", extra={"count": len(removed)})
            for match in removed:
                self._lobby.publish_listing(MatchId(match))

    async def _close(self, match: MatchId) -> None:
        # One match that cannot be read or is busy holds up no other; it is found again next time.
        try:
            game = await self._lobby.find(match)
            game.expire()
            await game.wait_idle()
        except (Refusal, StoreError) as fault:
            log.warning("match not closed", extra={"match": match, "why": str(fault)})
        except Exception as fault:
            log.error("match not closed", extra={"match": match, **describe_fault(fault)})
