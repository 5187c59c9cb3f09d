"""The records of tournaments: read and folded, appended, and announced to every node."""

from diskwars_protocol.tournaments.events import TournamentEvent, TournamentRecord
from diskwars_protocol.tournaments.fold import fold_tournament
from diskwars_protocol.tournaments.state import Tournament
from diskwars_server.broadcast.event_streams import EventStreams, StreamKind
from diskwars_server.bus.bus import Bus
from diskwars_server.matches.services import Clock
from diskwars_server.store.tournaments import TournamentAppend, Tournaments, list_tournament

_KIND = StreamKind[Tournament, TournamentEvent, TournamentRecord](
    "tournament", "tournaments", "unknown_tournament", lambda state: state.tournament, TournamentRecord, fold_tournament
)


class TournamentStreams(EventStreams[Tournament, TournamentEvent, TournamentRecord]):
    """The tournaments of a database."""

    def __init__(self, store: Tournaments, bus: Bus, clock: Clock) -> None:
        async def append(state: Tournament, record: TournamentRecord, command: str) -> None:
            listing, due_ms = list_tournament(state), _due_ms(state)
            await store.append(TournamentAppend(state.tournament, record, command, listing, due_ms))

        super().__init__(_KIND, store.read, append, bus, clock)


def _due_ms(state: Tournament) -> int | None:
    """Return when somebody has to look at a tournament after a record: at once while it runs."""
    match state.status:
        case "open":
            return state.options.starts_ms
        case "running":
            return state.at_ms
        case _:
            return None
