"""Grace for players who lose their connection while they decide: their deadlines leave time to reconnect."""

import asyncio
import logging
from collections.abc import Sequence

from diskwars_protocol.match.ids import DecisionId, PlayerId, Seat
from diskwars_protocol.match.match_options import grace_ms
from diskwars_server.matches.game import Game
from diskwars_server.matches.services import Clock
from diskwars_server.refusals import describe_fault
from diskwars_server.store.deadlines import Deadlines, decisions_on_the_clock
from diskwars_server.store.errors import StoreUnavailable

log = logging.getLogger(__name__)


class GraceTimes:
    """Extends deadlines in the database, where every node finds them. `close` waits for what is under way."""

    def __init__(self, deadlines: Deadlines, clock: Clock) -> None:
        self._deadlines, self._clock = deadlines, clock
        self._tasks: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        while self._tasks:
            await asyncio.wait(self._tasks)

    def on_connection_lost(self, game: Game, player: PlayerId) -> None:
        """Extend deadlines when a connection that watched a match is lost and no longer subscribed. Never waits."""
        state = game.state
        seat, grace = game.rules.seat_of(state, player), grace_ms(state.match_options)
        if seat is None or not grace or game.feed.is_watched_by(player):
            return
        owed = [decision.id for decision in decisions_on_the_clock(state).values() if decision.seat == seat]
        if owed:
            task = asyncio.create_task(self._extend(game, seat, owed, grace), name=f"grace in match {game.id}")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _extend(self, game: Game, seat: Seat, decisions: Sequence[DecisionId], grace: int) -> None:
        now = self._clock()
        try:
            for decision in decisions:
                if await self._deadlines.extend(game.id, decision, seat, now, grace) is not None:
                    extra = {"match": game.id, "seat": seat, "decision": decision}
                    log.info("deadline extended: the player has lost the connection", extra=extra)
        except StoreUnavailable:
            pass  # the outage is logged once, by the database
        except Exception as fault:
            log.error("deadline not extended", extra={"match": game.id, **describe_fault(fault)})
