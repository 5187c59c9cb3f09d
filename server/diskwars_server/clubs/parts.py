"""The parts of a server that are about clubs, and how they are made of each other."""

from collections.abc import Callable, Coroutine, Iterator

from msgspec import Struct

from diskwars_protocol.match.ids import PlayerId
from diskwars_server.clubs.club_requests import ClubService
from diskwars_server.clubs.ladders import Ladders
from diskwars_server.clubs.seasons import SeasonLoop
from diskwars_server.clubs.streams import ClubStreams
from diskwars_server.matches.rules_on_offer import RulesOnOffer
from diskwars_server.matches.services import Services
from diskwars_server.players.attempts import DEFAULT_ATTEMPT_LIMITS, AttemptLimiter
from diskwars_server.players.passwords import Passwords
from diskwars_server.players.shown_presence import ShownPresence
from diskwars_server.players.tokens import TokenIssuer
from diskwars_server.store.database import Database


class ClubParts(Struct, frozen=True):
    """The service of requests, and what runs beside the connections."""

    service: ClubService
    seasons: SeasonLoop
    streams: ClubStreams

    def loops(self) -> Iterator[tuple[str, Coroutine[None, None, None]]]:
        """Return what runs beside the connections, by name."""
        yield "seasons of clubs", self.seasons.run()

    def close(self) -> None:
        self.streams.close()


def make_club_parts(
    services: Services,
    database: Database,
    *,
    rules: RulesOnOffer,
    tokens: TokenIssuer,
    is_online: Callable[[PlayerId], bool],
) -> ClubParts:
    """Return the parts. `is_online` says who is connected to any node."""
    streams = ClubStreams(database.clubs, services.bus, services.clock)
    ladders = Ladders(database.ratings, services.monotonic)
    # Nothing is hashed for codes: the limits are those of log-ins, their counts are its own.
    attempts = AttemptLimiter(Passwords(), DEFAULT_ATTEMPT_LIMITS, services.monotonic)
    service = ClubService(
        streams,
        database.clubs,
        database.accounts,
        services,
        ladders,
        tokens,
        attempts,
        ShownPresence(database.accounts, database.matches, is_online),
        rules,
    )
    seasons = SeasonLoop(streams, database.clubs, ladders, services.clock)
    return ClubParts(service, seasons, streams)
