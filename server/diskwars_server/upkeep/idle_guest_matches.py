"""The loop that stops matches of guests in which nobody acts any more, where the host wants that."""

import asyncio
import logging

from diskwars_protocol.match.ids import MatchId
from diskwars_server.matches.lobby import Lobby
from diskwars_server.matches.services import Clock
from diskwars_server.refusals import Refusal, describe_fault
from diskwars_server.store.errors import StoreError
from diskwars_server.store.event_log import EventLog
from diskwars_server.upkeep.repeat import Sleep, repeat

log = logging.getLogger(__name__)

PASS_SECONDS = 6 * 3600.0
"""Between two passes through all matches under way: as much longer than its time one may stay."""
BATCH_MATCHES = 100
"""Matches that one statement looks at; as many may be read and stopped at most before the next one."""
BATCH_PAUSE_SECONDS = 0.1
"""Between two batches, so that a pass leaves room for matches that are played."""


class IdleGuestMatches:
    """Stops matches under way that nobody with an account has opened or plays, `idle_ms` after their last record.

    A match ends by a record like any other, so its watchers see it, and several nodes may try: the log takes one. What
    has ended is removed by `guest_matches`. Matches of players with accounts wait for these for as long as they like.
    """

    def __init__(self, lobby: Lobby, events: EventLog, clock: Clock, idle_ms: int) -> None:
        self._lobby, self._events, self._clock, self._idle_ms = lobby, events, clock, idle_ms

    async def run(self, sleep: Sleep = asyncio.sleep) -> None:
        """Stop idle matches until cancelled."""
        await repeat(lambda: self.stop_idle(sleep), PASS_SECONDS, log, "idle matches of guests are not stopped", sleep)

    async def stop_idle(self, sleep: Sleep = asyncio.sleep) -> None:
        """Go through all matches under way once, and stop those that are idle now. Raises StoreUnavailable."""
        before = self._clock() - self._idle_ms
        after: tuple[int, str] | None = (0, "")
        while after is not None:
            page = await self._events.find_idle_guest_matches(before, after, BATCH_MATCHES)
            for match in page.idle:
                await self._stop(MatchId(match), before)
            after = page.next
            if after is not None:
                await sleep(BATCH_PAUSE_SECONDS)

    async def _stop(self, match: MatchId, before: int) -> None:
        # One match that cannot be read or is busy holds up no other; it is found again in the next pass.
        try:
            game = await self._lobby.find(match)
            game.stop_if_idle(before)
            await game.wait_idle()
        except (Refusal, StoreError) as fault:
            log.warning("idle match not stopped", extra={"match": match, "why": str(fault)})
        except Exception as fault:
            log.error("idle match not stopped", extra={"match": match, **describe_fault(fault)})
