"""Polls for records of other nodes, once a second.

Records of which the bus has lost the number are found here, so that a watcher waits a second for them, and those of a
process that serves the same database and is not on this bus.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable

from diskwars_protocol.match.ids import MatchId
from diskwars_server.matches.game import Game
from diskwars_server.store.event_log import EventLog
from diskwars_server.upkeep.repeat import Sleep, repeat

log = logging.getLogger(__name__)

POLL_SECONDS = 1.0
BATCH_MATCHES = 500


class HeadPolling:
    """Looks for records of matches that are watched here."""

    def __init__(
        self,
        watched: Callable[[], Iterable[Game]],
        events: EventLog,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        """`watched` provides the matches that somebody watches here now."""
        self._watched, self._events, self._sleep = watched, events, sleep

    async def run(self) -> None:
        """Poll until cancelled."""
        await repeat(self.poll, POLL_SECONDS, log, "heads of matches not read", self._sleep)

    async def poll(self) -> None:
        """Let each watched match read what other nodes have stored. Raises StoreUnavailable."""
        watched = {game.id: game for game in self._watched()}
        ids = list(watched)
        for first in range(0, len(ids), BATCH_MATCHES):
            heads = await self._events.heads(ids[first : first + BATCH_MATCHES])
            for match, head in heads.items():
                watched[MatchId(match)].on_remote_append(head)
