"""The loop that removes ended matches of guests from the database, where the host wants that."""

import asyncio
import logging
from collections.abc import Callable

from diskwars_protocol.match.ids import MatchId
from diskwars_server.matches.services import Clock
from diskwars_server.store.event_log import EventLog
from diskwars_server.upkeep.repeat import Sleep, repeat

log = logging.getLogger(__name__)

PASS_SECONDS = 6 * 3600.0
"""Between two passes through all ended matches: as much longer than its time a match may stay."""
BATCH_MATCHES = 100
"""Matches that one statement looks at, and removes at most."""
BATCH_PAUSE_SECONDS = 0.1
"""Between two batches, so that a pass through a large database leaves room for matches under way."""


class GuestMatches:
    """Removes matches that nobody with an account has opened or played, `lifetime_ms` after they ended.

    Several nodes may do so at once: each match is removed by one of them, as a whole.
    """

    def __init__(
        self, events: EventLog, clock: Clock, lifetime_ms: int, publish_removal: Callable[[MatchId], None]
    ) -> None:
        """`publish_removal` is called with each match that was removed, for those who follow lists."""
        self._events, self._clock, self._lifetime_ms = events, clock, lifetime_ms
        self._publish_removal = publish_removal

    async def run(self, sleep: Sleep = asyncio.sleep) -> None:
        """Remove until cancelled."""
        await repeat(lambda: self.expire(sleep), PASS_SECONDS, log, "matches of guests are not removed", sleep)

    async def expire(self, sleep: Sleep = asyncio.sleep) -> None:
        """Go through all ended matches once, and remove what is old enough now. Raises StoreUnavailable."""
        before, count = self._clock() - self._lifetime_ms, 0
        after: tuple[int, str] | None = (0, "")
        while after is not None:
            page = await self._events.remove_guest_matches(before, after, BATCH_MATCHES)
            for match in page.removed:
                self._publish_removal(MatchId(match))
            count, after = count + len(page.removed), page.next
            if after is not None:
                await sleep(BATCH_PAUSE_SECONDS)
        if count:
            log.info("matches of guests removed", extra={"count": count})
