"""Cancelling of a tournament for an operator, directly in the store: running nodes find the record."""

from collections.abc import Callable, Sequence

from diskwars_protocol.match.ids import HOUSE
from diskwars_protocol.tournaments.events import TournamentCancelled, TournamentEvent
from diskwars_protocol.tournaments.fold import without_texts
from diskwars_protocol.tournaments.state import Tournament
from diskwars_server.bus.bus import LocalBus
from diskwars_server.store.database import Database
from diskwars_server.tournaments.streams import TournamentStreams


async def erase_tournament(database: Database, tournament: str, clock: Callable[[], int]) -> tuple[int, bool]:
    """Cancel a tournament and erase its texts; return the seq of its last record, and whether something has changed.

    One that is over keeps its results. Raises Refusal and StoreUnavailable.
    """
    streams = TournamentStreams(database.tournaments, LocalBus().join(), clock)

    async def decide(state: Tournament) -> Sequence[TournamentEvent]:
        is_done = state.ended_ms is not None and without_texts(state) == state
        return () if is_done else [TournamentCancelled(erases_texts=True)]

    before = await streams.load(tournament)
    after = await streams.act(tournament, decide, HOUSE, f"erase {before.seq}")
    return after.seq, after.seq != before.seq
