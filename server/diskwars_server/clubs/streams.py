"""The records of clubs: read and folded, appended, and announced to every node."""

from diskwars_protocol.clubs.events import ClubEvent, ClubRecord
from diskwars_protocol.clubs.fold import fold_club
from diskwars_protocol.clubs.state import Club
from diskwars_server.broadcast.event_streams import EventStreams, StreamKind
from diskwars_server.bus.bus import Bus
from diskwars_server.matches.services import Clock
from diskwars_server.store.clubs import ClubAppend, Clubs, list_club

_KIND = StreamKind[Club, ClubEvent, ClubRecord](
    "club", "clubs", "unknown_club", lambda state: state.club, ClubRecord, fold_club
)
SETTLING_MS = 60_000
"""After the end of a season its last matches are still counted; then its standings are final."""


class ClubStreams(EventStreams[Club, ClubEvent, ClubRecord]):
    """The clubs of a database."""

    def __init__(self, store: Clubs, bus: Bus, clock: Clock) -> None:
        async def append(state: Club, record: ClubRecord, command: str) -> None:
            await store.append(ClubAppend(state.club, record, command, list_club(state), due_ms(state)))

        super().__init__(_KIND, store.read, append, bus, clock)


def due_ms(state: Club) -> int | None:
    """Return when the season of a club is to be ended; None: nobody has to look."""
    season = state.season
    if state.status == "closed" or season is None or season.ends_ms is None:
        return None
    return season.ends_ms + SETTLING_MS
