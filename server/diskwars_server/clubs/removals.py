"""Closing of a club for an operator, directly in the store: no node has to run, and those that do find the record."""

from collections.abc import Callable, Sequence

from diskwars_protocol.clubs.events import ClubClosed, ClubEvent
from diskwars_protocol.clubs.fold import without_texts
from diskwars_protocol.clubs.state import Club
from diskwars_protocol.match.ids import HOUSE
from diskwars_server.bus.bus import LocalBus
from diskwars_server.clubs.ladders import Ladders
from diskwars_server.clubs.rules import end_season
from diskwars_server.clubs.streams import ClubStreams
from diskwars_server.store.database import Database


async def erase_club(database: Database, club: str, clock: Callable[[], int]) -> tuple[int, bool]:
    """Close a club and erase its texts; return the seq of its last record, and whether something has changed.

    A season under way ends with its standings. Raises Refusal and StoreUnavailable.
    """
    streams, ladders = ClubStreams(database.clubs, LocalBus().join(), clock), Ladders(database.ratings, clock)

    async def decide(state: Club) -> Sequence[ClubEvent]:
        if state.status == "closed" and without_texts(state) == state:
            return ()
        ended = [] if state.season is None else end_season(state, await ladders.count(state))
        return [*ended, ClubClosed(erases_texts=True)]

    before = await streams.load(club)
    after = await streams.act(club, decide, HOUSE, f"erase {before.seq}")
    return after.seq, after.seq != before.seq
